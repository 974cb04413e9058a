"""Exact values in Capture Square as JAX functions: the tables of `solver.py` in one array that all games share.

entries:   placing, level after level as in `solver.py`; then by turn of Sudden Death the full boards after that turn;
           where a toss says who begins it, all of that for Player 1 and then for Player 2
ranks:     of each set of cells among those of its size
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from pentagrid.core.game import Game
from pentagrid.core.jax_rng import Array
from pentagrid.core.jax_rules import Board, JaxRules, seen_by
from pentagrid.core.jax_solver import JaxSolver, Tables
from pentagrid.games.capture_square.batch_solver import flat_levels
from pentagrid.games.capture_square.jax_heuristics import CaptureSquareJaxHeuristics
from pentagrid.games.capture_square.jax_rules import CaptureSquareJaxRules
from pentagrid.games.capture_square.rules import CaptureSquare
from pentagrid.games.capture_square.solver import BEYOND_POINTS, LARGEST_TABLE, MOST_LEAD, tables


@lru_cache(maxsize=2)
def resident(game: CaptureSquare) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
    """The entries of all positions, and the ranks."""
    parts = []
    for each in settled(game):
        made = tables(each)
        parts += [flat_levels(each)[0], *(made.after_turn(each, turn) for turn in range(game.cell_count, game.limit))]
    return np.concatenate(parts), made.ranks


def settled(game: CaptureSquare) -> list[CaptureSquare]:
    """The games that the toss decides between, or this one."""
    return [each for each in game.tossed() if isinstance(each, CaptureSquare)]


class CaptureSquareJaxSolver(JaxSolver):
    rules: CaptureSquareJaxRules
    game: CaptureSquare

    def __init__(self, rules: JaxRules) -> None:
        super().__init__(rules)
        self._bits = (1 << np.arange(self.game.cell_count)).astype(np.int32)
        self._one_game = settled(self.game)[0]
        """Whoever begins Sudden Death, levels have the same shape."""
        self._heuristics = CaptureSquareJaxHeuristics(self.game)

    @staticmethod
    def fits(game: Game) -> bool:
        return game.size <= LARGEST_TABLE

    def resident_tables(self) -> Tables:
        return resident(self.game)

    def board_worths(self, board: Board, tables: Tables) -> Array:
        """`tables` are the resident ones; where there are none, they become a constant of the compiled program."""
        entries, ranks = map(jnp.asarray, tables or resident(self.game))
        one, marked = board.claims[0], board.claims.any(axis=0)
        placed, turned = self._placed(one, marked, board, ranks), self._turned(one, board)
        placing = board.turns < self.game.cell_count
        place = jnp.concatenate([placed, turned]) if self.game.exchanges else jnp.where(placing, placed, turned)
        if self.rules.tossed:
            place = place + board.toss.astype(jnp.int32) * (entries.size // 2)
        worths = entries.at[place].get(mode="clip").astype(jnp.int32)
        worths = self._with_points(worths) if self.game.has_points else worths
        return jnp.where(self.rules.side(board) == 0, worths, -worths)

    def _placed(self, one: Array, marked: Array, board: Board, ranks: Array) -> Array:
        """Where the board stands after each cell is marked: X is packed as in the tables, then a bit is pushed in."""
        counts = marked.astype(jnp.int32)
        places = jnp.cumsum(counts) - counts
        packed = jnp.where(one, 1 << places, 0).sum(dtype=jnp.int32)
        _, starts, widths = flat_levels(self._one_game)
        first = (self.rules.side(board) == 0).astype(jnp.int32)
        pushed = packed & (1 << places) - 1 | packed >> places << places + 1 | first << places
        row = ranks[jnp.where(marked, self._bits, 0).sum(dtype=jnp.int32) | self._bits]
        level = jnp.minimum(board.turns.astype(jnp.int32) + 1, self.game.cell_count)
        start, width = (jnp.asarray(numbers, jnp.int32)[level] for numbers in (starts, widths))
        return start + row * width + ranks.at[pushed].get(mode="clip")

    def _turned(self, one: Array, board: Board) -> Array:
        """Where the board stands after each action of Sudden Death: markers change hands."""
        cells, bits = self.game.cell_count, self._bits
        changed = (bits[:, None] | bits).ravel() if self.game.exchanges else bits
        mask = jnp.where(one, bits, 0).sum(dtype=jnp.int32)
        turn = jnp.maximum(board.turns.astype(jnp.int32) - cells, 0)
        return flat_levels(self._one_game)[0].size + (turn << cells) + (mask ^ changed)

    def _with_points(self, entries: Array) -> Array:
        """Where blocks of three decide: a lead as games won on points count it, a square beyond all of them."""
        points = 4 * entries - round(4 * self.game.komi)
        points = jnp.where(points == 0, 3 - 2 * self.game.winner_by(0), points)
        return jnp.where(jnp.abs(entries) > MOST_LEAD, entries + BEYOND_POINTS * jnp.sign(entries), points)

    def points(self, worths: Array) -> Array:
        """A square counts as all blocks."""
        won = jnp.sign(worths).astype(jnp.float32)
        if not self.game.has_points:
            return won
        margins = jnp.where(jnp.abs(worths) == 1, 0, worths) / 4
        return jnp.where(self._by_square(worths), won * len(self.game.quads), margins)

    def _by_square(self, worths: Array) -> Any:
        return jnp.abs(worths) >= BEYOND_POINTS if self.game.has_points else True

    def exchanged(self, worths: Array) -> Array:
        """A swap is a turn, so a square comes one later."""
        return jnp.where(self._by_square(worths), jnp.sign(worths), 0) - worths

    def greed(self, board: Board) -> Array:
        return self._heuristics.greed(*seen_by(self.rules.side(board), board.claims))

    def natural(self, board: Board) -> Array:
        return self._heuristics.natural(*seen_by(self.rules.side(board), board.claims))


JAX_SOLVER = CaptureSquareJaxSolver

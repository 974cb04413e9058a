"""Exact values of every move as pure JAX functions: the base of each game's `jax_solver.py` (`JAX_SOLVER`).

Worths are those of `core/deal_solver.py`, but from the side of the player to move, so that the best move has the
largest. Every function takes one board, and what `tables` made of its numbers: `jax.vmap` makes it take many.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import jax.numpy as jnp
import numpy as np

from pentagrid.core.game import Game
from pentagrid.core.jax_rng import Array
from pentagrid.core.jax_rules import Board, JaxRules, ScoringJaxRules, seen_by
from pentagrid.core.options import SWAP_PLY

NEVER = -(1 << 15)
"""The worth of an action that is not legal."""
Tables = Any
"""Arrays that a game looks its values up in; an empty tuple where it needs none of a deal's own."""


class JaxSolver(ABC):
    """Knows every position of one game with its size and options, and how its moves look at first sight."""

    def __init__(self, rules: JaxRules) -> None:
        self.rules = rules
        self.game = rules.game

    @staticmethod
    def fits(game: Game) -> bool:
        """Are there such values for this game's size and rule options?"""
        return True

    def tables(self, numbers: Array) -> Tables:
        """What is made once at a deal, from its numbers."""
        return ()

    def resident_tables(self) -> Tables:
        """The tables that all deals share, as arrays of the host; empty where a game has none."""
        return ()

    @abstractmethod
    def board_worths(self, board: Board, tables: Tables) -> Array:
        """What each action but a swap is worth to the mover; anything where it is not legal."""

    @abstractmethod
    def points(self, worths: Array) -> Array:
        """What worths are paid in the end, seen from the same side: margins, or in games without points 1 and -1."""

    def exchanged(self, worths: Array) -> Array:
        """The worths of positions once the players have exchanged sides."""
        return -worths

    def worths(self, board: Board, tables: Tables) -> Array:
        """What each action is worth to the mover, the pie rule counted; `NEVER` where it is not legal."""
        over, _ = self.rules.result(board)
        legal = self.rules.legal(board) & ~over
        worths = self.board_worths(board, tables).astype(jnp.int32)
        if self.game.pie:
            worths = jnp.where(board.swapped, -self.exchanged(worths), worths)
            taken_over = jnp.minimum(worths, self.exchanged(worths))  # whatever is good will be
            worths = jnp.where(board.turns == SWAP_PLY - 1, taken_over, worths)
            best = jnp.where(legal[:-1], worths, NEVER).max()
            worths = jnp.append(worths, self.exchanged(best))
        return jnp.where(legal, worths, NEVER)

    def regrets(self, worths: Array) -> Array:
        """The points that each action gives away, or without points 1 for a game; 0 where it is not legal."""
        if not self.game.has_points:
            return self.win_regrets(worths).astype(jnp.float32)
        lost = jnp.abs(self.points(worths.max()) - self.points(worths))
        return jnp.where(worths == NEVER, 0, lost).astype(jnp.float32)

    def win_regrets(self, worths: Array) -> Array:
        """1 for each action that gives a won game away, else 0."""
        return ((worths.max() > 0) & (worths <= 0) & (worths != NEVER)).astype(jnp.int32)

    @abstractmethod
    def natural(self, board: Board) -> Array:
        """How natural each action looks (`Heuristics.natural`), up to a constant for each board."""

    def greed(self, board: Board) -> Array:
        """How good each action looks right after it (`Heuristics.greed`), up to a constant for each board."""
        return self.natural(board)


class ScoringJaxSolver(JaxSolver):
    """For games won on points: worth is four times the final margin, or 1 or -1 at a tie."""

    rules: ScoringJaxRules

    def __init__(self, rules: ScoringJaxRules) -> None:
        super().__init__(rules)
        self._komi = round(4 * rules.game.komi)
        self._tie = 3 - 2 * rules.game.tie_winner()

    @abstractmethod
    def leads(self, board: Board, tables: Tables) -> Array:
        """By how many points the mover will be ahead after each claim, komi aside."""

    def lead_now(self, board: Board) -> Array:
        """By how many points the mover is ahead, komi aside."""
        own, other = seen_by(self.rules.side(board), board.points)
        return own.astype(jnp.int32) - other

    def board_worths(self, board: Board, tables: Tables) -> Array:
        sign = 1 - 2 * self.rules.side(board).astype(jnp.int32)
        worths = 4 * self.leads(board, tables) - sign * self._komi
        return jnp.where(worths == 0, sign * self._tie, worths)

    def points(self, worths: Array) -> Array:
        return jnp.where(jnp.abs(worths) == 1, 0, worths) / 4

    def natural(self, board: Board) -> Array:
        """By how much the lead grows; a swap turns it round."""
        gains = self.rules.gains(board)
        return jnp.append(gains, -2 * self.lead_now(board)) if self.game.pie else gains


class LargestFirstJaxSolver(ScoringJaxSolver):
    """For games in which taking the largest is always right: see `LargestFirstSolver`."""

    def __init__(self, rules: ScoringJaxRules) -> None:
        super().__init__(rules)
        turns = range(2 * self.game.claim_count)
        self._signs = np.array([3 - 2 * self.game.side_at(turn) for turn in turns], np.int32)

    def leads(self, board: Board, tables: Tables) -> Array:
        """What is larger than the claim comes a turn later than it would, what is smaller in its own turn."""
        free = self.rules.legal_on_board(board)
        values = jnp.where(free, self.rules.claim_points(board.numbers), 0).astype(jnp.int32)
        places = jnp.arange(self.game.claim_count)
        before = (values[:, None] > values) | (values[:, None] == values) & (places[:, None] < places)
        place = before.sum(axis=0, dtype=jnp.int32)  # of each value, in falling order
        usual, late = (values * self._sign_of(board, place + more) for more in (0, 1))
        rest = jnp.where(before, late[:, None], usual[:, None]).sum(axis=0)
        return self.lead_now(board) + rest - usual + values

    def _sign_of(self, board: Board, more: Array) -> Array:
        """In the eyes of the mover, whose turn it is so many turns from now: 1 or -1."""
        if self.rules.alternate:
            return 1 - 2 * (more & 1)
        signs = jnp.asarray(self._signs)
        return signs[board.turns + more] * signs[board.turns]

"""What every move of Capture Square is worth, in many games at once: looked up in the tables of `solver`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.batch import Batch
from pentagrid.core.deal_solver import Value
from pentagrid.core.game import Game
from pentagrid.core.move_worths import MoveWorths, Numbers
from pentagrid.games.capture_square.rules import CaptureSquare
from pentagrid.games.capture_square.solver import BEYOND_POINTS, LARGEST_TABLE, MOST_LEAD, tables


class CaptureSquareWorths(MoveWorths):
    """An entry is what the tables hold: FAR less the turns of a square, or under `blocks` Player 1's lead."""

    game: CaptureSquare

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch)
        self._tables = tables(self.game)

    @staticmethod
    def reaches(game: Game) -> bool:
        return game.size <= LARGEST_TABLE

    def marks(self) -> tuple[Numbers, Numbers]:
        """The cells of the mover and of the other, as masks."""
        bits = (1 << np.arange(self.game.cell_count, dtype=np.int32))[:, None]
        own, other = ((plane * bits).sum(axis=0, dtype=np.int32) for plane in (self.batch.own, self.batch.other))
        return own, other

    def entries(self, turn: int) -> Numbers:
        own, other = self.marks()
        one, two = (own, other) if self.game.side_at(turn) == 1 else (other, own)
        if turn < self.game.cell_count:
            placed = self._tables.placed(one, two, turn)
            return np.pad(placed, ((0, self.game.swap_action - len(placed)), (0, 0)))
        return self._turned(one, turn)

    def _turned(self, one: Numbers, turn: int) -> Numbers:
        """After each action of Sudden Death: markers change hands."""
        cells = self.game.cell_count
        entries = np.zeros((self.game.swap_action, len(one)), np.int16)
        after = self._tables.after_turn(self.game, turn)
        for action in range(cells if self.game.exchanges else 0, self.game.swap_action):
            changed = 1 << action
            if self.game.exchanges:
                mine, theirs = divmod(action - cells, cells)
                changed = 1 << mine | 1 << theirs
            entries[action] = after[one ^ changed]
        return entries

    def worths(self, entries: Numbers, komi: Numbers) -> Numbers:
        worths = entries.astype(np.int32)
        if not self.game.has_points:
            return worths
        square = np.abs(worths) > MOST_LEAD
        points = 4 * worths - komi
        points[points == 0] = 1 if self.game.winner_by(0) == 1 else -1
        return np.where(square, worths + BEYOND_POINTS * np.sign(worths), points)

    def greed(self, turn: int) -> Numbers:
        """How good each action looks right after it (`Heuristics.greed`)."""
        game, tables = self.game, self._tables
        own, other = self.marks()
        free = (1 << game.cell_count) - 1 & ~(own | other)
        threats = tables.counts[tables.needed[other] & np.where(free, free, own)]
        weight = len(game.quads) + 1 if game.has_points else 1
        looks = np.zeros((game.swap_action, len(own)), np.int32)
        for action in self._actions(turn):
            *given, cell = game.drawing.touch(action).at
            gives = sum(1 << each for each in given)
            mine, theirs = (own | 1 << cell) & ~gives, other & ~(1 << cell) | gives
            left = free & ~(1 << cell)
            greed = weight * (tables.counts[tables.needed[theirs] & np.where(left, left, mine)] < threats)
            if game.has_points:
                greed = greed + tables.blocks[mine] - tables.blocks[theirs]
            greed = np.where(tables.square[theirs], -weight, greed)
            looks[action] = np.where(tables.square[mine], 2 * weight, greed)
        return looks

    def _actions(self, turn: int) -> range:
        """The actions that may be legal after so many turns."""
        cells = self.game.cell_count
        if turn < cells:
            return range(cells)
        return range(cells if self.game.exchanges else 0, self.game.swap_action)

    def natural(self, turn: int) -> Numbers:
        game, n = self.game, self.game.size
        own, _ = self.marks()
        looks = 20 * self.greed(turn)
        for action in self._actions(turn):
            cell = game.drawing.touch(action).at[-1]
            r, c = divmod(cell, n)
            around = sum(1 << a * n + b for a in range(n) for b in range(n) if abs(a - r) <= 1 and abs(b - c) <= 1)
            squares = sum(quad >> cell & 1 for quad in game.quads)
            looks[action] += 2 * self._tables.counts[own & around] + squares
        return looks

    def rules_met(self, value: Value) -> tuple[str, ...]:
        if self.game.has_points:
            return super().rules_met(value)
        return ("Sudden Death",) if value.plies is not None and value.plies > self.game.cell_count else ()

    def natural_swap(self) -> Numbers:
        return np.zeros(self.batch.count, np.int32)

    def final_leads(self, turns: int) -> Numbers:
        own, other = self.marks()
        lead = self._tables.blocks[own] - self._tables.blocks[other]
        return lead if self.game.side_at(turns) == 1 else -lead

    def decided_before_points(self) -> NDArray[np.bool_]:
        """A square."""
        own, other = self.marks()
        found: NDArray[np.bool_] = self._tables.square[own] | self._tables.square[other]
        return found


WORTHS = CaptureSquareWorths

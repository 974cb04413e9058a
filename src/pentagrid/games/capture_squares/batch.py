"""Many games of Capture Squares at once.

Behind the cells lies one spare row for whatever is beyond the edge: no one's, and its number too high to be captured.
"""

from __future__ import annotations

import numpy as np

from pentagrid.core.batch import Actions, ScoringBatch
from pentagrid.core.scoring import ScoringGame

TOO_HIGH = 127


class CaptureSquaresBatch(ScoringBatch):
    spare = 1

    def __init__(self, game: ScoringGame, count: int) -> None:
        super().__init__(game, count)
        n, cells = game.size, game.cell_count
        self.numbers[cells] = TOO_HIGH
        grid = np.pad(np.arange(cells).reshape(n, n), 1, constant_values=cells)
        beside = [grid[r : r + n, c : c + n].ravel() for r, c in ((0, 1), (2, 1), (1, 0), (1, 2))]
        self._beside = np.array(beside) * count
        """For each action where the rows of the four cells beside it begin in a flat array."""

    def make_moves(self, actions: Actions, at: Actions) -> None:
        own, other = self.planes[self.side].ravel(), self.planes[1 - self.side].ravel()
        numbers = self.numbers.ravel()
        near = self._beside.take(actions, axis=1)
        near += self.columns
        number, theirs = numbers.take(near), other.take(near)
        captured = theirs * (number < numbers.take(at))
        own[near] = own.take(near) | captured
        other[near] = theirs ^ captured
        points = (captured * number).sum(axis=0, dtype=np.int16)
        self.points[self.side] += points
        self.points[1 - self.side] -= points
        super().make_moves(actions, at)


BATCH = CaptureSquaresBatch

"""Exact values in many games of Matrix Capture: the table of every deal, as in `solver.py`, side by side.

leads[entry, game]    entries: level after level, in a level by the rank of the rows left, then of the columns left
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.batch import Batch
from pentagrid.core.batch_solver import ScoringBatchSolver
from pentagrid.core.game import Game
from pentagrid.core.scoring import ScoringGame
from pentagrid.games.matrix_capture.solver import DEALS_AT_ONCE, level_together, subsets

LARGEST = 6
"""On larger boards the tables of thousands of games would take gigabytes."""


class MatrixCaptureBatchSolver(ScoringBatchSolver):
    def __init__(self, game: ScoringGame, count: int) -> None:
        super().__init__(game, count)
        n = game.size
        ranks, levels = subsets(n)
        self._ranks = np.array(ranks, np.int32)
        self._width = np.array([len(level.members) for level in levels], np.int32)
        self._start = np.cumsum([0, *self._width[:-1] ** 2], dtype=np.int32)
        """By lines left: where a level starts in the table, and how many sets of rows it has."""
        self._leads = np.zeros((int((self._width**2).sum()), count), np.int8)
        cells = np.arange(n * n)
        self._row_bits, self._column_bits = (1 << cells // n)[:, None], (1 << cells % n)[:, None]
        self._signs = np.array([3 - 2 * game.side_at(turn) for turn in range(n + 1)], np.int16)

    @staticmethod
    def fits(game: Game) -> bool:
        return game.size <= LARGEST

    def deal(self, which: slice | NDArray[np.intp], batch: Batch) -> None:
        n, games = self.game.size, batch.columns[which]
        for start in range(0, games.size, DEALS_AT_ONCE):
            some = games[start : start + DEALS_AT_ONCE]
            numbers = np.ascontiguousarray(batch.numbers[:, some]).reshape(n, n, -1)
            level = np.zeros((1, 1, some.size), np.int8)
            for k in range(1, n + 1):
                level = level_together(self.game, numbers, k, level)
                self._leads[self._start[k] : self._start[k] + self._width[k] ** 2, some] = level.reshape(-1, some.size)

    def leads(self, batch: Batch) -> NDArray[Any]:
        n, cells = self.game.size, self.game.cell_count
        claimed = (batch.own | batch.other).astype(np.int32)
        every = (1 << n) - 1
        rows, columns = (every - np.sum(claimed * bits, axis=0) for bits in (self._row_bits, self._column_bits))
        left = n - batch.turns - 1  # after the move
        level = np.maximum(left, 0)
        row, column = self._ranks[rows & ~self._row_bits], self._ranks[columns & ~self._column_bits]
        entry = (self._start[level] + row * self._width[level] + column) * self.count + batch.columns
        sign = self._signs[batch.turns]
        gained = sign * self._leads.ravel().take(entry, mode="clip")
        leads: NDArray[Any] = batch.numbers[:cells] + gained + (batch.points[batch.side] - batch.points[1 - batch.side])
        return leads


BATCH_SOLVER = MatrixCaptureBatchSolver

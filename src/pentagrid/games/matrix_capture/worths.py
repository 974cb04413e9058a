"""What every move of Matrix Capture is worth, in many games at once: the tables of all deals side by side."""

from __future__ import annotations

import numpy as np

from pentagrid.core.batch import Batch
from pentagrid.core.game import Game
from pentagrid.core.move_worths import Numbers, ScoringMoveWorths
from pentagrid.core.scoring import ScoringGame
from pentagrid.games.matrix_capture.solver import LARGEST_TOGETHER, level_together, subsets


class MatrixCaptureWorths(ScoringMoveWorths):
    game: ScoringGame

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch)
        n = self.game.size
        self._numbers = np.ascontiguousarray(batch.numbers).reshape(n, n, batch.count)
        self._tables = [np.zeros((1, 1, batch.count), np.int8)]
        for k in range(1, n):
            self._tables.append(level_together(self.game, self._numbers, k, self._tables[-1]))
        self._ranks = np.array(subsets(n)[0])

    @staticmethod
    def reaches(game: Game) -> bool:
        return game.size <= LARGEST_TOGETHER

    def entries(self, turn: int) -> Numbers:
        n, columns = self.game.size, self.batch.columns
        free = self.batch.legal[: n * n].reshape(n, n, -1)
        weights = 1 << np.arange(n)
        rows, lines = weights @ free.any(axis=1), weights @ free.any(axis=0)
        table, now = self._tables[n - turn - 1], self.lead_now(turn)
        sign = 3 - 2 * self.game.side_at(turn)
        leads = np.zeros((n, n, self.batch.count), np.int16)
        for r in range(n):
            less = self._ranks[rows & ~(1 << r)]
            for c in range(n):
                there = free[r, c]  # elsewhere the ranks are of other sets
                left = table[np.where(there, less, 0), np.where(there, self._ranks[lines & ~(1 << c)], 0), columns]
                leads[r, c] = now + sign * self._numbers[r, c] + left
        return leads.reshape(n * n, -1)


WORTHS = MatrixCaptureWorths

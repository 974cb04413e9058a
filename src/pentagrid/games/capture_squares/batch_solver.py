"""Exact values in many games of Capture Squares: the tables of `solver.points_to_come`, 64 deals side by side.

    tables[game // 64, set of claimed cells, game % 64]     a byte each: 64 KiB a game on 4x4

With M the mover's lead in settled numbers, T - F what is still open and G what the table says, the mover's final lead
by a claim c is M + (T - F) - 2 G(S + c).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.batch import Batch
from pentagrid.core.batch_solver import ScoringBatchSolver
from pentagrid.core.game import Game
from pentagrid.games.capture_squares.rules import CaptureSquares
from pentagrid.games.capture_squares.solver import DEALS_AT_ONCE, WHOLE_DEAL, points_to_come


class CaptureSquaresBatchSolver(ScoringBatchSolver):
    game: Any

    def __init__(self, game: CaptureSquares, count: int) -> None:
        super().__init__(game, count)
        blocks = -(-count // DEALS_AT_ONCE)
        self._tables = np.empty((blocks, 1 << game.cell_count, DEALS_AT_ONCE), np.uint8)
        self._bits = (1 << np.arange(game.cell_count, dtype=np.int64))[:, None]
        self._needs = np.zeros((game.cell_count, count), np.int64)
        """For each cell of each game the mask of what settles it."""

    @staticmethod
    def fits(game: Game) -> bool:
        return game.cell_count <= WHOLE_DEAL

    def deal(self, which: slice | NDArray[np.intp], batch: Batch) -> None:
        games, tables = batch.columns[which], self._tables
        numbers = batch.numbers[: self.game.cell_count]
        for cell, neighbors in enumerate(self.game.neighbors):
            higher = [(numbers[near, games] > numbers[cell, games]) * self._bits[near] for near in neighbors]
            self._needs[cell, games] = self._bits[cell] | sum(higher)
        for start in range(0, games.size, DEALS_AT_ONCE):
            some = games[start : start + DEALS_AT_ONCE]
            block, lane = np.divmod(some, DEALS_AT_ONCE)
            table = points_to_come(self.game, numbers[:, some])
            if (block == block[0]).all():
                tables[block[0]][:, lane] = table
            else:
                tables[block, :, lane] = table.T

    def leads(self, batch: Batch) -> NDArray[np.int16]:
        cells = self.game.cell_count
        numbers = batch.numbers[:cells].astype(np.int16)
        claimed = ((batch.own | batch.other) * self._bits).sum(axis=0)
        settled = (self._needs & ~claimed) == 0
        ahead = np.where(settled, numbers * (batch.own - batch.other), numbers * ~settled).sum(axis=0, dtype=np.int16)
        block, lane = np.divmod(batch.columns, DEALS_AT_ONCE)
        sets = claimed | self._bits
        entry = (block * len(self._tables[0]) + sets) * DEALS_AT_ONCE + lane
        leads: NDArray[np.int16] = ahead - 2 * self._tables.ravel().take(entry).astype(np.int16)
        return leads


BATCH_SOLVER = CaptureSquaresBatchSolver

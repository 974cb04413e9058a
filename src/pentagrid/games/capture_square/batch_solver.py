"""Exact values in many games of Capture Square: the tables of `solver.py`, which know every position, looked up."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.batch import Batch
from pentagrid.core.batch_solver import BatchSolver, Worths
from pentagrid.core.game import Game
from pentagrid.games.capture_square.rules import CaptureSquare
from pentagrid.games.capture_square.solver import FAR, LARGEST_TABLE, tables


@lru_cache(maxsize=2)
def flat_levels(game: CaptureSquare) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int64]]:
    """The levels one after the other, where each starts, and how many entries a row of it has."""
    levels = tables(game).levels
    starts = np.cumsum([0, *(level.size for level in levels[:-1])], dtype=np.int64)
    return np.concatenate([level.ravel() for level in levels]), starts, np.array([level.shape[1] for level in levels])


class CaptureSquareBatchSolver(BatchSolver):
    game: CaptureSquare

    def __init__(self, game: CaptureSquare, count: int) -> None:
        super().__init__(game, count)
        self._tables = tables(game)
        self._levels, self._starts, self._widths = flat_levels(game)
        self._sudden = np.stack(self._tables.sudden)
        self._cells = np.arange(game.cell_count)[:, None]

    @staticmethod
    def fits(game: Game) -> bool:
        assert isinstance(game, CaptureSquare)
        return game.size <= LARGEST_TABLE and not (game.exchanges or game.has_points or len(game.tossed()) > 1)

    def board_worths(self, batch: Batch) -> Worths:
        bits = 1 << self._cells
        own, other = ((plane * bits).sum(axis=0) for plane in (batch.own, batch.other))
        first = batch.sides == 1
        one = np.where(first, own, other)
        worths = np.empty(batch.legal[: self.game.cell_count].shape, np.int16)
        placing = batch.turns < self.game.cell_count
        for which, look_up in ((np.flatnonzero(placing), self._placed), (np.flatnonzero(~placing), self._turned)):
            if which.size:
                worths[:, which] = look_up(one[which], (own | other)[which], first[which], batch.turns[which])
        return np.where(first, worths, -worths)

    def margins(self, worths: Worths) -> NDArray[Any]:
        return (worths > 0).astype(np.float64)

    def _placed(self, one: Any, marked: Any, first: Any, turns: Any) -> NDArray[Any]:
        """Player 1's worth after each cell is marked: X is packed as in the tables, then a bit is pushed in."""
        ranks, packed, place = self._tables.ranks, np.zeros_like(one), np.zeros_like(one)
        places = np.empty((self.game.cell_count, one.size), one.dtype)
        for cell in range(self.game.cell_count):
            places[cell] = place
            packed |= (one >> cell & 1) << place
            place += marked >> cell & 1
        pushed = packed & (1 << places) - 1 | packed >> places << places + 1 | first.astype(one.dtype) << places
        row = ranks[marked | 1 << self._cells]
        level = turns.astype(np.int64) + 1
        entry = self._starts[level] + row * self._widths[level] + ranks[np.minimum(pushed, len(ranks) - 1)]
        worths: NDArray[Any] = self._levels.take(entry, mode="clip")
        return worths

    def _turned(self, one: Any, marked: Any, first: Any, turns: Any) -> NDArray[Any]:
        """Player 1's worth after each marker is turned in Sudden Death."""
        sign, own = np.where(first, 1, -1), np.where(first, one, marked ^ one)
        after = turns.astype(np.int64) + 1
        worths = self._sudden[after - self.game.cell_count, one ^ 1 << self._cells].astype(np.int16)
        completed = self._tables.square[own | 1 << self._cells]
        led: NDArray[Any] = np.where(completed, sign * (FAR - after), worths)
        return led


BATCH_SOLVER = CaptureSquareBatchSolver

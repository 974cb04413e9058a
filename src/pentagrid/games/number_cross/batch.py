"""Many games of Number Cross at once: the sums of the lines are the points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.batch import ScoringBatch
from pentagrid.core.scoring import ScoringGame


class NumberCrossBatch(ScoringBatch):
    def __init__(self, game: ScoringGame, count: int) -> None:
        super().__init__(game, count)
        self._sums = np.zeros((self.claims, count), np.int16)
        self.unsided.append(self._sums)

    def open_games(self, which: slice | NDArray[np.intp]) -> None:
        super().open_games(which)
        n = self.game.size
        grid = self.numbers[:, which].reshape(n, n, -1)
        self._sums[:n, which] = grid.sum(axis=1, dtype=np.int16)
        self._sums[n:, which] = grid.sum(axis=0, dtype=np.int16)

    def claim_points(self) -> NDArray[Any]:
        return self._sums


BATCH = NumberCrossBatch

"""Many games of Matrix Capture at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.batch import Actions, ScoringBatch, Seeds, below
from pentagrid.games.matrix_capture.rules import LARGEST


class MatrixCaptureBatch(ScoringBatch):
    def game_length(self) -> int:
        return self.game.size

    def numbers_from_draws(self, drawn: Seeds) -> NDArray[np.int8]:
        dealt = below(drawn, LARGEST).astype(np.int8)
        dealt += 1
        return dealt

    def make_moves(self, actions: Actions, at: Actions) -> None:
        super().make_moves(actions, at)
        n = self.game.size
        lines = np.arange(n, dtype=np.int8)[:, None]
        small = actions.astype(np.int16)
        rows, columns = (half.astype(np.int8) for half in (small // n, small % n))
        grid = self.legal[: n * n].reshape(n, n, self.count)
        grid &= (lines != rows)[:, None]
        grid &= (lines != columns)[None]


BATCH = MatrixCaptureBatch

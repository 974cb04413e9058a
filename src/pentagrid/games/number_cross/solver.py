"""Exact values in Number Cross: taking the line with the largest sum is optimal from any position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pentagrid.scoring import ScoringGame
from pentagrid.solving import LargestFirstSolver, signs, turns_taken

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NumberCrossSolver(LargestFirstSolver):
    scale = 6.5
    proof = (
        "Only line sums count, and a line is worth the same to both, so taking the largest sum left is best "
        "from any position: Player 1 gets the largest, the third and so on, and so never less than Player 2."
    )


def margins(game: ScoringGame, boards: NDArray[Any]) -> NDArray[np.int64]:
    """Player 1's lead in every deal under best play, komi aside; a deal is a row of N² numbers."""
    import numpy as np

    n = game.size
    grids = boards.reshape(-1, n, n).astype(np.int16)
    return turns_taken(np.concatenate((grids.sum(axis=2), grids.sum(axis=1)), axis=1), signs(game, 0, 2 * n))


SOLVER = NumberCrossSolver

"""Exact values in Number Grid Battle: taking the largest number is optimal from any position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pentagrid.solving import LargestFirstSolver, turns_taken

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NumberGridBattleSolver(LargestFirstSolver):
    scale = 4.0
    proof = (
        "Taking the largest number left is best from any position, so under best play Player 1 takes "
        "the largest, the third largest and so on, and Player 2 those between."
    )


def margins(boards: NDArray[Any]) -> NDArray[np.int64]:
    """The margin of every deal under best play; a deal is a row of N² numbers."""
    return turns_taken(boards)


SOLVER = NumberGridBattleSolver

"""Exact values in Number Grid Battle: taking the largest number is optimal from any position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pentagrid.core.deal_solver import LargestFirstSolver, firsts_taken, signs
from pentagrid.core.scoring import ScoringGame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NumberGridBattleSolver(LargestFirstSolver):
    scale = 4.0
    proof = (
        "Taking the largest number left is best from any position, so under best play Player 1 takes "
        "the largest, the third largest and so on, and Player 2 those between."
    )

    @classmethod
    def every_lead(cls, game: ScoringGame) -> tuple[int, int]:
        """Every deal has the same numbers, so the same lead."""
        turns = signs(game, 0, game.cell_count)
        lead = sum(sign * number for sign, number in zip(turns, range(game.cell_count, 0, -1), strict=True))
        return lead, lead


def firsts(game: ScoringGame, boards: NDArray[Any]) -> NDArray[np.int16]:
    """Player 1's lead by the first move, komi aside: a row for each move; `boards` has a row for each cell."""
    return firsts_taken(boards, signs(game, 0, game.cell_count))


SOLVER = NumberGridBattleSolver

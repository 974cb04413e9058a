"""Exact values in Number Cross: taking the line with the largest sum is optimal from any position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pentagrid.core.deal_solver import LargestFirstSolver, firsts_taken, signs
from pentagrid.core.scoring import ScoringGame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NumberCrossSolver(LargestFirstSolver):
    scale = 6.5
    proof = (
        "Only line sums count, and a line is worth the same to both, so taking the largest sum left is best "
        "from any position: Player 1 gets the largest, the third and so on, and so never less than Player 2."
    )

    @classmethod
    def every_lead(cls, game: ScoringGame) -> tuple[int, int] | None:
        """In turn, each sum of Player 1 is above Player 2's next: together at most the largest less the smallest."""
        lines = 2 * game.size
        if signs(game, 0, lines) != [1, -1] * game.size:
            return None
        return 0, game.size * (game.cell_count - game.size)


def firsts(game: ScoringGame, boards: NDArray[Any]) -> NDArray[np.int16]:
    """Player 1's lead by the first move, komi aside: a row for each move; `boards` has a row for each cell."""
    return firsts_taken(game.points_of_claims(boards), signs(game, 0, 2 * game.size))


SOLVER = NumberCrossSolver

"""Number Cross: take turns claiming whole rows and columns; the higher sum of line sums wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pentagrid.core.options import PIE
from pentagrid.core.position import Position
from pentagrid.core.scoring import KOMI, ORDER, ScoringGame, in_order
from pentagrid.errors import Refusal
from pentagrid.games.number_cross.drawing import NumberCrossDrawing
from pentagrid.games.number_cross.notation import NumberCrossNotation

if TYPE_CHECKING:
    from numpy.typing import NDArray


class NumberCross(ScoringGame):
    """Actions and claims are lines: rows 0..N-1, then columns N..2N-1. A tie goes to Player 2."""

    name = "number-cross"
    title = "Number Cross"
    sentence = "Claim whole rows and columns; the higher sum of sums wins."
    learning_place = 2
    sizes = range(2, 9)
    default_size = 3
    quick_size = 8
    notation_class = NumberCrossNotation
    drawing_class = NumberCrossDrawing
    offered_rules = (ORDER, KOMI, PIE)

    def __init__(self, size: int | None = None, **rules: str) -> None:
        super().__init__(size, **rules)
        n = self.size
        self._all = (1 << self.swap_action) - 1
        self.line_cells = tuple(
            tuple(range(line * n, line * n + n)) if line < n else tuple(range(line - n, n * n, n))
            for line in range(2 * n)
        )
        """The cells of each line."""

    def count_board_actions(self) -> int:
        return 2 * self.size

    def claim_rows(self) -> tuple[int, ...]:
        return (self.size, self.size)

    @property
    def most_turns(self) -> int:
        return 2 * self.size

    def side_at(self, turns: int) -> int:
        return in_order(self.rules["order"], turns)

    def legal_on_board(self, position: Position) -> int:
        return self._all & ~(position.one | position.two)

    def claim_points(self, numbers: tuple[int, ...], claim: int) -> int:
        n = self.size
        return sum(numbers[claim * n : claim * n + n] if claim < n else numbers[claim - n :: n])

    def points_of_claims(self, boards: NDArray[Any]) -> NDArray[Any]:
        import numpy as np

        grids = boards.reshape(self.size, self.size, -1)
        return np.concatenate((grids.sum(axis=1, dtype=np.int16), grids.sum(axis=0, dtype=np.int16)))

    def refusal_on_board(self, position: Position, action: int) -> Refusal:
        return Refusal("claimed", self.texts[action], {"owner": position.owner(action)})


GAME = NumberCross

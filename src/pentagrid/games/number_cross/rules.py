"""Number Cross: take turns claiming whole rows and columns; the higher sum of line sums wins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pentagrid.core.game import PIE
from pentagrid.core.position import Cell, Line, Position, Touch
from pentagrid.core.scoring import KOMI, ORDER, ScoringGame, in_order
from pentagrid.errors import UnreadableError

if TYPE_CHECKING:
    from numpy.typing import NDArray


class NumberCross(ScoringGame):
    """Actions and claims are lines: rows 0..N-1, then columns N..2N-1. A tie goes to Player 2."""

    name = "number-cross"
    title = "Number Cross"
    sizes = range(2, 9)
    default_size = 3
    notation = "a row or a column"
    offered_rules = (ORDER, KOMI, PIE)
    preferred_examples = ("Row2", "Col1")

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

    def refusal_on_board(self, position: Position, action: int) -> str:
        owner = position.owner(action)
        return f"Sorry, {self.texts[action]} has already been claimed by Player {owner}. Please choose another line."

    def write_move(self, action: int) -> str:
        return f"Row{action + 1}" if action < self.size else f"Col{action - self.size + 1}"

    def read_move(self, move: str) -> int | None:
        found = re.fullmatch(r"(R(?:OW)?|C(?:OL(?:UMN)?)?) ?([0-9]{1,9})", move)
        if not found:
            return None
        number = int(found[2])
        if not 1 <= number <= self.size:
            raise UnreadableError(
                f"There is no such line as {move.title()}: rows and columns go from 1 to {self.size}."
            )
        return number - 1 + (self.size if found[1].startswith("C") else 0)

    def _touch(self, action: int) -> Touch:
        return Touch("line", (action,))

    def _cells(self, position: Position) -> tuple[tuple[Cell, ...], ...]:
        return tuple(tuple(Cell(str(number), 0, False) for number in row) for row in position.board or ())

    def _lines(self, position: Position) -> tuple[Line, ...]:
        legal = self.legal_on_board(position)
        return tuple(
            Line(self.texts[i], position.owner(i), bool(legal >> i & 1), cells)
            for i, cells in enumerate(self.line_cells)
        )


GAME = NumberCross

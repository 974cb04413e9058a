"""The drawing of Number Cross: whole rows and columns are owned and chosen, not cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pentagrid.core.drawing import Cell, Drawing, Line, Touch
from pentagrid.core.position import Position

if TYPE_CHECKING:
    from pentagrid.games.number_cross.rules import NumberCross


class NumberCrossDrawing(Drawing):
    game: NumberCross

    def cells(self, position: Position) -> tuple[tuple[Cell, ...], ...]:
        return tuple(tuple(Cell(str(number), 0, False) for number in row) for row in position.board or ())

    def lines(self, position: Position) -> tuple[Line, ...]:
        legal = self.game.legal_on_board(position)
        return tuple(
            Line(self.game.texts[i], position.owner(i), bool(legal >> i & 1), cells)
            for i, cells in enumerate(self.game.line_cells)
        )

    def touch_on_board(self, action: int) -> Touch:
        return Touch("line", (action,))

"""The drawing of Capture Square: a trade touches two cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pentagrid.core.drawing import Drawing, Touch
from pentagrid.core.position import Position, bits

if TYPE_CHECKING:
    from pentagrid.games.capture_square.rules import CaptureSquare


class CaptureSquareDrawing(Drawing):
    game: CaptureSquare

    def winning_cells(self, position: Position) -> tuple[int, ...]:
        cells = 0
        for quad in self.game.quads:
            if quad in (quad & position.one, quad & position.two):
                cells |= quad
        return bits(cells)

    def touch_on_board(self, action: int) -> Touch:
        cells = self.game.cell_count
        return Touch("cell", (action,)) if action < cells else Touch("pair", divmod(action - cells, cells))

"""The drawing of Capture Square: a trade touches two cells."""

from __future__ import annotations

from pentagrid.core.drawing import Drawing, Touch


class CaptureSquareDrawing(Drawing):
    def touch_on_board(self, action: int) -> Touch:
        cells = self.game.cell_count
        return Touch("cell", (action,)) if action < cells else Touch("pair", divmod(action - cells, cells))

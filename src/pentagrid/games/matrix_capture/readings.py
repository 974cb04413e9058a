"""How the rules of Matrix Capture may be read otherwise."""

from __future__ import annotations

from pentagrid.core.position import Position, bits
from pentagrid.core.readings import Reading, scoring_readings


class _RowStays:
    size: int

    def legal_on_board(self, position: Position) -> int:
        taken = bits(position.one | position.two)
        gone = {cell % self.size for cell in taken}
        return sum(1 << c for c in range(self.size**2) if c not in taken and c % self.size not in gone)


class _ColumnStays:
    size: int

    def legal_on_board(self, position: Position) -> int:
        taken = bits(position.one | position.two)
        gone = {cell // self.size for cell in taken}
        return sum(1 << c for c in range(self.size**2) if c not in taken and c // self.size not in gone)


READINGS = (
    *scoring_readings(),
    Reading("row-stays", "capture", "a captured number removes its column, but not its row", _RowStays),
    Reading("column-stays", "capture", "a captured number removes its row, but not its column", _ColumnStays),
)

"""Moves of Matrix Capture: `R2C2`."""

from __future__ import annotations

from pentagrid.core.notation import CellNotation


class MatrixCaptureNotation(CellNotation):
    """Row and column, both named: `R2C2`, `r2 c2`."""

    words = "a row and a column"
    preferred_examples = ("R2C2", "R3C1")
    pattern = r"R ?(?P<row>[0-9]{1,9}) ?,? ?C ?(?P<column>[0-9]{1,9})"
    template = "R{row}C{column}"

"""Moves of Capture Squares: `2,1`."""

from __future__ import annotations

from pentagrid.core.notation import CellNotation


class CaptureSquaresNotation(CellNotation):
    """Row and column counted from 1: `2,1`, `(2, 1)`, `2 1`."""

    words = "a row and a column"
    preferred_examples = ("2,1",)
    pattern = r"(\()? ?(?P<row>[0-9]{1,9})(?: ?, ?| )(?P<column>[0-9]{1,9}) ?(?(1)\))"
    template = "{row},{column}"

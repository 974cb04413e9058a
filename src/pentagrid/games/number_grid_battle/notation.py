"""Moves of Number Grid Battle: `0 1`."""

from __future__ import annotations

from pentagrid.core.notation import CellNotation


class NumberGridBattleNotation(CellNotation):
    """Row and column counted from 0: `0 1`, `0,1`, `(0,1)`."""

    words = "a row and a column counted from 0"
    preferred_examples = ("0 1",)
    pattern = r"(\()? ?(?P<row>[0-9]{1,9})(?: ?, ?| )(?P<column>[0-9]{1,9}) ?(?(1)\))"
    template = "{row} {column}"
    first = 0

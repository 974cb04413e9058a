"""Moves of Number Cross: `Row2`, `Col3`."""

from __future__ import annotations

import re

from pentagrid.core.notation import Notation
from pentagrid.errors import OffBoardError


class NumberCrossNotation(Notation):
    """A row or a column by its number: `Row2`, `R2`, `Col3`, `column 3`."""

    words = "a row or a column"
    preferred_examples = ("Row2", "Col1")

    def write(self, action: int) -> str:
        size = self.game.size
        return f"Row{action + 1}" if action < size else f"Col{action - size + 1}"

    def read(self, move: str) -> int | None:
        found = re.fullmatch(r"(R(?:OW)?|C(?:OL(?:UMN)?)?) ?([0-9]{1,9})", move)
        if not found:
            return None
        size, number = self.game.size, int(found[2])
        if not 1 <= number <= size:
            raise OffBoardError(f"There is no such line as {move.title()}: rows and columns go from 1 to {size}.")
        return number - 1 + (size if found[1].startswith("C") else 0)

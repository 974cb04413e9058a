"""Moves of Capture Square: `B2`; under `exchange`, in Sudden Death, `A1 B2`."""

from __future__ import annotations

import re
from string import ascii_uppercase
from typing import TYPE_CHECKING

from pentagrid.core.notation import Notation
from pentagrid.errors import OffBoardError

if TYPE_CHECKING:
    from pentagrid.games.capture_square.rules import CaptureSquare


class CaptureSquareNotation(Notation):
    """A column letter and a row number; a trade names the own cell, then the opposing one."""

    game: CaptureSquare
    preferred_examples = ("A1",)

    def __init__(self, game: CaptureSquare) -> None:
        self.words = "a column letter and a row number"
        if game.exchanges:
            self.words += "; in Sudden Death your own cell and the opposing one"
        super().__init__(game)

    def write(self, action: int) -> str:
        size, cells = self.game.size, self.game.cell_count
        if action >= cells:
            own, opposing = divmod(action - cells, cells)
            return f"{self.write(own)} {self.write(opposing)}"
        return f"{ascii_uppercase[action % size]}{action // size + 1}"

    def read(self, move: str) -> int | None:
        found = re.fullmatch(r"([A-Z]) ?([0-9]{1,9})(?: ?,? ?([A-Z]) ?([0-9]{1,9}))?", move)
        if not found or (found[3] and not self.game.exchanges):
            return None
        cell = self._cell(found[1], found[2])
        if not found[3]:
            return cell
        return self.game.cell_count * (1 + cell) + self._cell(found[3], found[4])

    def _cell(self, column: str, row: str) -> int:
        size = self.game.size
        last = ascii_uppercase[size - 1]
        if column > last or not 1 <= int(row) <= size:
            raise OffBoardError(
                f"{column}{row} is not on the board: columns go from A to {last}, rows from 1 to {size}."
            )
        return (int(row) - 1) * size + ascii_uppercase.index(column)

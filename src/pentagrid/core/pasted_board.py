"""Boards pasted without a game's name: the positions of all games that can have such a board."""

from __future__ import annotations

import re

from pentagrid.core.catalog import find, game_names
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.position_reader import read_position, restore
from pentagrid.core.speech import speech_for
from pentagrid.errors import PentagridError, UnreadableError, shown

FRAME = re.compile(r"[|+\[\](){}]|-{2,}")
"""What is drawn around cells."""
EMPTY = frozenset(".-_·")


def positions_of(text: str) -> list[Position]:
    """The positions that a text can mean: that of a whole position, or those of all games with such a board.

    Rows are divided by line ends or "/", cells by blanks or commas. Raises `UnreadableError` if no game fits, and what
    `read_position` raises for a text that begins with a game's name.
    """
    first = (text.split() or [""])[0].lower().replace("_", "-")
    if first in game_names():
        return [read_position(text)]
    rows = [
        cells
        for row in re.split(r"[\n/;]", FRAME.sub(" ", text))
        if (cells := re.split(r"[\s,]+", row.strip())) != [""]
    ]
    found: list[Position] = []
    reasons: list[str] = []
    for kind in map(find, game_names()):
        try:
            found.append(_fitting(kind, rows))
        except PentagridError as error:
            reasons += [str(error)] if kind.has_numbers else []
    square = len(rows) > 1 and all(len(row) == len(rows) and all(map(str.isdecimal, row)) for row in rows)
    if not found and square:
        raise UnreadableError(f"No game can have the board {shown(text.strip())}. {' '.join(dict.fromkeys(reasons))}")
    if not found:
        raise UnreadableError(
            f"{shown(text.strip())} is neither a record, nor a position, nor a board that a game can have: "
            "a board is as many rows as columns, such as 5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1."
        )
    return found


def _fitting(kind: type[Game], rows: list[list[str]]) -> Position:
    """The position of this game with such a board. Raises why it cannot have one."""
    if kind.has_numbers:
        return kind(len(rows)).read_board("/".join(" ".join(row) for row in rows))
    owners = {mark: str(seat) for seat, mark in enumerate(speech_for(kind()).marks, 1)}
    owners |= dict.fromkeys(EMPTY, ".")
    claims = "/".join("".join(owners.get(cell.upper(), "?") for cell in row) for row in rows)
    return restore(kind, [f"size={len(rows)}", f"claims={claims}"])

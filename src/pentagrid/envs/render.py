"""A position as text and as a picture, for every environment."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.catalog import part
from pentagrid.core.position import Position

Picture = NDArray[np.uint8]

CELL = 40
"""Pixels of a cell."""
PAPER, INK, RULE, FADED = (250, 248, 243), (35, 35, 35), (160, 155, 145), (222, 218, 208)
OWNERS = {0: (255, 255, 255), 1: (116, 190, 214), 2: (222, 148, 196)}
GLYPHS = {
    "0": ("###", "# #", "# #", "# #", "###"), "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"), "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"), "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"), "7": ("###", "  #", " # ", " # ", " # "),
    "8": ("###", "# #", "###", "# #", "###"), "9": ("###", "# #", "###", "  #", "###"),
}  # fmt: skip


def text_of(position: Position) -> str:
    """The board as its rule text draws it, the scores, and whose turn it is or who has won."""
    speech = part(position.game.name, "text").SPEECH(position.game)
    lines = [line for line in speech.updated(position) if line.strip()]
    outcome = position.outcome()
    if outcome is None:
        lines.append(f"It is Player {position.mover}'s turn.")
    else:
        lines.append(f"Player {outcome.winner} has won ({outcome.reason}).")
    return "\n".join(lines)


def picture_of(position: Position) -> Picture:
    """The board in colors: cyan is Player 1's, magenta Player 2's; what cannot be chosen is gray.

    Owned lines have a bar behind their row or below their column. At the foot are both players with their scores;
    the one to move (or who has won) has a dark frame.
    """
    n, lines = position.game.size, position.lines()
    edge = CELL // 2 if lines else 4
    picture = np.empty((n * CELL + edge + CELL + 4, n * CELL + edge + 4, 3), np.uint8)
    picture[:] = PAPER
    for r, row in enumerate(position.cells()):
        for c, cell in enumerate(row):
            plain = cell.owner == 0 and not cell.available and not lines
            _box(picture, 2 + r * CELL, 2 + c * CELL, CELL, CELL, FADED if plain else OWNERS[cell.owner], RULE)
            _write(picture, 2 + r * CELL + CELL // 2, 2 + c * CELL + CELL // 2, cell.label, 4)
    for i, line in enumerate(lines):
        top, left = (2 + i * CELL, n * CELL + 6) if i < n else (n * CELL + 6, 2 + (i - n) * CELL)
        height, width = (CELL, edge - 8) if i < n else (edge - 8, CELL)
        _box(picture, top + 2, left + 2, height - 4, width - 4, OWNERS[line.owner], RULE)
    outcome = position.outcome()
    marked = outcome.winner if outcome else position.mover
    half = picture.shape[1] // 2
    for seat in (1, 2):
        top, left = picture.shape[0] - CELL + 6, (seat - 1) * half + 4
        _box(picture, top, left, CELL - 12, half - 8, OWNERS[seat], INK if seat == marked else RULE, 3)
        if position.scores is not None:
            score = str(position.scores[seat - 1])
            _write(picture, top + CELL // 2 - 6, left + half // 2 - 4, score, 3)
    return picture


def _box(
    picture: Picture, top: int, left: int, height: int, width: int,
    fill: tuple[int, int, int], frame: tuple[int, int, int], thick: int = 1,
) -> None:  # fmt: skip
    picture[top : top + height, left : left + width] = frame
    picture[top + thick : top + height - thick, left + thick : left + width - thick] = fill


def _write(picture: Picture, row: int, column: int, text: str, scale: int) -> None:
    """Digits, centered."""
    left = column - (4 * len(text) - 1) * scale // 2
    for letter in text:
        for r, line in enumerate(GLYPHS[letter]):
            for c, dot in enumerate(line):
                if dot == "#":
                    top, start = row - 5 * scale // 2 + r * scale, left + c * scale
                    picture[top : top + scale, start : start + scale] = INK
        left += 4 * scale

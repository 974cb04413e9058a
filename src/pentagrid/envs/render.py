"""A position as text and as pixels, for every environment."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.position import Outcome, Position
from pentagrid.core.speech import speech_for

RgbArray = NDArray[np.uint8]
"""Pixels: height, width, and three colors."""

CELL = 40
"""The height and width of a cell in pixels."""
PAPER, INK, RULE, FADED = (250, 248, 243), (35, 35, 35), (160, 155, 145), (222, 218, 208)
OWNERS = {0: (255, 255, 255), 1: (116, 190, 214), 2: (222, 148, 196)}
GLYPHS = {
    "0": ("###", "# #", "# #", "# #", "###"), "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"), "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"), "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"), "7": ("###", "  #", " # ", " # ", " # "),
    "8": ("###", "# #", "###", "# #", "###"), "9": ("###", "# #", "###", "  #", "###"),
}  # fmt: skip


def render_text(position: Position, ended: Outcome | None = None) -> str:
    """The board as the rules draw it, the scores, and whose turn it is or who has won.

    `ended` is an outcome that came about away from the board. Where there are no scores, whose lines have the marks of
    the players, the last line has the mark.
    """
    speech = speech_for(position.game)
    lines = [line for line in speech.updated(position) if line.strip()]
    outcome = ended or position.outcome()
    seat = position.mover if outcome is None else outcome.winner
    mark = f" ({speech.mark(seat)})" if position.scores is None else ""
    if outcome is None:
        lines.append(f"It is {speech.name(seat)}'s turn{mark}.")
    else:
        lines.append(f"{speech.name(seat)}{mark} has won ({outcome.reason}).")
    return "\n".join(lines)


def render_rgb(position: Position) -> RgbArray:
    """The board in colors: seat 1 is cyan, seat 2 magenta, and cells that cannot be chosen are gray.

    Owned lines have a bar at the end of their row or column. Below the board are both scores; the one of the player to
    move (or of the winner) has a dark frame.
    """
    n, lines = position.game.size, position.lines()
    edge = CELL // 2 if lines else 4
    pixels = np.empty((n * CELL + edge + CELL + 4, n * CELL + edge + 4, 3), np.uint8)
    pixels[:] = PAPER
    for r, row in enumerate(position.cells()):
        for c, cell in enumerate(row):
            unavailable = cell.owner == 0 and not cell.available and not lines
            _box(pixels, 2 + r * CELL, 2 + c * CELL, CELL, CELL, FADED if unavailable else OWNERS[cell.owner], RULE)
            _write(pixels, 2 + r * CELL + CELL // 2, 2 + c * CELL + CELL // 2, cell.label, 4)
    for i, line in enumerate(lines):
        top, left = (2 + i * CELL, n * CELL + 6) if i < n else (n * CELL + 6, 2 + (i - n) * CELL)
        height, width = (CELL, edge - 8) if i < n else (edge - 8, CELL)
        _box(pixels, top + 2, left + 2, height - 4, width - 4, OWNERS[line.owner], RULE)
    outcome = position.outcome()
    framed = outcome.winner if outcome else position.mover
    half = pixels.shape[1] // 2
    for seat in (1, 2):
        top, left = pixels.shape[0] - CELL + 6, (seat - 1) * half + 4
        _box(pixels, top, left, CELL - 12, half - 8, OWNERS[seat], INK if seat == framed else RULE, 3)
        if position.scores is not None:
            score = str(position.scores[seat - 1])
            _write(pixels, top + CELL // 2 - 6, left + half // 2 - 4, score, 3)
    return pixels


def _box(
    pixels: RgbArray, top: int, left: int, height: int, width: int,
    fill: tuple[int, int, int], frame: tuple[int, int, int], thick: int = 1,
) -> None:  # fmt: skip
    pixels[top : top + height, left : left + width] = frame
    pixels[top + thick : top + height - thick, left + thick : left + width - thick] = fill


def _write(pixels: RgbArray, row: int, column: int, text: str, scale: int) -> None:
    """Draw digits, centered."""
    left = column - (4 * len(text) - 1) * scale // 2
    for letter in text:
        for r, line in enumerate(GLYPHS[letter]):
            for c, dot in enumerate(line):
                if dot == "#":
                    top, start = row - 5 * scale // 2 + r * scale, left + c * scale
                    pixels[top : top + scale, start : start + scale] = INK
        left += 4 * scale

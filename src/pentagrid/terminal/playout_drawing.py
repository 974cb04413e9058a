"""A line of play as a strip: the board after each move, side by side as far as the screen goes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from pentagrid.core.speech import Speech
from pentagrid.terminal.analysis_text import ANSI
from pentagrid.terminal.output import columns, joined, wrapped

if TYPE_CHECKING:
    from pentagrid.puzzles.playouts import Step

GAP = 4
ROWS = 2
"""Rows of boards that are looked at gladly; of a longer line only the beginning and the end are drawn."""


def strip(steps: Sequence[Step], speech: Speech) -> list[str]:
    """The line drawn; in a long one the moves between the first boards and the last are only named."""
    frames = [_frame(step, speech) for step in steps]
    width = GAP + max(_width(line) for frame in frames for line in frame)
    across = max(1, (columns() + GAP) // width)
    if len(frames) <= ROWS * across:
        return _rows(frames, across, width)
    moves = ((move, len(list(same))) for move, same in groupby(step.move for step in steps[across:-1]))
    between = [move if times == 1 else f"{move} {times} times" for move, times in moves]
    return [
        *_rows(frames[:across], across, width),
        "",
        *wrapped(f"Then {joined(between)}, and at last:"),
        *_rows(frames[-1:], across, width),
    ]


def _frame(step: Step, speech: Speech) -> list[str]:
    return [f"{speech.name(step.player)}: {step.move}", *speech.board(step.after), *speech.standing(step.after)]


def _width(line: str) -> int:
    return len(ANSI.sub("", line))


def _rows(frames: Sequence[Sequence[str]], across: int, width: int) -> list[str]:
    lines: list[str] = []
    for start in range(0, len(frames), across):
        lines.append("")
        for parts in zip(*frames[start : start + across], strict=True):
            lines.append("".join(part + " " * (width - _width(part)) for part in parts).rstrip())
    return lines

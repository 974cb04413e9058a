"""A playout of a puzzle drawn: the board after each move, as many side by side as the terminal is wide."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from pentagrid.core.speech import Speech
from pentagrid.terminal.analysis_text import visible_width
from pentagrid.terminal.output import columns, join_moves, wrap

if TYPE_CHECKING:
    from pentagrid.puzzles.playouts import Step

GAP = 4
"""Columns between two boards."""
MOST_ROWS = 2
"""Rows of boards; of a longer playout only the beginning and the end are drawn."""


def draw_playout(steps: Sequence[Step], speech: Speech) -> list[str]:
    """The playout in lines; in a long one the moves between the first boards and the last are only named."""
    frames = [_frame(step, speech) for step in steps]
    width = GAP + max(visible_width(line) for frame in frames for line in frame)
    across = max(1, (columns() + GAP) // width)
    if len(frames) <= MOST_ROWS * across:
        return _rows(frames, across, width)
    moves = ((move, len(list(same))) for move, same in groupby(step.move for step in steps[across:-1]))
    between = [move if times == 1 else f"{move} {times} times" for move, times in moves]
    return [
        *_rows(frames[:across], across, width),
        "",
        *wrap(f"Then {join_moves(between)}, and at last:"),
        *_rows(frames[-1:], across, width),
    ]


def _frame(step: Step, speech: Speech) -> list[str]:
    """One step: who plays what, the board after it, and the points."""
    return [f"{speech.name(step.player)}: {step.move}", *speech.board(step.after), *speech.standing(step.after)]


def _rows(frames: Sequence[Sequence[str]], across: int, width: int) -> list[str]:
    """Frames side by side, each row of them behind an empty line."""
    lines: list[str] = []
    for start in range(0, len(frames), across):
        lines.append("")
        for parts in zip(*frames[start : start + across], strict=True):
            lines.append("".join(part + " " * (width - visible_width(part)) for part in parts).rstrip())
    return lines

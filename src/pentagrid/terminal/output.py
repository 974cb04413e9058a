"""Where lines are said: standard output, with color only on a terminal that wants it."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterable
from io import TextIOWrapper

from pentagrid.core.speech import Paint, plain

HARD_BLANK = "\u00a0"
NARROWEST, WIDEST = 20, 100
COLORS = {0: "2", 1: "1;36", 2: "1;35"}
"""ANSI codes: out of play is dim, Player 1 cyan, Player 2 magenta."""


def prepare() -> None:
    """Flush line by line, so that another program can play over pipes, and never fail on a letter."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # None where the stream is closed
            stream.reconfigure(line_buffering=True, errors="backslashreplace")


def is_terminal() -> bool:
    """Is there a person at both ends?"""
    return os.isatty(0) and os.isatty(1)


def wants_color(no_color: bool = False) -> bool:
    """Color on a terminal, unless the option, `NO_COLOR` or a dumb terminal says no."""
    return os.isatty(1) and not (no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb")


def painter(color: bool) -> Paint:
    """How text is colored for its owner."""
    return _ansi if color else plain


def _ansi(text: str, owner: int) -> str:
    return f"\x1b[{COLORS[owner]}m{text}\x1b[0m"


def say(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        print(line)


def warn(line: str) -> None:
    """Tell something beside what was asked for."""
    print(f"pentagrid: {line}", file=sys.stderr)


def can_show(text: str) -> bool:
    """Does the output know these letters?"""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def joined(moves: Iterable[str]) -> str:
    """Moves in a row; `wrapped` never breaks it inside a move."""
    return "; ".join(move.replace(" ", HARD_BLANK) for move in moves)


def wrapped(text: str) -> list[str]:
    """A text in lines that fit the screen and are easy to read."""
    return [
        line.replace(HARD_BLANK, " ") for line in textwrap.wrap(text, min(WIDEST, columns()), break_on_hyphens=False)
    ]


def columns() -> int:
    """How wide the terminal is; for what is no terminal, as wide as is easy to read."""
    told = os.get_terminal_size(1).columns if os.isatty(1) else 0
    return max(NARROWEST, told or WIDEST)


def harmless(text: str, limit: int = 200) -> str:
    """A typed line as it is safe to show: no control characters, not endless."""
    text = text if len(text) <= limit else text[:limit] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)

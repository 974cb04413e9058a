"""Standard output: lines of text, with color only on a terminal that wants it."""

from __future__ import annotations

import os
import sys
import textwrap
import unicodedata
from collections.abc import Iterable
from io import TextIOWrapper

from pentagrid.core.speech import Paint, plain

HARD_BLANK = "\u00a0"
NARROWEST, WIDEST = 20, 100
"""Columns: no text is wrapped to fewer, or to more."""
COLORS = {0: "2", 1: "1;36", 2: "1;35"}
"""ANSI codes: dim for what is out of play, cyan for seat 1, magenta for seat 2."""


def prepare_output() -> None:
    """Flush line by line, so that another program can play over pipes, and never fail on a letter."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # None where the stream is closed
            stream.reconfigure(line_buffering=True, errors="backslashreplace")


def is_terminal() -> bool:
    """Is there a person at both ends?"""
    return os.isatty(0) and os.isatty(1)


def painter(no_color: bool) -> Paint:
    """The function that colors text for its owner: plain unless the output is a terminal that wants color.

    The option, `NO_COLOR` and a dumb terminal all say no.
    """
    plain_only = no_color or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return _ansi if os.isatty(1) and not plain_only else plain


def _ansi(text: str, owner: int) -> str:
    return f"\x1b[{COLORS[owner]}m{text}\x1b[0m"


def say(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        print(line)


def warn(line: str) -> None:
    """Print a line about something that was not asked for, on standard error."""
    print(f"pentagrid: {line}", file=sys.stderr)


def can_show(text: str) -> bool:
    """Can the output's encoding write these letters?"""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def join_moves(moves: Iterable[str]) -> str:
    """Moves in a row; `wrap` never breaks it inside a move."""
    return "; ".join(move.replace(" ", HARD_BLANK) for move in moves)


def wrap(text: str, width: int | None = None) -> list[str]:
    """A text in lines that fit the terminal, or so many columns of it, and are easy to read."""
    width = min(WIDEST, width or columns())
    return [line.replace(HARD_BLANK, " ") for line in textwrap.wrap(text, width, break_on_hyphens=False)]


def fit(line: str, indent: str = "") -> list[str]:
    """A line of words that a terminal would break anywhere, broken between words; over a pipe it stays whole."""
    if not os.isatty(1):
        return [line]
    return textwrap.wrap(line, columns(), subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)


def fitted(lines: Iterable[str]) -> list[str]:
    """What a game says, each line as `fit` breaks it; lines with colors and empty ones stay as they are."""
    return [part for line in lines for part in (fit(line) if line and "\x1b" not in line else [line])]


def columns() -> int:
    """How wide the terminal is; without a terminal, as wide as is easy to read."""
    width = os.get_terminal_size(1).columns if os.isatty(1) else 0
    return max(NARROWEST, width or WIDEST)


def clip(text: str, width: int) -> str:
    """A text cut to so many columns of the terminal; letters of East Asia and emoji take two."""
    if sum(map(_letter_width, text)) <= width:
        return text
    end = "…" if can_show("…") else "~"
    taken = 0
    for place, letter in enumerate(text):
        taken += _letter_width(letter)
        if taken > width - 1:
            return text[:place] + end
    return text


def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def escape_controls(text: str, limit: int = 200) -> str:
    """A text that is safe to show: control characters escaped, cut to a length."""
    text = text if len(text) <= limit else text[:limit] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)

"""The layout of help texts: they fit 80 columns, however wide the terminal is."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping

from pentagrid.terminal.output import columns

WIDTH = 79


def help_width() -> int:
    """The columns that a help text may take."""
    return min(WIDTH, columns() - 1)


class HelpLayout(argparse.HelpFormatter):
    """Wraps the paragraphs of a command's description as well as its options."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=help_width())

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n\n".join(super(HelpLayout, self)._fill_text(part, width, indent) for part in text.split("\n\n"))


def table(entries: Mapping[str, str]) -> list[str]:
    """Words with their meanings beside them, in lines."""
    first = max(map(len, entries)) + 4
    lines = []
    for word, meaning in entries.items():
        head = f"  {word}".ljust(first)
        lines += textwrap.wrap(meaning, help_width(), initial_indent=head, subsequent_indent=" " * first)
    return lines

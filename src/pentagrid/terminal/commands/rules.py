"""Read the rules of a game, as settled, with notation, sizes and tips.

On a terminal they are drawn and wrapped; over a pipe you get the Markdown.
"""

from __future__ import annotations

import argparse

from pentagrid.core.rulebook import rules_of
from pentagrid.terminal.game_options import add_game
from pentagrid.terminal.markdown_text import draw_markdown
from pentagrid.terminal.output import columns, is_terminal, say

WIDTH = 79
"""Columns of text that are easy to read."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)


def run(args: argparse.Namespace) -> int:
    text = rules_of(args.game)
    if is_terminal():
        import shutil

        lines = draw_markdown(text, min(WIDTH, columns() - 1))
        if len(lines) >= shutil.get_terminal_size().lines:
            from pydoc import pager

            pager("\n".join(lines) + "\n")
        else:
            say(lines)
        return 0
    print(text, end="")
    return 0

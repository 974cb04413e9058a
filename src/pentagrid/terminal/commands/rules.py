"""Read the rules of a game, as settled, with notation, sizes and tips."""

from __future__ import annotations

import argparse

from pentagrid.core.rulebook import rules_of
from pentagrid.terminal.game_options import add_game
from pentagrid.terminal.output import is_terminal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)


def run(args: argparse.Namespace) -> int:
    text = rules_of(args.game)
    if is_terminal():
        import shutil

        if text.count("\n") >= shutil.get_terminal_size().lines:
            from pydoc import pager

            pager(text)
            return 0
    print(text, end="")
    return 0

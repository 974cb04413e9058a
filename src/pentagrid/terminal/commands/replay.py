"""Show a recorded game again, move by move.

With --step it waits for Enter before each move; q and Enter leave.
"""

from __future__ import annotations

import argparse

from pentagrid.terminal.input import standard_input
from pentagrid.terminal.line_replay import replay_lines
from pentagrid.terminal.output import painter
from pentagrid.terminal.saved_games import FILE_HELP, named_file, read_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE|N", help=FILE_HELP)
    parser.add_argument("--step", action="store_true", help="wait for Enter before each move")
    parser.add_argument("--no-color", action="store_true", help="no colors")


def run(args: argparse.Namespace) -> int:
    record = read_file(named_file(args.file))
    replay_lines(record, standard_input(), painter(args.no_color), args.step)
    return 0

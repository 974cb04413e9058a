"""Show a recorded game again, move by move.

On a terminal it opens in the full-screen app: step both ways, see the best move beside the played
one, play on from any position. With --plain it is printed instead. With --step it waits for Enter
before each move; q and Enter leave.
"""

from __future__ import annotations

import argparse

from pentagrid.terminal.app_start import open_app, wants_plain, why_no_app
from pentagrid.terminal.input import standard_input
from pentagrid.terminal.line_replay import replay_lines
from pentagrid.terminal.output import painter
from pentagrid.terminal.saved_games import FILE_HELP, named_file, read_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE|N", help=FILE_HELP)
    parser.add_argument("--step", action="store_true", help="wait for Enter before each move")
    parser.add_argument("--plain", action="store_true", help="print the game, on a terminal too")
    parser.add_argument("--no-color", action="store_true", help="no colors")


def run(args: argparse.Namespace) -> int:
    record = read_file(named_file(args.file))
    if not (args.step or args.plain or wants_plain()) and why_no_app() is None:
        from pentagrid.terminal.app.review_screen import ReviewScreen

        return open_app(lambda: ReviewScreen(record))
    replay_lines(record, standard_input(), painter(args.no_color), args.step)
    return 0

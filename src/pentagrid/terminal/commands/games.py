"""List the saved games, the last played first.

The number before a game stands for it: pentagrid resume 3, replay 3, analyze 3. A star marks those that can be resumed.
Numbers change as games are played.
"""

from __future__ import annotations

import argparse

from pentagrid.terminal.game_list import game_lines
from pentagrid.terminal.output import escape_controls, is_terminal, say, wrap
from pentagrid.terminal.saved_games import saved_games, state_folder

LONGEST_PATH = 4096
"""Letters of a path that are shown."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--paths", action="store_true", help="print the file of each game instead, the same order")


def run(args: argparse.Namespace) -> int:
    entries = saved_games()
    if not entries:
        print(f"There are no saved games in {state_folder()}.")
    elif args.paths:
        say(escape_controls(str(entry.path), LONGEST_PATH) for entry in entries)
    else:
        say(game_lines(entries))
        if is_terminal():
            say(["", *wrap("* can be resumed, such as by pentagrid resume 1; replay and analyze take a number too.")])
    return 0

"""List the saved games, the last played first.

The number before a game stands for it: pentagrid resume 3, replay 3, analyze 3. A star marks those that can be resumed.
Numbers change as games are played. Games on servers that you sit in follow, each with the command that brings you back.
"""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from pentagrid.errors import PentagridError
from pentagrid.terminal.game_list import game_lines
from pentagrid.terminal.output import escape_controls, fit, is_terminal, say, wrap
from pentagrid.terminal.saved_games import saved_games, state_folder
from pentagrid.terminal.suggested_commands import program_words

LONGEST_PATH = 4096
"""Letters of a path that are shown."""
ASK_SECONDS = 3.0
"""How long servers are waited for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--paths", action="store_true", help="print the file of each game instead, the same order")


def run(args: argparse.Namespace) -> int:
    entries = saved_games()
    if not entries:
        print(f"There are no saved games in {state_folder()}.")
    elif args.paths:
        say(escape_controls(str(entry.path), LONGEST_PATH) for entry in entries)
    else:
        lines = game_lines(entries)
        say(lines)
        starred = next((number for number, line in enumerate(lines, 1) if line.lstrip().startswith(f"{number}*")), None)
        if starred is not None and is_terminal():
            how = f"* can be resumed, such as by pentagrid resume {starred}; replay and analyze take a number too."
            say(["", *wrap(how)])
    if not args.paths and find_spec("websockets") is not None:
        say(_served_lines())
    return 0


def _served_lines() -> list[str]:
    """The games on servers, as far as those answer soon: what is known, and below it the way back."""
    from pentagrid.terminal.remote.held_games import ask_servers, held_games

    try:
        games = ask_servers(held_games(), ASK_SECONDS)
    except PentagridError as error:  # about the file of keys
        return ["", str(error)]
    lines = []
    for game in games:
        lines += [*fit(f"  {game.sentence()}", "  "), f"    {program_words()} join {game.link}"]
    return ["", "On servers:", *lines] if lines else []

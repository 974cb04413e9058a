"""List the saved games, the last played first."""

from __future__ import annotations

import argparse
import time

from pentagrid.errors import PentagridError
from pentagrid.play.record import Record
from pentagrid.terminal.output import harmless
from pentagrid.terminal.saved_games import read_file, saved_games, state_folder

LONGEST_PATH = 4096
"""Letters of a path, or of an error about it, that are shown."""


def add(parser: argparse.ArgumentParser) -> None:
    """No options."""


def run(args: argparse.Namespace) -> int:
    entries = saved_games()
    for path, modified in entries:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(modified))
        try:
            description, where = describe(read_file(path)), str(path)
        except PentagridError as error:
            description, where = "Cannot be read:", str(error)
        print(f"{when}  {harmless(description)}\n    {harmless(where, LONGEST_PATH)}")
    if not entries:
        print(f"There are no saved games in {state_folder()}.")
    return 0


def describe(record: Record) -> str:
    """A game in a line: which, who, how far."""
    match = record.match
    seats = [
        (seat.name or f"Player {number}") + ("" if seat.is_human else f" [{seat.kind}]")
        for number, seat in enumerate(match.seats, 1)
    ]
    moves = f"{len(match.actions)} move{'' if len(match.actions) == 1 else 's'}"
    outcome = match.outcome
    if outcome is None:
        state = f"unfinished, {seats[match.position.mover - 1]} to move"
    else:
        state = f"{seats[outcome.winner - 1]} won ({outcome.reason})"
    return f"{match.start.game.title}: {seats[0]} - {seats[1]}, {moves}, {state}"

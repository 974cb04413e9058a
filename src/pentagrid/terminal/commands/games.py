"""List the saved games, the last played first."""

from __future__ import annotations

import argparse
import time

from pentagrid.errors import PentagridError
from pentagrid.play.record import Record
from pentagrid.terminal.line_game import speech_for_record
from pentagrid.terminal.output import escape_controls
from pentagrid.terminal.saved_games import read_file, saved_games, state_folder

LONGEST_PATH = 4096
"""Letters of a path, or of an error about it, that are shown."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No options."""


def run(args: argparse.Namespace) -> int:
    entries = saved_games()
    for path, modified in entries:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(modified))
        try:
            description, where = describe(read_file(path)), str(path)
        except PentagridError as error:
            description, where = "Cannot be read:", str(error)
        print(f"{when}  {escape_controls(description)}\n    {escape_controls(where, LONGEST_PATH)}")
    if not entries:
        print(f"There are no saved games in {state_folder()}.")
    return 0


def describe(record: Record) -> str:
    """A game in a line: which game, who plays, how far it is."""
    match = record.match
    names = speech_for_record(record).both_names()
    seats = [name + ("" if seat.is_human else f" [{seat.kind}]") for name, seat in zip(names, match.seats, strict=True)]
    moves = f"{len(match.actions)} move{'' if len(match.actions) == 1 else 's'}"
    outcome = match.outcome
    if outcome is None:
        state = f"unfinished, {seats[match.position.mover - 1]} to move"
    else:
        state = f"{seats[outcome.winner - 1]} won ({outcome.reason})"
    return f"{match.start.game.title}: {seats[0]} - {seats[1]}, {moves}, {state}"

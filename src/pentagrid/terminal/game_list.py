"""Saved games as a numbered list, a line each."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from pentagrid.errors import PentagridError
from pentagrid.play.record import Record
from pentagrid.terminal.line_game import speech_for_record
from pentagrid.terminal.output import clip, columns, escape_controls
from pentagrid.terminal.saved_games import SavedGame, read_file

LONGEST_ERROR = 4096
"""Letters of an error about a file that are shown: it names the file."""


def game_lines(entries: Sequence[SavedGame]) -> list[str]:
    """A line for each game, no wider than the terminal: number, a star if it is unfinished, when, what it is."""
    width = len(str(len(entries)))
    lines = [f"{number:>{width}}{_line(entry)}" for number, entry in enumerate(entries, 1)]
    return [clip(line, columns()) for line in lines] if os.isatty(1) else lines


def _line(entry: SavedGame) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.modified))
    try:
        record = read_file(entry.path)
    except PentagridError as error:
        return f"  {when}  Cannot be read: {escape_controls(str(error), LONGEST_ERROR)}"
    return f"{' ' if record.match.outcome else '*'} {when}  {escape_controls(describe(record))}"


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

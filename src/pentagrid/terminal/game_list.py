"""Saved games as a numbered list, a line each."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import NamedTuple

from pentagrid.errors import PentagridError
from pentagrid.play.record import Record
from pentagrid.terminal.line_game import speech_for_record
from pentagrid.terminal.output import clip, columns, escape_controls
from pentagrid.terminal.saved_games import SavedGame, read_file

LONGEST_ERROR = 4096
"""Letters of an error about a file that are shown: it names the file."""

LONGEST_NAME = 1000
"""Columns of a player's name where there is room for it."""

NARROW = 60
"""Columns, up to which a file that cannot be read is listed without a date."""


class Brevity(NamedTuple):
    """How short a line is made: what is left out, and to how many columns names are cut."""

    date: str
    """The form of the date; empty for none."""
    has_details: bool
    """Are the number of moves and the reason of a win told?"""
    has_players: bool
    """Are both players named, beside the one who won or is to move?"""
    names: int = LONGEST_NAME
    title: int = LONGEST_NAME


FULL = Brevity("%Y-%m-%d %H:%M  ", has_details=True, has_players=True)
DAY = FULL._replace(date="%m-%d  ")
LADDER = (
    *(FULL._replace(names=names) for names in (LONGEST_NAME, *range(24, 7, -1))),
    *(DAY._replace(names=names) for names in range(24, 7, -1)),
    *(DAY._replace(names=names, has_details=False) for names in range(24, 7, -1)),
    *(DAY._replace(names=names, has_details=False, date="") for names in range(24, 5, -1)),
    *(Brevity("", has_details=False, has_players=False, names=names) for names in range(24, 7, -1)),
    *(Brevity("", has_details=False, has_players=False, names=8, title=title) for title in range(24, 3, -1)),
    Brevity("", has_details=False, has_players=False, names=3, title=3),
)
"""From long to short: names give way first, then the date, then what is told of the game; its result never."""


def game_lines(entries: Sequence[SavedGame]) -> list[str]:
    """A line for each game, no wider than the terminal: number, a star if it is unfinished, when, what it is."""
    width = len(str(len(entries)))
    room = columns() - width if os.isatty(1) else None
    return [f"{number:>{width}}{line_in(entry, room)}" for number, entry in enumerate(entries, 1)]


def line_in(entry: SavedGame, room: int | None) -> str:
    """What stands behind a number, in so many columns; None for as many as it takes."""
    try:
        record = read_file(entry.path)
    except PentagridError as error:
        when = _when(entry, FULL.date if room is None or room > NARROW else "")
        line = f"  {when}Cannot be read: {escape_controls(str(error), LONGEST_ERROR)}"
        return line if room is None else clip(line, room)
    star = " " if record.match.outcome else "*"
    for brevity in LADDER:
        line = f"{star} {_when(entry, brevity.date)}{escape_controls(describe(record, brevity))}"
        if room is None or clip(line, room) == line:
            return line
    return clip(line, room or 0)


def _when(entry: SavedGame, form: str) -> str:
    return time.strftime(form, time.localtime(entry.modified))


def describe(record: Record, brevity: Brevity = FULL) -> str:
    """A game in a line: which game, who plays, how far it is."""
    match, outcome = record.match, record.match.outcome
    names = [clip(name, brevity.names) for name in speech_for_record(record).both_names()]
    seats = [
        name + (f" [{seat.kind}]" if brevity.has_players and not seat.is_human else "")
        for name, seat in zip(names, match.seats, strict=True)
    ]
    if outcome is None:
        state = f"{'unfinished, ' if brevity.has_details else ''}{seats[match.position.mover - 1]} to move"
    else:
        state = f"{seats[outcome.winner - 1]} won{f' ({outcome.reason})' if brevity.has_details else ''}"
    told = [f"{seats[0]} - {seats[1]}"] if brevity.has_players else []
    if brevity.has_details:
        told.append(f"{len(match.actions)} move{'' if len(match.actions) == 1 else 's'}")
    return f"{clip(match.start.game.title, brevity.title)}: {', '.join([*told, state])}"

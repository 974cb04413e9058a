"""The saved games as the app lists them, and the screen that each opens."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

from textual.app import App

from pentagrid.errors import PentagridError
from pentagrid.play.players import is_outside
from pentagrid.play.record import Record
from pentagrid.terminal.game_keeper import GameKeeper
from pentagrid.terminal.line_game import speech_for_record
from pentagrid.terminal.output import escape_controls
from pentagrid.terminal.saved_games import SaveFile, read_file, saved_games

MOST_LISTED = 200
"""Saved games that are listed, the last played first."""


class SavedRecord(NamedTuple):
    """A saved game, or why it cannot be read."""

    path: Path
    modified: float
    record: Record | None
    trouble: str = ""

    @property
    def unfinished(self) -> bool:
        return self.record is not None and self.record.match.outcome is None

    def turn_sentence(self) -> str:
        """An unfinished game in a line: which game, whose turn, against whom, how far."""
        assert self.record is not None
        match = self.record.match
        names = speech_for_record(self.record).both_names()
        seats = [
            name if seat.is_human else f"the computer ({seat.kind})"
            for name, seat in zip(names, match.seats, strict=True)
        ]
        mover = match.position.mover
        turn = f"{seats[mover - 1]} to move against {seats[2 - mover]}, move {len(match.actions) + 1}"
        return f"{match.start.game.title}, {turn}"

    def sentence(self) -> str:
        """A game in a line."""
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(self.modified))
        if self.record is None:
            return f"{when}  Cannot be read: {escape_controls(self.trouble)}"
        outcome = self.record.match.outcome
        if outcome is None:
            return f"{when}  {self.turn_sentence()}"
        names = speech_for_record(self.record).both_names()
        winner, loser = names[outcome.winner - 1], names[2 - outcome.winner]
        return f"{when}  {self.record.match.start.game.title}, {winner} has won against {loser}"


def saved_records() -> list[SavedRecord]:
    """The saved games, last played first."""
    records = []
    for path, modified in saved_games()[:MOST_LISTED]:
        try:
            records.append(SavedRecord(path, modified, read_file(path)))
        except PentagridError as error:
            records.append(SavedRecord(path, modified, None, str(error)))
    return records


def open_saved(app: App[Any], saved: SavedRecord) -> None:
    """Go on with an unfinished game, or review a finished one."""
    from pentagrid.terminal.app.game_screen import GameScreen
    from pentagrid.terminal.app.review_screen import ReviewScreen

    try:
        file, record = SaveFile.opened(saved.path)
    except PentagridError as error:
        app.notify(str(error), markup=False, severity="error")
        return
    if record.match.outcome is not None:
        app.push_screen(ReviewScreen(record))
    elif any(is_outside(seat.kind) for seat in record.match.seats):
        app.notify(f"It would start a program. {GameKeeper(record, file).farewell()[-1]}", markup=False)
    else:
        app.push_screen(GameScreen(record, file))

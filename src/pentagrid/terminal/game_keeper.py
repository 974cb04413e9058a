"""Keeps a game in its file: what every front end at the terminal does after each move."""

from __future__ import annotations

from pentagrid.errors import OptionError
from pentagrid.play.players import is_outside
from pentagrid.play.record import Record
from pentagrid.terminal.saved_games import SaveFile
from pentagrid.terminal.suggested_commands import play_command, resume_command


class GameKeeper:
    """Writes a game to its file, or to a new one where that cannot be; play goes on in any case."""

    def __init__(self, record: Record, file: SaveFile | None = None) -> None:
        self.record = record
        self.file = file
        self.trouble: str | None = None
        """Why the game as it now stands is in no file; None while it is saved."""

    def keep(self) -> str | None:
        """Write the game as it now stands; returns a sentence if there is something to tell."""
        first = self._write(self.file)
        trouble = first
        if first is not None and self.file is not None:
            trouble = self._write(None)
        told, self.trouble = self.trouble, trouble
        if trouble is not None:
            return f"The game is not being saved. {trouble}" if told is None else None
        return f"{first} The game goes on in {self.file.path}." if first and self.file else None

    def _write(self, file: SaveFile | None) -> str | None:
        """Write to a file, or without one to a new one in the state folder; returns what went wrong, if anything."""
        try:
            if file is None:
                self.file = SaveFile.fresh(self.record)
            else:
                file.write(self.record)
        except OptionError as error:
            return str(error)
        return None

    def where_saved(self) -> list[str]:
        """A line that names the game's file; nothing where it is in none."""
        return [] if self.file is None or self.trouble else [f"The game is saved in {self.file.path}."]

    def farewell(self) -> list[str]:
        """The lines for someone who leaves: how to come back."""
        match = self.record.match
        programs = " --programs" if any(is_outside(seat.kind) for seat in match.seats) else ""
        if self.file is not None and self.trouble is None:
            return [*self.where_saved(), f"To go on: {resume_command(self.file.path)}{programs}"]
        return [f"To go on: {play_command(match)}"]

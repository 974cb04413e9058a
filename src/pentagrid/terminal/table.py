"""The table: two seats, one terminal or pipe, one line at a time."""

from __future__ import annotations

import shlex
import sys
import textwrap
from pathlib import Path

from pentagrid.analysis import SECONDS, Analysis, analyze
from pentagrid.catalogue import part
from pentagrid.core import Position
from pentagrid.errors import GameOverError, PentagridError
from pentagrid.players import PROGRAM
from pentagrid.record import Record
from pentagrid.speech import Paint, Speech, plain
from pentagrid.terminal.lines import Lines, TimeUpError
from pentagrid.terminal.patience import patience
from pentagrid.terminal.program import program
from pentagrid.terminal.report import beside_board, told
from pentagrid.terminal.savefile import SaveFile
from pentagrid.terminal.screen import harmless, say
from pentagrid.words import hint

COMMANDS = {
    "help": "this list",
    "moves": "the moves that are possible now",
    "hint": "a best move, and why",
    "analyze": "every move with who wins after it and by how much",
    "undo": "take back a move (against a computer: back to your own turn)",
    "save [FILE]": "save the game, or a copy of it in FILE",
    "resign": "give up",
    "quit": "leave; the game can be resumed later",
}


class LeaveError(Exception):
    """The player leaves the table with the game unfinished."""


def speech_of(record: Record, paint: Paint = plain) -> Speech:
    """The words for a record's game and players."""
    match = record.match
    one, two = match.seats
    people = [seat for seat, player in enumerate(match.seats, 1) if player.is_human]
    speech: Speech = part(match.start.game.name, "text").SPEECH(match.start.game, (one.name, two.name), people, paint)
    return speech


class Table:
    """Plays one match to its end, or until someone leaves."""

    def __init__(
        self, record: Record, lines: Lines, file: SaveFile | None, paint: Paint = plain, values: bool = False
    ) -> None:
        self.record = record
        self.match = record.match
        self.lines = lines
        self.file = file
        self.speech = speech_of(record, paint)
        self.values = values

    def play(self) -> None:
        """Play on until the game is over. Raises `LeaveError` at `quit` and at the end of input."""
        self._open()
        while self.match.outcome is None:
            if self.match.mover.is_human:
                self._ask()
            else:
                self._let_think()
        self._close()

    def _open(self) -> None:
        say(self._valued(self.speech.welcome(self.match.start), self.match.start))
        for number, seat in enumerate(self.match.seats, 1):
            if not seat.is_human:
                say([f"{self.speech.name(number)} is played by the computer ({seat.kind})."])
        if self.match.turn_seconds is not None:
            say([f"Each turn may last {self.match.turn_seconds:g} seconds."])
        if self.match.actions:
            moves = "; ".join(self.match.moves)
            say(["", *textwrap.wrap(f"Moves made so far: {moves}", 100), *self._updated()])
        self._keep()

    def _updated(self) -> list[str]:
        """The board and the scores as they now are, with values if they are wanted."""
        return self._valued(self.speech.update(self.match.position), self.match.position)

    def _valued(self, lines: list[str], position: Position) -> list[str]:
        if not self.values or position is not self.match.position or position.turn is None:
            return lines
        return beside_board(lines, self.speech.board(position), self._analysis())

    def _analysis(self) -> Analysis:
        """The position now; never longer than the clock allows."""
        left = self.match.time_left()
        with patience("Thinking") as (stop, progress):
            return analyze(self.match.position, SECONDS if left is None else min(SECONDS, left / 2), stop, progress)

    def _close(self) -> None:
        outcome = self.match.outcome
        assert outcome is not None
        if self.match.position.outcome() is None:
            say(["", *self.speech.forfeit(outcome)])
        else:
            say(["", *self.speech.closing(self.match.position, self.match.actions, outcome)])
        self._keep()

    def _let_think(self) -> None:
        try:
            action = self.match.think()
        except GameOverError as error:  # an outside program has lost the game
            say(["", str(error)])
            return
        if self.match.flag():
            return
        say(["", f"{self.speech.name(self.match.position.mover)} plays {self.match.start.game.texts[action]}."])
        self._make(action)

    def _ask(self) -> None:
        """One person's turn, up to a move made or the game ended."""
        say(["", *self.speech.turn(self.match.position)])
        self.match.start_turn()
        position = self.match.position
        while self.match.position is position and self.match.outcome is None:
            try:
                self._obey(self._line(self.speech.prompt(position)))
            except TimeUpError:
                print()
                self.match.flag()
            except PentagridError as error:
                say([str(error)])

    def _line(self, prompt: str) -> str:
        print(prompt, end=" ", flush=True)
        line = self.lines.read(self.match.time_left())
        if line is None:
            print()
            raise LeaveError
        if not self.lines.is_terminal:
            print(harmless(line))
        return line.strip()

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        obey = getattr(self, f"_on_{word.lower()}", None) if word.isalpha() else None
        if obey is None or (rest and word.lower() != "save"):
            self._make(self.match.start.game.action(line))
        else:
            obey(rest.strip())

    def _make(self, action: int) -> None:
        before = self.match.position
        after = self.match.play(action)
        say([*self.speech.made(before, action, after), *self._updated()])
        self._keep()

    def _keep(self) -> None:
        """Write the game to its file; if that fails, say so and play on."""
        if self.file is not None:
            try:
                self.file.write(self.record)
            except (OSError, PentagridError) as error:
                print(f"The game could not be saved: {error}", file=sys.stderr)

    # What a player may type instead of a move -----------------------------------------------------------

    def _on_help(self, _: str) -> None:
        width = max(map(len, COMMANDS))
        say([f"A move is {self.match.start.game.notation}. You can also type:"])
        say(f"  {word.ljust(width)}  {meaning}" for word, meaning in COMMANDS.items())

    def _on_moves(self, _: str) -> None:
        say(textwrap.wrap("Possible moves: " + "; ".join(self.match.position.moves()), 100))

    def _on_undo(self, _: str) -> None:
        taken = self.match.undo()
        say([f"Taken back: {', '.join(taken)}", *self._updated()])
        self._keep()

    def _on_hint(self, _: str) -> None:
        say(textwrap.wrap(hint(self._analysis(), self._names()), 100))

    def _on_analyze(self, _: str) -> None:
        say(told(self._analysis(), self.speech))

    def _names(self) -> tuple[str, str]:
        return self.speech.name(1), self.speech.name(2)

    def _on_save(self, name: str) -> None:
        if not name:
            self._keep()
            say([self._saved()])
            return
        path = Path(name).expanduser()
        copy = SaveFile.fresh(self.match.start.game, path)
        try:
            copy.write(self.record)
        except OSError as error:
            say([f"The game could not be saved in {name}: {error.strerror}."])
            return
        say([f"Saved a copy in {name}."])

    def _on_resign(self, _: str) -> None:
        self.match.resign(self.match.position.mover)

    def _on_quit(self, _: str) -> None:
        raise LeaveError

    # Leaving --------------------------------------------------------------------------------------------

    def _saved(self) -> str:
        return "There is no file for this game." if self.file is None else f"The game is saved in {self.file.path}."

    def farewell(self) -> list[str]:
        """What is said to someone who leaves: how to come back."""
        if self.file is None:
            return ["The game is not saved; save FILE would have kept it."]
        programs = " --programs" if any(seat.kind.startswith(PROGRAM) for seat in self.match.seats) else ""
        return [self._saved(), f"To go on: {program()} resume {shlex.quote(str(self.file.path))}{programs}"]

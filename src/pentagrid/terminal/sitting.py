"""A sitting: the same two players, one game or several, the seats swapped after each."""

from __future__ import annotations

import time
from pathlib import Path

from pentagrid.core import Game
from pentagrid.dice import Dice
from pentagrid.errors import OptionError
from pentagrid.match import Match, Seat
from pentagrid.record import Record
from pentagrid.speech import Paint
from pentagrid.terminal.lines import Lines
from pentagrid.terminal.savefile import SaveFile
from pentagrid.terminal.screen import is_terminal, say
from pentagrid.terminal.setup import opening
from pentagrid.terminal.table import LeaveError, Table


def play_at_table(record: Record, lines: Lines, file: SaveFile | None, paint: Paint, values: bool) -> bool:
    """Play one game; says whether it was finished. Leaving, even by Ctrl-C, tells how to come back."""
    table = Table(record, lines, file, paint, values)
    try:
        table.play()
    except LeaveError:
        say(table.farewell())
        return False
    except KeyboardInterrupt:
        say(["", *table.farewell()])
        raise
    finally:
        record.match.close()
    return True


class Sitting:
    """Two people (or computers) who play one game after the other."""

    def __init__(
        self,
        game: Game,
        people: tuple[Seat, Seat],
        *,
        seed: int,
        board: str | None = None,
        turn_seconds: float | None = None,
        save: Path | None = None,
        values: bool = False,
        paint: Paint,
    ) -> None:
        self.game = game
        self.people = people
        self.seed = seed
        self.board = board
        self.turn_seconds = turn_seconds
        self.save = save
        self.values = values
        self.paint = paint
        self.lines = Lines()
        self.won = [0, 0]

    def run(self, moves: list[str]) -> None:
        """Play, and on a terminal offer another game until nobody wants one."""
        number = 0
        while True:
            record = self._record(number, moves if number == 0 else [])
            if not play_at_table(record, self.lines, self._file(number), self.paint, self.values):
                return
            outcome = record.match.outcome
            assert outcome is not None
            self.won[(outcome.winner - 1) ^ (number % 2)] += 1
            if not (is_terminal() and any(person.is_human for person in self.people)):
                return
            number += 1
            if not self._another():
                return

    def _record(self, number: int, moves: list[str]) -> Record:
        seed = self.seed if number == 0 else Dice(self.seed, number).next() >> 32
        one, two = self.people
        seats = (one, two) if number % 2 == 0 else (two, one)
        start = opening(self.game, self.board, seed)
        match = Match(start, seats, seed=seed, turn_seconds=self.turn_seconds, programs=True)
        for move in moves:
            match.play(move)
        return Record(match, time.strftime("%Y-%m-%d"))

    def _file(self, number: int) -> SaveFile | None:
        if self.save is None:
            try:
                return SaveFile.fresh(self.game)
            except OptionError as error:
                say([f"This game is not being saved. {error}", ""])
                return None
        path = self.save if number == 0 else self.save.with_stem(f"{self.save.stem}-{number + 1}")
        return SaveFile.fresh(self.game, path)

    def _another(self) -> bool:
        tally = ", ".join(f"{self._person(i)} {won}" for i, won in enumerate(self.won))
        say(["", f"Games won: {tally}."])
        while True:
            print("Another game with the seats swapped? (y/n):", end=" ", flush=True)
            answer = (self.lines.read() or "n").strip().lower()
            if answer in ("y", "yes", "n", "no"):
                print()
                return answer.startswith("y")
            print("Please answer y or n.")

    def _person(self, index: int) -> str:
        """A person by name, or by where he sat first: seats change, people do not."""
        return self.people[index].name or f"who began as Player {index + 1}"

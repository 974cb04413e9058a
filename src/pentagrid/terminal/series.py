"""A sitting: the same two players, one game or several, the seats swapped after each."""

from __future__ import annotations

import time
from pathlib import Path

from pentagrid.analysis.komi import with_fair_komi
from pentagrid.core.game import Game
from pentagrid.core.rng import Dice
from pentagrid.core.speech import Paint
from pentagrid.play.match import Match, Seat
from pentagrid.play.record import Record
from pentagrid.terminal.game_options import opening
from pentagrid.terminal.input import standard_input
from pentagrid.terminal.line_game import LeaveError, LineGame
from pentagrid.terminal.output import is_terminal, say
from pentagrid.terminal.saved_games import SaveFile


class Series:
    """Two people (or computers) who play one game after the other."""

    def __init__(
        self,
        game: Game,
        people: tuple[Seat, Seat],
        *,
        seed: int,
        board: str | None = None,
        fair: bool = False,
        turn_seconds: float | None = None,
        save: str | None = None,
        values: bool = False,
        paint: Paint,
    ) -> None:
        self.game = game
        self.people = people
        self.seed = seed
        self.board = board
        self.fair = fair
        self.turn_seconds = turn_seconds
        self.save = save
        self.values = values
        self.paint = paint
        self.lines = standard_input()
        self.won = [0, 0]

    def begin(self, moves: list[str]) -> None:
        """Play a new game from a deal and the moves made first, and more if they are wanted."""
        record = self._record(0)
        for move in moves:
            record.match.play(move)
        self.run(record, self._file(0, record))

    def run(self, record: Record, file: SaveFile | None) -> None:
        """Play a game, and on a terminal offer another until nobody wants one."""
        number = 0
        while self._play(record, file):
            outcome = record.match.outcome
            assert outcome is not None
            self.won[(outcome.winner - 1) ^ (number % 2)] += 1
            if not (is_terminal() and any(person.is_human for person in self.people) and self._another()):
                return
            number += 1
            record = self._record(number)
            file = self._file(number, record)

    def _play(self, record: Record, file: SaveFile | None) -> bool:
        """Play one game; says whether it was finished. Leaving, even by Ctrl-C, tells how to come back."""
        table = LineGame(record, self.lines, file, self.paint, self.values)
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

    def _record(self, number: int) -> Record:
        seed = self.seed if number == 0 else Dice(self.seed, number).next() >> 32
        one, two = self.people
        seats = (one, two) if number % 2 == 0 else (two, one)
        game = self.game
        if self.fair and number > 0:  # each deal has a komi of its own
            game = with_fair_komi(game, opening(game, self.board, seed), seed)
        match = Match(opening(game, self.board, seed), seats, seed=seed, turn_seconds=self.turn_seconds, programs=True)
        return Record(match, time.strftime("%Y-%m-%d"))

    def _file(self, number: int, record: Record) -> SaveFile | None:
        """The file that the user wants, written at once so that he knows it can be; else the table finds one."""
        if self.save is None:
            return None
        path = Path(self.save)
        name = self.save if number == 0 else str(path.with_stem(f"{path.stem}-{number + 1}"))
        file = SaveFile.named(name)
        file.write(record)
        return file

    def _another(self) -> bool:
        tally = ", ".join(f"{self._person(i)}: {won}" for i, won in enumerate(self.won))
        say(["", f"Games won - {tally}"])
        while True:
            answer = (self.lines.ask("Another game with the seats swapped? (y/n):") or "n").lower()
            if answer in ("y", "yes", "n", "no"):
                print()
                return answer.startswith("y")
            print("Please answer y or n.")

    def _person(self, index: int) -> str:
        """A person by name, or by where he sat first: seats change, people do not."""
        return self.people[index].name or f"Player {index + 1} of the first game"

"""A series: one game or several of the same two players, who swap seats after each."""

from __future__ import annotations

import time
from pathlib import Path

from pentagrid.analysis.komi import deal
from pentagrid.analysis.review import review
from pentagrid.analysis.sentences import counted
from pentagrid.analysis.solver import SECONDS
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.speech import Paint
from pentagrid.play.match import Match, Seat
from pentagrid.play.record import Record
from pentagrid.terminal.analysis_text import record_lines, turning_lines
from pentagrid.terminal.input import standard_input
from pentagrid.terminal.line_game import LeaveError, LineGame, speech_for_record
from pentagrid.terminal.line_replay import replay_lines
from pentagrid.terminal.near_misses import full_word
from pentagrid.terminal.output import is_terminal, say, wrap
from pentagrid.terminal.progress_bar import progress_bar
from pentagrid.terminal.saved_games import SaveFile

LOOKS = ("review", "analyze", "replay")
OFFER = "Type review (where it turned), analyze (every move) or replay to see it again."


class Series:
    """Games of the same two players, one after the other."""

    def __init__(
        self,
        game: Game,
        players: tuple[Seat, Seat],
        *,
        seed: int,
        start: Position | None = None,
        board: str | None = None,
        fair: bool = False,
        turn_seconds: float | None = None,
        save: str | None = None,
        values: bool = False,
        paint: Paint,
    ) -> None:
        self.game = game
        self.players = players
        """Who plays, in the order of their seats in the first game."""
        self.seed = seed
        self.start = start
        """Where the first game begins; without it, with the deal of the seed."""
        self.board = board
        self.fair = fair
        self.turn_seconds = turn_seconds
        self.save = save
        self.values = values
        self.paint = paint
        self.input = standard_input()
        self.won = [0, 0]
        """Games won, in the order of `players`."""

    def begin(self, actions: list[int]) -> None:
        """Play a new game after the actions that are made first, and more games if they are wanted."""
        record = self._record(0)
        for action in actions:
            record.match.play(action)
        self.run(record, self._file(0, record))

    def run(self, record: Record, file: SaveFile | None) -> None:
        """Play a game, and on a terminal offer another until nobody wants one."""
        number = 0
        while (game := self._play(record, file)) is not None:
            outcome = record.match.outcome
            assert outcome is not None
            self.won[(outcome.winner - 1) ^ (number % 2)] += 1
            if not (is_terminal() and any(player.is_human for player in self.players)):
                return
            if not self._wants_another(game):
                return
            number += 1
            record = self._record(number)
            file = self._file(number, record)

    def _play(self, record: Record, file: SaveFile | None) -> LineGame | None:
        """Play one game; None if it was not finished. Whoever leaves, even by Ctrl-C, reads how to come back."""
        game = LineGame(record, self.input, file, self.paint, self.values)
        try:
            game.play()
        except LeaveError:
            say(game.farewell())
            return None
        except KeyboardInterrupt:
            say(["", *game.farewell()])
            raise
        finally:
            record.match.close()
        return game

    def _record(self, number: int) -> Record:
        """The game of this number, counted from 0, before its first move; each deal has its own fair komi."""
        seed = self.seed if number == 0 else Dice(self.seed, number).next() >> 32
        one, two = self.players
        seats = (one, two) if number % 2 == 0 else (two, one)
        start = self.start if number == 0 else None
        start = start or deal(self.game, seed, self.fair, self.board)
        match = Match(start, seats, seed=seed, turn_seconds=self.turn_seconds, programs=True)
        return Record(match, time.strftime("%Y-%m-%d"))

    def _file(self, number: int, record: Record) -> SaveFile | None:
        """The file that the user named, written at once to show that it can be; None where the game finds its own."""
        if self.save is None:
            return None
        path = Path(self.save)
        name = self.save if number == 0 else str(path.with_stem(f"{path.stem}-{number + 1}"))
        file = SaveFile.named(name)
        file.write(record)
        return file

    def _wants_another(self, game: LineGame) -> bool:
        """Offer to look at the game again, and ask whether there is to be another."""
        say(["", *game.where_saved(), *wrap(OFFER), "", self._tally()])
        while True:
            answer = full_word(self.input.ask("Another game with the seats swapped? (y/n):") or "n")
            if answer in ("y", "yes", "n", "no"):
                print()
                return answer.startswith("y")
            if answer in LOOKS:
                print()
                self._look(answer, game.record)
                print()
            else:
                say(wrap(f"Please answer y or n, or type {', '.join(LOOKS[:-1])} or {LOOKS[-1]}."))

    def _look(self, how: str, record: Record) -> None:
        if how == "replay":
            replay_lines(record, self.input, self.paint, step=True)
            return
        match, speech = record.match, speech_for_record(record, self.paint)
        with progress_bar("Looking") as (stop, progress):
            reviewed = review(match.start, match.actions, SECONDS, stop, progress)
        say(turning_lines(reviewed, speech) if how == "review" else record_lines(record, reviewed, speech))

    def _tally(self) -> str:
        """Who has won how many games, in a sentence; seats change, players do not."""
        one, two = self.players
        if one.name and two.name:
            names = one.name, two.name
        elif one.is_human and two.is_human:
            names = "whoever began the first game", "the other"
        else:
            names = ("you", "the computer") if one.is_human else ("the computer", "you")
        has = "have" if names[0] == "you" else "has"
        first, second = self.won
        name = names[0][0].upper() + names[0][1:]
        return f"{name} {has} won {counted(first, 'game') if first else 'no game'}, {names[1]} {second or 'none'}."

"""What is to be played: the game, who sits where, the clock. It begins games and rematches."""

from __future__ import annotations

import time
from typing import NamedTuple

from pentagrid.analysis.komi import deal
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import fresh_seed
from pentagrid.play.match import Match, Seat
from pentagrid.play.record import Record


class GamePlan(NamedTuple):
    """A game that can be begun any number of times."""

    game: Game
    seats: tuple[Seat, Seat] = (Seat(), Seat())
    turn_seconds: float | None = None
    fair: bool = False
    """Does every deal get the komi that is fair for it?"""
    start: Position | None = None
    """Where the game begins; None for a fresh deal."""
    programs: bool = False
    """May outside programs be started? Only where the user has named them."""

    @classmethod
    def of(cls, record: Record) -> GamePlan:
        """The plan of a game that has begun; the next one has a deal of its own."""
        match = record.match
        return cls(match.start.game, match.seats, match.turn_seconds, programs=match.programs)

    def begin(self, seed: int | None = None) -> Record:
        """A new game before its first move. Raises `OptionError` where no komi is fair."""
        seed = fresh_seed() if seed is None else seed
        start = self.start or deal(self.game, seed, self.fair)
        match = Match(start, self.seats, seed=seed, turn_seconds=self.turn_seconds, programs=self.programs)
        return Record(match, time.strftime("%Y-%m-%d"))

    def rematch(self) -> GamePlan:
        """The same with the seats exchanged, on a fresh deal."""
        return self._replace(seats=(self.seats[1], self.seats[0]), start=None)

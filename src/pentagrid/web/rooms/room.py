"""One game on the server: all that happened in it, folded through a `Match`. No store, no network, no waiting."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from pentagrid.analysis.sentences import ended
from pentagrid.core.deal_solver import Value
from pentagrid.core.position import Outcome, Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.scoring import ScoringGame
from pentagrid.errors import GameOverError, NotAllowedError
from pentagrid.play.match import Match, Seat
from pentagrid.play.record import Record, write_record
from pentagrid.web.api.board_data import described, speech_for
from pentagrid.web.problems import StaleError
from pentagrid.web.store.interface import Event, Stored, deal_of

HAIR = 0.001
"""Seconds behind a turn's limit at which its end is noted, so that rounding cannot put it before."""


class Terms(NamedTuple):
    """What is settled before a game begins."""

    start: str
    """The opening position, as text."""
    moves: list[str]
    """Moves that are made already."""
    kinds: list[str]
    names: list[str]
    open_seats: list[int]
    """Seats that wait for someone who has the link."""
    screen: bool
    """Do two people share one screen?"""
    seed: int
    turn_seconds: float | None
    spectator_values: bool
    date: str
    rematch_of: str | None = None
    fair_komi: bool = False
    """Does every deal of this game have the komi that is fair for it?"""

    @property
    def people(self) -> bool:
        """Is it a game between people?"""
        return all(Seat(kind=kind).is_human for kind in self.kinds)


class Room:
    """The state of a game: the fold of its events."""

    def __init__(self, id: str, created: float, terms: Terms, holders: Mapping[str, frozenset[int]]) -> None:
        self.id = id
        self.terms = terms
        self.created = created
        self.holders = dict(holders)
        """The seats of each holder, by the hash of his token."""
        self.revision = 0
        self.shown: list[dict[str, Any]] = []
        """What happened, as everybody may see it."""
        self.waiting = set(terms.open_seats)
        self.undo_asked: int | None = None
        self.rematch: str | None = None
        self._at = created
        one, two = (Seat(name, kind) for name, kind in zip(terms.names, terms.kinds, strict=True))
        self.match = Match(read_position(terms.start), (one, two), seed=terms.seed, now=lambda: self._at)
        for move in terms.moves:
            self.match.play(move)
        self._begin()
        self.publish()

    @classmethod
    def restored(cls, stored: Stored) -> Room:
        """A room as the store holds it."""
        room = cls(stored.id, stored.created, Terms(**stored.terms), stored.holders)
        for event in stored.events:
            room.apply(event)
        room.publish()
        return room

    def publish(self) -> None:
        """Let the state be seen as it now stands: after what led to it has been committed."""
        self.snapshot = json.dumps(self.state(), ensure_ascii=False)
        self.public_revision = self.revision

    # What others ask ------------------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome | None:
        return self.match.outcome

    @property
    def deadline(self) -> float | None:
        """When the turn ends by the clock; None without one, while a seat is open, and after the game."""
        left = self.match.time_left()
        return None if left is None or self.outcome else self._at + left

    @property
    def people(self) -> bool:
        return self.terms.people

    @property
    def guarded(self) -> bool:
        """Is it a running game between people, whose players must not see values?"""
        return self.people and self.outcome is None

    @property
    def names(self) -> tuple[str, str]:
        one, two = self.match.seats
        return one.name or "Player 1", two.name or "Player 2"

    def seats_of(self, holder: str | None) -> frozenset[int]:
        """The seats that a visitor holds."""
        return frozenset() if holder is None else self.holders.get(holder, frozenset())

    def concerns(self, position: Position) -> bool:
        """Would the value of this position tell something about the game that is being played?

        On a board of numbers every position of the deal does; on a board without, those that lie before or behind.
        """
        now = self.match.position
        if deal_of(position) != deal_of(now):
            return False
        asked, claimed = position.one | position.two, now.one | now.two
        return bool(now.numbers) or asked & claimed in (asked, claimed)

    def is_open(self, seat: int) -> bool:
        """Can somebody new still sit down here?"""
        return seat in self.waiting and not any(seat in seats for seats in self.holders.values())

    def movers(self) -> list[int]:
        """Who made each of the moves."""
        position, movers = self.match.start, []
        for action in self.match.actions:
            movers.append(position.mover)
            position = position.play(action)
        return movers

    def record(self) -> str:
        """The record file of the game."""
        return write_record(Record(self.match, self.terms.date))

    def sentence(self) -> str:
        """How the game stands, in a sentence."""
        outcome, final = self.outcome, self.match.position
        if outcome is not None:
            margin = None
            if isinstance(final.game, ScoringGame) and final.scores is not None and outcome.reason == "score":
                margin = final.game.with_komi(final.scores[0] - final.scores[1], final.swapped)
            return ended(outcome, Value(outcome.winner, margin, None), self.names)
        mover = self.match.position.mover
        return f"{self.names[mover - 1]} to move."

    def state(self) -> dict[str, Any]:
        """Everything that may be seen by everybody."""
        outcome, match = self.outcome, self.match
        return {
            "id": self.id,
            "revision": self.revision,
            "seats": [
                {
                    "name": self.names[i],
                    "kind": seat.kind,
                    "joined": i + 1 not in self.waiting,
                    "open": self.is_open(i + 1),
                }
                for i, seat in enumerate(match.seats)
            ],
            "start": match.start.text,
            "moves": match.moves,
            "players": self.movers(),
            "last": match.start.game.drawing.touch(match.actions[-1])._asdict() if match.actions else None,
            "board": described(match.position),
            "outcome": None if outcome is None else outcome._asdict(),
            "sentence": self.sentence(),
            "turn_seconds": self.terms.turn_seconds,
            "deadline": self.deadline,
            "undo_asked": self.undo_asked,
            "rematch": self.rematch,
            "screen": self.terms.screen,
            "people": self.people,
            "spectator_values": self.terms.spectator_values,
        }

    # What happens ---------------------------------------------------------------------------------------

    def expect(self, revision: int) -> None:
        """Raise `StaleError` unless this is the revision the game stands at."""
        if revision != self.revision:
            raise StaleError(f"The game is at revision {self.revision}, not {revision}: look again before you act.")

    def happen(self, kind: str, data: Mapping[str, Any], now: float) -> Event:
        """Let something happen; what the rules do not allow raises and changes nothing."""
        event = Event(self.revision + 1, kind, data, max(now, self._at))
        self.apply(event)
        return event

    def time_out(self) -> Event:
        """The clock ends the turn and with it the game."""
        deadline = self.deadline
        assert deadline is not None
        return self.happen("time", {"seat": self.match.position.mover}, deadline + HAIR)

    def apply(self, event: Event) -> None:
        """Go on by one event."""
        self._at = event.at
        said = getattr(self, f"_on_{event.kind.replace('-', '_')}")(**event.data)
        self.revision = event.revision
        self.shown.append(
            {"revision": event.revision, "kind": event.kind, "at": event.at, **event.data, "said": " ".join(said)}
        )

    def _begin(self) -> None:
        """The clock runs once everybody has sat down."""
        if not self.waiting:
            self.match.turn_seconds = self.terms.turn_seconds
        self.match.start_turn()

    def _on_join(self, seat: int, name: str) -> list[str]:
        seats = list(self.match.seats)
        if name:
            seats[seat - 1] = seats[seat - 1]._replace(name=name)
        self.match.seats = seats[0], seats[1]
        self._arrive(seat)
        return [f"{self.names[seat - 1]} has sat down."]

    def _arrive(self, seat: int) -> None:
        if seat in self.waiting:
            self.waiting.discard(seat)
            self._begin()

    def _on_resume(self) -> list[str]:
        self.match.start_turn()
        return ["The server was started again; the turn begins anew."]

    def _on_move(self, seat: int, move: str) -> list[str]:
        before = self.match.position
        after = self.match.play(move)
        self._arrive(seat)
        self.undo_asked = None
        speech = speech_for(before.game, (self.match.seats[0].name, self.match.seats[1].name))
        said = [line for line in speech.said(before, self.match.actions[-1], after) if line]
        return [*said, self.sentence()] if self.outcome else said

    def _on_undo_asked(self, seat: int) -> list[str]:
        self._check_running()
        if seat not in self.movers():
            raise NotAllowedError("You have made no move that could be taken back.")
        self.undo_asked = seat
        return [f"{self.names[seat - 1]} asks to take back a move."]

    def _on_undo_refused(self, seat: int) -> list[str]:
        if self.undo_asked is None:
            raise NotAllowedError("Nobody has asked to take back a move.")
        self.undo_asked = None
        return [f"{self.names[seat - 1]} does not agree to take it back."]

    def _on_undo(self, seat: int) -> list[str]:
        """Back to the asker's own turn."""
        taken = self.match.undo()
        if self.people and not self.terms.screen and self.match.position.mover != seat and self.match.actions:
            taken = [*self.match.undo(), *taken]
        self.undo_asked = None
        return [f"Taken back: {', '.join(taken)}."]

    def _on_resign(self, seat: int) -> list[str]:
        self.match.resign(seat)
        self.undo_asked = None
        return [f"{self.names[seat - 1]} resigns.", self.sentence()]

    def _on_time(self, seat: int) -> list[str]:
        over = self.match.flag()
        assert over, "the clock has not run out"
        return [f"Time is up, {self.names[seat - 1]}.", self.sentence()]

    def _on_rematch(self, game: str) -> list[str]:
        if self.outcome is None:
            raise NotAllowedError("The game is not over yet.")
        if self.rematch is not None:
            raise NotAllowedError("There is a rematch already.")
        self.rematch = game
        return ["A rematch begins, with the seats swapped."]

    def _check_running(self) -> None:
        if self.outcome is not None:
            raise GameOverError("The game is over.")

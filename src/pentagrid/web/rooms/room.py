"""One game on the server: its state is what its events make of its start. No store, no network, no waiting."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from pentagrid.analysis.sentences import final_sentence
from pentagrid.core.position import Outcome, Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.speech import player_names, speech_for
from pentagrid.core.symmetry import turned_masks
from pentagrid.errors import GameOverError, NotAllowedError
from pentagrid.play.match import Forfeit, Match, Seat
from pentagrid.play.record import Record, write_record
from pentagrid.web.api.board_data import described
from pentagrid.web.game_words import refusals_of
from pentagrid.web.http_errors import StaleError
from pentagrid.web.rooms.events import (
    ComputerFailed,
    Entry,
    Event,
    Joined,
    Moved,
    RematchMade,
    Resigned,
    Resumed,
    TimedOut,
    UndoAsked,
    Undone,
    UndoRefused,
    event_data,
)
from pentagrid.web.store.interface import Stored, deal_of


class Terms(NamedTuple):
    """What is agreed before a game begins, as it is stored."""

    start: str
    """The position that it begins from, as text."""
    moves: list[str]
    """Moves that are made before the game begins."""
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
    tossed: dict[str, str] = {}  # noqa: RUF012 - a named tuple's default, never changed
    """The rule options that the toss of each deal settles, as they were asked for."""

    @property
    def people(self) -> bool:
        """Is it a game between people?"""
        return all(Seat(kind=kind).is_human for kind in self.kinds)


class Room:
    """A game in progress or over: the rules judge its moves through a `Match`, and the room keeps its clock."""

    def __init__(self, id: str, created: float, terms: Terms, holders: Mapping[str, frozenset[int]]) -> None:
        self.id = id
        self.terms = terms
        self.created = created
        self.holders = dict(holders)
        """The seats of each holder, by the hash of the holder's token."""
        self.revision = 0
        self.shown: list[dict[str, Any]] = []
        """What happened, as everybody may see it."""
        self.waiting = set(terms.open_seats)
        """The seats whose players have not come yet."""
        self.undo_asked: int | None = None
        self.rematch: str | None = None
        self._at = self._turn_began = created
        one, two = (Seat(name, kind) for name, kind in zip(terms.names, terms.kinds, strict=True))
        self.match = Match(
            read_position(terms.start),
            (one, two),
            seed=terms.seed,
            now=lambda: 0.0,  # its clock stands still: a turn ends by an event
        )
        for move in terms.moves:
            self.match.play(move)
        self._begin_clock(created)
        self.publish()

    @classmethod
    def restored(cls, stored: Stored) -> Room:
        """A room as the store holds it."""
        room = cls(stored.id, stored.created, Terms(**stored.terms), stored.holders)
        for entry in stored.entries:
            room.apply(entry)
        room.publish()
        return room

    def publish(self) -> None:
        """Make the present state the one that visitors see; call it after the store has committed what led to it."""
        self.snapshot = json.dumps(self.state(), ensure_ascii=False)
        self.public_revision = self.revision

    # What others ask ------------------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome | None:
        return self.match.outcome

    @property
    def deadline(self) -> float | None:
        """When the turn ends by the clock; None without one, while a player has not come, and after the game."""
        seconds = self.terms.turn_seconds
        return None if seconds is None or self.waiting or self.outcome else self._turn_began + seconds

    def is_late(self, now: float) -> bool:
        """Is the turn's time up?"""
        return self.deadline is not None and now >= self.deadline

    @property
    def people(self) -> bool:
        return self.terms.people

    @property
    def guarded(self) -> bool:
        """Is it a running game between people, whose players must not see values?"""
        return self.people and self.outcome is None

    @property
    def names(self) -> tuple[str, str]:
        """The players by the names they gave, else as the game calls them."""
        return player_names(self.match.start.game, self._given_names)

    @property
    def _given_names(self) -> tuple[str, str]:
        one, two = self.match.seats
        return one.name, two.name

    def seats_of(self, holder: str | None) -> frozenset[int]:
        """The seats that a visitor holds."""
        return frozenset() if holder is None else self.holders.get(holder, frozenset())

    def concerns(self, position: Position) -> bool:
        """Would the value of this position reveal something about the game that is being played?

        On a board of numbers every position of the deal would; on a board without numbers, every position that comes
        before or after the present one. A board that is turned or mirrored reveals the same.
        """
        now = self.match.position
        if deal_of(position) != deal_of(now):
            return False
        claimed = now.one | now.two
        return bool(now.numbers) or any(
            asked & claimed in (asked, claimed) for asked in turned_masks(position.game, position.one | position.two)
        )

    def is_at(self, position: Position) -> bool:
        """Is this the position that the game stands at, the board turned or mirrored or not?"""
        now = self.match.position
        both = zip(*(turned_masks(position.game, mask) for mask in (position.one, position.two)), strict=True)
        return deal_of(position) == deal_of(now) and (now.one, now.two) in both

    def has(self, position: Position) -> bool:
        """Is it a position of this game: on its board, and on one without numbers before or after the present one?"""
        now = self.match.position
        if (position.game.name, position.game.size, position.numbers) != (now.game.name, now.game.size, now.numbers):
            return False
        asked, claimed = position.one | position.two, now.one | now.two
        return bool(now.numbers) or asked & claimed in (asked, claimed)

    def is_open(self, seat: int) -> bool:
        """Can somebody new still sit down here?"""
        return seat in self.waiting and not any(seat in seats for seats in self.holders.values())

    def positions(self) -> list[Position]:
        """Every position of the game, the first and the present one included."""
        positions = [self.match.start]
        for action in self.match.actions:
            positions.append(positions[-1].play(action))
        return positions

    def deed(self, before: Position) -> str:
        """The last move, made in this position, in a sentence."""
        speech = speech_for(before.game, self._given_names)
        deed = speech.deed(before, self.match.actions[-1], self.match.position)
        return f"{speech.name(before.mover)} {deed}."

    def record(self) -> str:
        """The record file of the game."""
        return write_record(Record(self.match, self.terms.date))

    def sentence(self) -> str:
        """How the game stands, in a sentence."""
        if self.outcome is not None:
            return final_sentence(self.match.position, self.outcome, self.names)
        mover = self.match.position.mover
        return f"{self.names[mover - 1]} to move."

    def state(self) -> dict[str, Any]:
        """The game as everybody may see it, as plain data."""
        outcome, match = self.outcome, self.match
        *earlier, _ = self.positions()
        before = earlier[-1] if earlier else None
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
            "players": [position.mover for position in earlier],
            "last": match.start.game.drawing.touch(match.actions[-1])._asdict() if match.actions else None,
            "deed": "" if before is None else self.deed(before),
            "board": described(match.position, before),
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

    def happen(self, event: Event, now: float) -> Entry:
        """Let something happen. Raises, and changes nothing, if the rules do not allow it."""
        entry = Entry(self.revision + 1, event, max(now, self._at))
        self.apply(entry)
        return entry

    def time_out(self) -> Entry:
        """Let the clock end the turn and with it the game."""
        deadline = self.deadline
        assert deadline is not None
        return self.happen(TimedOut(self.match.position.mover), deadline)

    def apply(self, entry: Entry) -> None:
        """Go on by one event. Whatever the rules can refuse is refused before anything changes."""
        said = self._change(entry.event, entry.at)
        self._at = entry.at
        self.revision = entry.revision
        self.shown.append(
            {
                "revision": entry.revision,
                "kind": entry.event.kind,
                "at": entry.at,
                **event_data(entry.event),
                "said": said,
            }
        )

    def _change(self, event: Event, at: float) -> str:
        """Change the state by an event; returns what is said of it."""
        match event:
            case Joined(seat, name):
                self._rename(seat, name)
                self._arrive(seat, at)
                return f"{self.names[seat - 1]} has sat down."
            case Resumed():
                self._turn_began = at
                return "The server was started again; the turn begins anew."
            case Moved():
                return self._move(event, at)
            case UndoAsked(seat):
                self._check_undo_asked(seat)
                self.undo_asked = seat
                return f"{self.names[seat - 1]} asks to take back a move."
            case UndoRefused(seat):
                if self.undo_asked is None:
                    raise NotAllowedError("Nobody has asked to take back a move.")
                self.undo_asked = None
                return f"{self.names[seat - 1]} does not agree to take it back."
            case Undone(seat):
                return f"Taken back: {', '.join(self._undo(seat, at))}."
            case Resigned(seat):
                return self._lose(seat, "resign", f"{self.names[seat - 1]} resigns.")
            case TimedOut(seat):
                return self._lose(seat, "time", f"Time is up, {self.names[seat - 1]}.")
            case ComputerFailed(seat):
                return self._lose(seat, "resign", f"{self.names[seat - 1]} cannot go on: the program failed.")
            case RematchMade(game):
                self.check_rematch()
                self.rematch = game
                return "A rematch begins, with the seats swapped."

    def _rename(self, seat: int, name: str) -> None:
        if name:
            one, two = (
                each._replace(name=name) if number == seat else each for number, each in enumerate(self.match.seats, 1)
            )
            self.match.seats = one, two

    def _arrive(self, seat: int, at: float) -> None:
        """A player is there."""
        if seat in self.waiting:
            self.waiting.discard(seat)
            self._begin_clock(at)

    def _begin_clock(self, at: float) -> None:
        """The clock runs once both players are there."""
        self._turn_began = at
        if not self.waiting:
            self.match.turn_seconds = self.terms.turn_seconds

    def _move(self, event: Moved, at: float) -> str:
        before = self.match.position
        action = before.game.action(event.move) if event.action is None else event.action
        with refusals_of(before.game, self._given_names):
            after = self.match.play(action)
        self._arrive(event.seat, at)
        self._turn_began = at
        self.undo_asked = None
        speech = speech_for(before.game, self._given_names)
        lines = [line for line in speech.said(before, action, after) if line]
        return " ".join([*lines, self.sentence()] if self.outcome else lines)

    def _undo(self, seat: int, at: float) -> list[str]:
        """Go back to the last turn of the player who wished it; returns the moves taken back."""
        taken = self.match.undo()
        if self.people and not self.terms.screen and self.match.position.mover != seat and self.match.actions:
            taken = [*self.match.undo(), *taken]
        self._turn_began = at
        self.undo_asked = None
        return taken

    def _lose(self, seat: int, reason: Forfeit, why: str) -> str:
        """A player loses away from the board."""
        self.match.forfeit(seat, reason)
        self.undo_asked = None
        return f"{why} {self.sentence()}"

    def check_rematch(self) -> None:
        """Raise `NotAllowedError` unless a rematch can be made now."""
        if self.outcome is None:
            raise NotAllowedError("The game is not over yet.")
        if self.waiting:
            raise NotAllowedError("Nobody has taken the other seat.")
        if self.rematch is not None:
            raise NotAllowedError("There is a rematch already.")

    def _check_undo_asked(self, seat: int) -> None:
        if self.outcome is not None:
            raise GameOverError("The game is over.")
        if all(position.mover != seat for position in self.positions()[:-1]):
            raise NotAllowedError("You have made no move that could be taken back.")

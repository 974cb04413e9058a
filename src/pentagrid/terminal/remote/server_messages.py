"""What a server tells about a game, checked: every field has its type and its limits before anyone reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from pentagrid.core.position import Outcome, Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.speech import player_names
from pentagrid.errors import PentagridError
from pentagrid.play.match import Match, Seat
from pentagrid.play.record import FORFEITS
from pentagrid.terminal.remote.addresses import GAME_PATH
from pentagrid.terminal.remote.server_client import BadAnswerError, clean

MOST_TURNS = 10_000
MOST_EVENTS = 50_000
LARGEST_NUMBER = 1e15
T = TypeVar("T")


class SeatNow(NamedTuple):
    """A seat of a served game."""

    name: str
    """What its player is called, safe to show; empty if the game's own name for the seat is used."""
    kind: str
    joined: bool
    open: bool
    """Can somebody new still take it?"""


class Happening(NamedTuple):
    """Something that happened in a game."""

    revision: int
    kind: str
    said: str
    """What the server says of it, safe to show."""


class GameNow(NamedTuple):
    """A served game as it stands; the rules here have judged its moves once more."""

    revision: int
    seats: tuple[SeatNow, SeatNow]
    match: Match
    """The game itself, for looking at: nobody plays on in it."""
    turn_seconds: float | None
    time_left: float | None
    """Seconds that were left for the turn when this was sent; None while no clock runs."""
    undo_asked: int | None
    rematch: str | None
    people: bool
    """Do people play at both seats?"""

    @property
    def position(self) -> Position:
        return self.match.position

    @property
    def outcome(self) -> Outcome | None:
        return self.match.outcome

    @property
    def names(self) -> tuple[str, str]:
        return self.seats[0].name, self.seats[1].name


class Presence(NamedTuple):
    """Who is connected."""

    players: tuple[bool, bool]
    spectators: int


class News(NamedTuple):
    """One message: what has changed, with None for what it does not tell."""

    game: GameNow | None = None
    events: tuple[Happening, ...] = ()
    you: frozenset[int] | None = None
    connected: Presence | None = None


def read_view(data: Mapping[str, Any]) -> News:
    """The answer that shows a game as one visitor sees it. Raises `BadAnswerError`."""
    fields = _Fields(data)
    now = fields.number("now")
    return News(_game(fields.part("state"), now), (), fields.seats("you"), _presence(fields.part("connected")))


def read_message(data: Mapping[str, Any]) -> News:
    """A live message; one of a kind that is not known tells nothing. Raises `BadAnswerError`."""
    fields = _Fields(data)
    kind = fields.text("type")
    if kind == "presence":
        return News(connected=_presence(fields.part("connected")))
    if kind not in ("hello", "events"):
        return News()
    events = tuple(_happening(_Fields(each)) for each in fields.array("events", MOST_EVENTS))
    if kind == "hello":
        return read_view(data)._replace(events=events)
    return News(_game(fields.part("state"), fields.number("now")), events)


class _Fields:
    """The fields of an object: each is asked for with its type."""

    def __init__(self, data: object) -> None:
        if not isinstance(data, Mapping):
            raise BadAnswerError("a part of the message is not an object")
        self._data = data

    def _get(self, name: str, kind: type[T]) -> T:
        value = self._data.get(name)
        if type(value) is not kind:
            raise BadAnswerError(f"{name!r} is not of type {kind.__name__}")
        return value

    def part(self, name: str) -> _Fields:
        return _Fields(self._get(name, dict))

    def array(self, name: str, most: int) -> list[Any]:
        array: list[Any] = self._get(name, list)
        if len(array) > most:
            raise BadAnswerError(f"{name!r} has more than {most} entries")
        return array

    def text(self, name: str) -> str:
        return self._get(name, str)

    def truth(self, name: str) -> bool:
        return self._get(name, bool)

    def count(self, name: str) -> int:
        number = self._get(name, int)
        if not 0 <= number < 2**31:
            raise BadAnswerError(f"{name!r} is out of range")
        return number

    def number(self, name: str) -> float:
        value = self._data.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < LARGEST_NUMBER:
            raise BadAnswerError(f"{name!r} is not a number, or out of range")
        return float(value)

    def has(self, name: str) -> bool:
        return self._data.get(name) is not None

    def seats(self, name: str) -> frozenset[int]:
        seats = self.array(name, 2)
        if any(type(seat) is not int or seat not in (1, 2) for seat in seats):
            raise BadAnswerError(f"{name!r} holds something other than seats")
        return frozenset(seats)

    def seat(self, name: str) -> int:
        seat = self._get(name, int)
        if seat not in (1, 2):
            raise BadAnswerError(f"{name!r} is not a seat")
        return seat


def _presence(fields: _Fields) -> Presence:
    players = fields.array("players", 2)
    if [type(each) for each in players] != [bool, bool]:
        raise BadAnswerError("'players' does not say who is connected")
    return Presence((players[0], players[1]), fields.count("spectators"))


def _happening(fields: _Fields) -> Happening:
    return Happening(fields.count("revision"), fields.text("kind"), clean(fields.text("said")))


def _seat(fields: _Fields) -> SeatNow:
    name, kind = clean(fields.text("name")), clean(fields.text("kind"))
    return SeatNow(name, kind, fields.truth("joined"), fields.truth("open"))


def _game(fields: _Fields, now: float) -> GameNow:
    seats = [_seat(_Fields(each)) for each in fields.array("seats", 2)]
    if len(seats) != 2:
        raise BadAnswerError("'seats' does not have two")
    match = _match(fields)
    usual = player_names(match.start.game)
    one, two = (seat._replace(name="") if seat.name == name else seat for seat, name in zip(seats, usual, strict=True))
    match.seats = Seat(one.name), Seat(two.name)
    deadline = fields.number("deadline") if fields.has("deadline") else None
    rematch = fields.text("rematch") if fields.has("rematch") else None
    if rematch is not None and not GAME_PATH.fullmatch(f"/play/{rematch}"):
        raise BadAnswerError("'rematch' is not a game")
    return GameNow(
        revision=fields.count("revision"),
        seats=(one, two),
        match=match,
        turn_seconds=fields.number("turn_seconds") if fields.has("turn_seconds") else None,
        time_left=None if deadline is None else max(0.0, deadline - now),
        undo_asked=fields.seat("undo_asked") if fields.has("undo_asked") else None,
        rematch=rematch,
        people=fields.truth("people"),
    )


def _match(fields: _Fields) -> Match:
    """The game played again by the rules here. Its seats are people's: a word from a network never starts a program."""
    try:
        match = Match(read_position(fields.text("start")), seed=0)
        for move in fields.array("moves", MOST_TURNS):
            if not isinstance(move, str):
                raise BadAnswerError("'moves' holds something other than text")
            match.play(move)
    except BadAnswerError:
        raise
    except PentagridError as error:
        raise BadAnswerError(f"it shows a game that cannot be played here ({clean(str(error))})") from None
    if not fields.has("outcome"):
        if match.outcome is not None:
            raise BadAnswerError("it goes on with a game that is over")
        return match
    part = fields.part("outcome")
    winner, given = part.seat("winner"), part.text("reason")
    reason = next((known for known in FORFEITS if known == given), None)
    if match.outcome is None and reason:
        match.forfeit(3 - winner, reason)
    if match.outcome != (winner, given):
        raise BadAnswerError("its outcome is not that of the moves")
    return match

"""The things that can happen in a game, one class each, and how the rows of a store hold them.

A row holds the event's `kind` and its fields as JSON. Stored kinds and fields keep their names: databases hold them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, get_args

from pentagrid.web.http_errors import StoreError

UNSTORED = {"stored": False}


@dataclass(frozen=True, slots=True)
class Joined:
    """Someone sat down at a seat, or came to it on another device; the name is empty if none was given."""

    kind: ClassVar[str] = "join"
    seat: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The server started again, and the turn that this interrupted got its full time back."""

    kind: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True)
class Moved:
    """A player moved."""

    kind: ClassVar[str] = "move"
    seat: int
    move: str
    """The move as the game writes it."""
    action: int | None = field(default=None, compare=False, metadata=UNSTORED)
    """The same as an action, where it is known; an event from the store has only the text."""


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """A player asked to take back a move."""

    kind: ClassVar[str] = "undo-asked"
    seat: int


@dataclass(frozen=True, slots=True)
class UndoRefused:
    """A player refused the other's wish to take back a move."""

    kind: ClassVar[str] = "undo-refused"
    seat: int


@dataclass(frozen=True, slots=True)
class Undone:
    """Moves were taken back, to the last turn of the player who wished it."""

    kind: ClassVar[str] = "undo"
    seat: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A player gave up."""

    kind: ClassVar[str] = "resign"
    seat: int


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A player's turn lasted too long, which lost the game."""

    kind: ClassVar[str] = "time"
    seat: int


@dataclass(frozen=True, slots=True)
class ComputerFailed:
    """A computer player failed again and again, which lost it the game."""

    kind: ClassVar[str] = "computer-failed"
    seat: int


@dataclass(frozen=True, slots=True)
class RematchMade:
    """A rematch was made of a game that is over."""

    kind: ClassVar[str] = "rematch"
    game: str
    """The id of the new game."""


Event = Joined | Resumed | Moved | UndoAsked | UndoRefused | Undone | Resigned | TimedOut | ComputerFailed | RematchMade
EVENTS: Mapping[str, type[Event]] = {event.kind: event for event in get_args(Event)}


class Entry(NamedTuple):
    """An event at its place in the history of a game: the first has revision 1."""

    revision: int
    event: Event
    at: float
    """Seconds since 1970 by the server's clock, never less than those of the entry before."""


def event_data(event: Event) -> dict[str, Any]:
    """The fields of an event that are stored."""
    return {each.name: getattr(event, each.name) for each in fields(event) if each.metadata != UNSTORED}


def event_from(kind: str, data: Mapping[str, Any]) -> Event:
    """The event that a row holds. Raises `StoreError` if this version does not know it."""
    if kind not in EVENTS:
        raise StoreError(f"The database holds an event {kind!r}, which this version does not know.")
    return EVENTS[kind](**data)

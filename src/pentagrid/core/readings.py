"""Readings of a rule text other than ours: what an environment of a game may play instead of its rules.

A reading is a class that is mixed into the game's own, so that several can be combined. Each game's folder may have a
`readings.py` whose `READINGS` are those it knows. They explain what an audit finds; nobody plays by them here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pentagrid.core.game import Game
from pentagrid.core.position import Outcome, Position
from pentagrid.errors import OptionError, shown

NOBODY = 0
"""The winner of a game that a reading calls drawn; by our rules no game is."""


class Reading(NamedTuple):
    """One reading: a name, what it is about, what it says, and the class that plays it."""

    name: str
    aspect: str
    """What it is about: `tie-break`, `score`, `capture`, `turn order`, `end`, `legal moves`."""
    sentence: str
    """What is done, in a sentence without its period."""
    mixin: type
    unclear: bool = False
    """Is the rule text silent or unclear here, so that ours is a ruling and this is no error?"""


def read_as(game: Game, readings: Sequence[Reading]) -> Game:
    """A game played by other readings."""
    if not readings:
        return game
    kind: Any = type(type(game).__name__, (*(reading.mixin for reading in readings), type(game)), {})
    read: Game = kind(game.size, **game.rules)
    return read


def find_reading(readings: Sequence[Reading], name: str) -> Reading:
    """The reading of a name. Raises `OptionError`."""
    for reading in readings:
        if reading.name == name:
            return reading
    known = ", ".join(reading.name for reading in readings) or "none"
    raise OptionError(f"There is no reading {shown(name)} of these rules; known are: {known}.")


class _TieToFirst:
    def tie_winner(self) -> int:
        return 1


class _TieToSecond:
    def tie_winner(self) -> int:
        return 2


class _TieToNobody:
    def final_outcome(self, position: Position) -> Outcome:
        outcome: Outcome = super().final_outcome(position)  # type: ignore[misc]
        return Outcome(NOBODY, "tie-break") if outcome.reason == "tie-break" else outcome


class _TieToLastMover:
    def final_outcome(self, position: Position) -> Outcome:
        outcome: Outcome = super().final_outcome(position)  # type: ignore[misc]
        last = position.game.mover_at(position.ply - 1)
        return Outcome(last, "tie-break") if outcome.reason == "tie-break" else outcome


class _LowerWins:
    def winner_by(self, margin: float, swapped: bool = False) -> int:
        return int(super().winner_by(-margin, swapped))  # type: ignore[misc]


class _SecondBegins:
    def side_at(self, turns: int) -> int:
        return 3 - int(super().side_at(turns))  # type: ignore[misc]


SECOND_BEGINS = Reading("second-begins", "turn order", "the second player moves first", _SecondBegins)


def scoring_readings(tie_unclear: bool = False) -> tuple[Reading, ...]:
    """The readings that make sense in every game won on points."""
    return (
        Reading("tie-to-first", "tie-break", "equal totals are won by the first player", _TieToFirst, tie_unclear),
        Reading("tie-to-second", "tie-break", "equal totals are won by the second player", _TieToSecond, tie_unclear),
        Reading("tie-to-last", "tie-break", "equal totals are won by whoever moved last", _TieToLastMover, tie_unclear),
        Reading("tie-drawn", "tie-break", "equal totals are won by nobody", _TieToNobody, tie_unclear),
        Reading("lower-wins", "score", "the lower total wins", _LowerWins),
        SECOND_BEGINS,
    )

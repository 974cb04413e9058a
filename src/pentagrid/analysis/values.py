"""What an analysis holds: the value of a position, and of every move in it."""

from __future__ import annotations

from typing import Any, NamedTuple

from pentagrid.core.deal_solver import Loss, Value
from pentagrid.core.position import Position

Margins = tuple[float, float]


class Option(NamedTuple):
    """One legal move and what it leads to."""

    move: str
    action: int
    winner: int | None
    margin: float | None
    """Player 1's final score minus Player 2's, komi counted, in games won on points."""
    plies: int | None
    """Moves until the game ends, this one counted, in games without points."""
    best: bool
    regret: float | None
    """What it gives away: points of margin, or in a game without points 1 if it gives the game away."""
    win_regret: int | None
    """1 if it changes who wins, be it at equal points, else 0."""
    bounds: Margins | None
    """Where it is not exact: between which margins it must lie, in games won on points."""

    @property
    def loss(self) -> Loss:
        """All that it gives away."""
        return Loss(self.regret, self.win_regret)

    def data(self) -> dict[str, Any]:
        """The option as plain data."""
        return self._asdict()


class Analysis(NamedTuple):
    """A position under best play by both."""

    position: Position
    value: Value
    options: tuple[Option, ...]
    line: tuple[str, ...]
    """One best line, to the end of the game where that is known."""
    exact: bool
    bounds: Margins | None
    """Where the value is not exact: between which margins it must lie, in games won on points."""

    @property
    def best(self) -> tuple[Option, ...]:
        """The best moves."""
        return tuple(option for option in self.options if option.best)

    def data(self) -> dict[str, Any]:
        """The analysis as plain data, the same in every front end; docs/json.md describes the fields."""
        return {
            **self.position.data(),
            "value": self.value.data(),
            "options": [option.data() for option in self.options],
            "line": list(self.line),
            "exact": self.exact,
            "bounds": self.bounds,
        }

"""What a solver is: the exact worth of every position of one deal, or proven bounds of it.

*Worth* is one whole number from Player 1's side, more being better for him: the final margin in games won on points,
and in other games a number that puts every win above every loss, early wins above late ones and late losses above
early ones. So the best move is always the one of largest (Player 2: smallest) worth.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pentagrid.core import Game, Position
from pentagrid.scoring import ScoringGame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Value(NamedTuple):
    """What a position is worth under best play by both; None stands for what is not known or has no meaning here."""

    winner: int | None
    margin: int | None
    """Player 1's final score minus Player 2's, in games won on points."""
    plies: int | None
    """Moves until the game ends when the winner hurries and the loser delays, in games without points."""


class DealSolver(ABC):
    """Knows one deal of one game. A game's `solver.py` fills it in and calls it `SOLVER`."""

    proof: ClassVar[str | None] = None
    """Why the opening has the value it has, in a sentence, where there is such a sentence."""
    scale: ClassVar[float]
    """What a thoughtless move typically gives away at the default size; graded players measure regret by it."""

    def __init__(self, game: Game, numbers: tuple[int, ...]) -> None:
        self.game = game
        self.numbers = numbers

    def prepare(self, position: Position) -> None:  # noqa: B027 - most solvers are ready as they are
        """Get ready for this position and all that can follow from it: make tables where they can be had."""

    @abstractmethod
    def bounds(self, position: Position) -> tuple[int, int]:
        """The least and the most that a position can be worth, both proven; the same number where it is exact."""

    @abstractmethod
    def value(self, position: Position, low: int, high: int) -> Value:
        """What bounds of a position's worth say in words the players know."""

    @abstractmethod
    def regret(self, best: int, worth: int) -> int:
        """What a move of this worth gives away where another would have been worth `best`."""


class ScoringSolver(DealSolver):
    """The solver of a game won on points: worth is the final margin."""

    game: ScoringGame

    def __init__(self, game: ScoringGame, numbers: tuple[int, ...]) -> None:
        super().__init__(game, numbers)

    def value(self, position: Position, low: int, high: int) -> Value:
        winner = self.game.winner_by(low)
        known = winner == self.game.winner_by(high)
        return Value(winner if known else None, low if low == high else None, None)

    def regret(self, best: int, worth: int) -> int:
        return abs(best - worth)


def margin_now(position: Position) -> int:
    """Player 1's lead as the scores stand."""
    assert position.scores is not None
    return position.scores[0] - position.scores[1]


def taking_turns(values: Iterable[int]) -> int:
    """The lead of the one who begins when both always take the largest that is left."""
    falling = sorted(values, reverse=True)
    return sum(falling[::2]) - sum(falling[1::2])


def turns_taken(values: NDArray[Any]) -> NDArray[np.int64]:
    """`taking_turns` for every row of an array."""
    import numpy as np

    falling = np.sort(np.asarray(values, np.int64), axis=1)[:, ::-1]
    lead: NDArray[np.int64] = falling[:, ::2].sum(axis=1) - falling[:, 1::2].sum(axis=1)
    return lead


class LargestFirstSolver(ScoringSolver):
    """For games in which claims are worth what they are worth to either player and change nothing else.

    Taking the largest is then optimal from any position (docs/solutions.md has the proof), so no table is needed.
    """

    def bounds(self, position: Position) -> tuple[int, int]:
        left = taking_turns(self.game._worth(position.numbers, action) for action in position.actions())
        margin = margin_now(position) + (left if position.mover == 1 else -left)
        return margin, margin

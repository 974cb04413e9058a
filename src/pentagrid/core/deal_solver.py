"""What a solver is: the exact worth of every position of one deal, or proven bounds of it.

*Worth* is one whole number from Player 1's side, more being better for Player 1, and positive exactly if Player 1 wins:
by margin in games won on points, and in other games so that early wins are above late ones and late losses above early
ones. So the best move is always the one of largest (Player 2: smallest) worth, and with sides exchanged a worth changes
its sign.

A solver knows nothing of the pie rule: it is asked about positions without a swap, and `analysis` does the rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from operator import mul
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pentagrid.core.game import Game
from pentagrid.core.position import Position, bits
from pentagrid.core.scoring import ScoringGame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Value(NamedTuple):
    """What a position is worth under best play by both; None stands for what is not known or has no meaning here."""

    winner: int | None
    margin: float | None
    """Player 1's final score minus Player 2's, komi counted, in games won on points."""
    plies: int | None
    """Moves until the game ends when the winner hurries and the loser delays, in games without points."""

    def data(self) -> dict[str, Any]:
        """The value as plain data."""
        return self._asdict()


class Loss(NamedTuple):
    """What a move gives away; None stands for what is not known. It is true where the move errs."""

    regret: float | None
    """Points of margin, or in a game without points 1 if it gives the game away."""
    win_regret: int | None
    """1 if it changes who wins, be it at equal points, else 0."""

    def __bool__(self) -> bool:
        return bool(self.regret or self.win_regret)

    @property
    def known(self) -> bool:
        """Is it known whether the move errs?"""
        return bool(self) or None not in self


class DealSolver(ABC):
    """Knows one deal of one game. A game's `solver.py` fills it in and calls it `SOLVER`."""

    proof: ClassVar[str | None] = None
    """Why the opening has the value it has, in a sentence, where there is such a sentence."""
    scale: float
    """What a thoughtless move typically gives away at the default size; graded players measure regret by it."""
    greed_is_right: ClassVar[bool] = False
    """Is the move that looks best right after it a best one in every position, by proof?"""
    efforts: ClassVar[tuple[int, ...]] = ()
    """How much work `tighten` is given in turn, where it proves more than `bounds`."""
    hardness_cuts: ClassVar[tuple[float, float, float, float]] = (40, 80, 160, 320)
    """The hardness from which on a puzzle is of difficulty 2, 3, 4 and 5 (docs/puzzles.md says how they are set)."""

    def __init__(self, game: Game, numbers: tuple[int, ...]) -> None:
        self.game = game
        self.numbers = numbers

    @classmethod
    def every_winner(cls, game: Game) -> int | None:
        """Who wins every deal under best play, by proof; None where deals differ or there is no proof."""
        return None

    @property
    def instant(self) -> bool:
        """Is the value of every position looked up, not searched for?"""
        return True

    def prepare(self, position: Position) -> None:  # noqa: B027 - most solvers are ready as they are
        """Get ready for this position and all that can follow from it: make tables where they can be had."""

    @abstractmethod
    def bounds(self, position: Position) -> tuple[int, int]:
        """The least and the most that a position can be worth, both proven; the same number where it is exact.

        Always the same for a position, and soon told.
        """

    def searchable(self, position: Position) -> bool:
        """Is `bounds` quick enough, and what is left short enough, to search through thousands of positions?"""
        return True

    def tighten(self, position: Position, work: int, stop: Callable[[], bool]) -> tuple[int, int]:
        """Bounds that so much more work proves; `stop` is asked now and then, and ends it."""
        return self.bounds(position)

    def worths_after(self, position: Position) -> dict[int, int] | None:
        """What each legal action leads to, where all of them together are sooner told than one by one; else None."""
        return None

    @abstractmethod
    def value(self, position: Position, low: int, high: int) -> Value:
        """What bounds of a position's worth say in words the players know."""

    @abstractmethod
    def regret(self, best: int, worth: int) -> float:
        """The points that a move of this worth gives away where another would have been worth `best`."""

    def loss(self, best: int, worth: int) -> Loss:
        """All that a move of this worth gives away: the sign of a worth tells who wins."""
        return Loss(self.regret(best, worth), int((best > 0) != (worth > 0)))

    def exchanged(self, low: int, high: int) -> tuple[int, int]:
        """The bounds of a position once the players have exchanged sides."""
        return -high, -low

    def shown_bounds(self, low: int, high: int) -> tuple[float, float] | None:
        """Bounds of a worth as a user sees them: of the margin, where there is one."""
        return None


class ScoringSolver(DealSolver):
    """The solver of a game won on points.

    Worth is four times the final margin, komi counted: a whole number even for half points, with room for a tie, which
    is worth 1 or -1 by whom it makes the winner. So the sign of a worth always tells who wins.
    """

    game: ScoringGame

    def __init__(self, game: ScoringGame, numbers: tuple[int, ...]) -> None:
        super().__init__(game, numbers)

    @classmethod
    def every_lead(cls, game: ScoringGame) -> tuple[int, int] | None:
        """Bounds of Player 1's final lead in every deal under best play, komi aside, by proof; None without one."""
        return None

    @classmethod
    def every_winner(cls, game: Game) -> int | None:
        assert isinstance(game, ScoringGame)
        winners = {game.winner_by(game.with_komi(lead)) for lead in cls.every_lead(game) or ()}
        return winners.pop() if len(winners) == 1 else None

    def bounds(self, position: Position) -> tuple[int, int]:
        low, high = self.leads(position)
        worth = self.worth_of(low)
        return worth, worth if low == high else self.worth_of(high)

    @abstractmethod
    def leads(self, position: Position) -> tuple[int, int]:
        """Proven bounds of Player 1's final lead in points, komi aside, in a position without a swap."""

    def worth_of(self, lead: int) -> int:
        """The worth of Player 1's final lead in points."""
        return round(4 * self.game.with_komi(lead)) or (1 if self.game.winner_by(0) == 1 else -1)

    @staticmethod
    def margin(worth: int) -> float:
        """The final margin of a worth."""
        margin = 0 if abs(worth) == 1 else worth / 4
        return int(margin) if margin == int(margin) else margin

    def value(self, position: Position, low: int, high: int) -> Value:
        winner = None if (low > 0) != (high > 0) else 1 if low > 0 else 2
        return Value(winner, self.margin(low) if low == high else None, None)

    def regret(self, best: int, worth: int) -> float:
        return abs(self.margin(best) - self.margin(worth))

    def shown_bounds(self, low: int, high: int) -> tuple[float, float]:
        return self.margin(low), self.margin(high)


def margin_now(position: Position) -> int:
    """Player 1's lead as the scores stand."""
    assert position.scores is not None
    return position.scores[0] - position.scores[1]


def signs(game: Game, turns: int, more: int) -> list[int]:
    """For each of so many turns from one on: 1 if it is Player 1's, -1 if it is Player 2's."""
    return [3 - 2 * side for side in game.sides[turns : turns + more]]


def firsts_taken(values: NDArray[Any], turns: Sequence[int] | NDArray[Any]) -> NDArray[np.int16]:
    """Player 1's lead by the first claim, a row for each claim and a column for each deal, as `values` are.

    After it both take the largest; `turns` as `signs` gives them, or a column of them for each deal. What is larger
    than the first claim comes a turn later than it would, what is smaller in its own turn.
    """
    import numpy as np

    order = np.argsort(values, axis=0, kind="stable")[::-1]
    falling = np.take_along_axis(np.asarray(values, np.int16), order, axis=0)
    signs = np.asarray(turns, np.int16).reshape(len(values), -1)
    late = np.concatenate([np.zeros_like(falling[:1]), np.cumsum(falling[:-1] * signs[1:], axis=0, dtype=np.int16)])
    usual = falling * signs
    after = np.cumsum(usual[::-1], axis=0, dtype=np.int16)[::-1] - usual
    leads = np.empty_like(falling)
    np.put_along_axis(leads, order, falling * signs[0] + late + after, axis=0)
    return leads


class LargestFirstSolver(ScoringSolver):
    """For games in which a claim pays the same points to either player and changes nothing else.

    Taking the largest is then optimal from any position (docs/solutions.md has the proof), so no table is needed.
    """

    greed_is_right = True

    def __init__(self, game: ScoringGame, numbers: tuple[int, ...]) -> None:
        super().__init__(game, numbers)
        self._points = [game.claim_points(numbers, claim) for claim in range(game.claim_count)]

    def leads(self, position: Position) -> tuple[int, int]:
        claims = bits(self.game.legal_on_board(position))
        falling = sorted([self._points[claim] for claim in claims], reverse=True)
        turns = signs(self.game, position.ply, len(falling))
        lead = margin_now(position) + sum(map(mul, turns, falling))
        return lead, lead

    def worths_after(self, position: Position) -> dict[int, int]:
        """As in `firsts_taken`: what is larger than the first claim comes a turn later, what is smaller in its turn."""
        claims, points = bits(self.game.legal_on_board(position)), self._points
        falling = sorted(claims, key=points.__getitem__, reverse=True)
        turns = signs(self.game, position.ply, len(falling))
        after = margin_now(position) + sum(map(mul, turns, map(points.__getitem__, falling)))
        late, worths = 0, {}
        for i, claim in enumerate(falling):
            after -= turns[i] * points[claim]
            worths[claim] = self.worth_of(turns[0] * points[claim] + late + after)
            late += turns[i + 1] * points[claim] if i + 1 < len(turns) else 0
        return {claim: worths[claim] for claim in claims}

"""The review of a played game: each mistake, what it cost, what was best, and how well each player did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pentagrid.analysis.solver import SECONDS, solver_of
from pentagrid.analysis.values import Analysis
from pentagrid.core.deal_solver import Loss, Value
from pentagrid.core.position import Position
from pentagrid.errors import UnreadableError, shown


class Choice(NamedTuple):
    """One move of a game, judged."""

    number: int
    player: int
    """The seat that made it: 1 or 2."""
    move: str
    before: Value
    after: Value
    regret: float | None
    """The points it gave away; None where that is not known."""
    win_regret: int | None
    """1 if it turned a won game into a lost one, else 0."""
    best: tuple[str, ...]
    real: bool
    """Did the possible moves differ in what they give away?"""

    @property
    def loss(self) -> Loss:
        """All that it gave away."""
        return Loss(self.regret, self.win_regret)

    @property
    def lost_the_win(self) -> bool:
        """Did it turn a won game into a lost one?"""
        return self.win_regret == 1

    def data(self) -> dict[str, Any]:
        """The choice as plain data."""
        return {
            "number": self.number,
            "player": self.player,
            "move": self.move,
            "before": self.before.data(),
            "after": self.after.data(),
            "regret": self.regret,
            "win_regret": self.win_regret,
            "best": list(self.best),
            "real": self.real,
            "lost_the_win": self.lost_the_win,
        }


class Review(NamedTuple):
    """A whole game."""

    choices: tuple[Choice, ...]
    final: Analysis
    """The position the game stands at."""
    analyses: tuple[Analysis, ...]
    """The position before each choice."""

    def accuracy(self, player: int) -> float | None:
        """The share of a player's real choices that were best moves; None if there was no real choice."""
        return _accuracy([choice for choice in self.choices if choice.player == player])

    def given_away(self, player: int) -> float:
        """The sum of what a player's moves gave away."""
        return _given_away([choice for choice in self.choices if choice.player == player])

    def data(self) -> dict[str, Any]:
        """The review as plain data: every choice, and how well both players did."""
        return {"choices": [choice.data() for choice in self.choices], **summary(self.choices)}


def judge(number: int, analysis: Analysis, action: int) -> Choice:
    """The move that was made in a position, judged by its analysis."""
    made = next(option for option in analysis.options if option.action == action)
    return Choice(
        number,
        analysis.position.mover,
        made.move,
        analysis.value,
        Value(made.winner, made.margin, made.plies),
        *made.loss,
        tuple(option.move for option in analysis.best),
        len({option.loss for option in analysis.options}) > 1,
    )


def summary(choices: Sequence[Choice]) -> dict[str, Any]:
    """How well both players chose, as plain data."""
    both = [[choice for choice in choices if choice.player == player] for player in (1, 2)]
    return {"accuracy": [_accuracy(own) for own in both], "given_away": [_given_away(own) for own in both]}


def _accuracy(choices: Sequence[Choice]) -> float | None:
    real = [choice.loss for choice in choices if choice.real and choice.loss.known]
    return sum(not loss for loss in real) / len(real) if real else None


def _given_away(choices: Sequence[Choice]) -> float:
    return sum(choice.regret or 0 for choice in choices)


def review(
    start: Position,
    actions: Sequence[int | str],
    seconds: float = SECONDS,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[float], None] = lambda share: None,
) -> Review:
    """Judge every move of a game from its start; in so many seconds at most for all of them.

    Moves are actions or texts. Raises `UnreadableError`, and what `Position.play` raises.
    """
    if not isinstance(start, Position):
        raise UnreadableError(f"{shown(str(start))} is not a position; read one with pentagrid.read_position.")
    solver, position = solver_of(start), start
    share = seconds / (len(actions) + 1)
    choices, analyses = [], []
    for number, move in enumerate(actions, 1):
        progress((number - 1) / (len(actions) + 1))
        action = start.game.action(move, position)
        after = position.play(action)
        analyses.append(solver.analyze(position, share, stop))
        choices.append(judge(number, analyses[-1], action))
        position = after
    return Review(tuple(choices), solver.analyze(position, share, stop), tuple(analyses))

"""A played game looked at again: each mistake, what it cost, what was best, and how well each player did."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pentagrid.analysis.solver import SECONDS, Analysis, solver_of
from pentagrid.core.deal_solver import Value
from pentagrid.play.match import Match


class Choice(NamedTuple):
    """One move of a game and what it was worth."""

    number: int
    player: int
    move: str
    before: Value
    after: Value
    regret: float | None
    """What it gave away; None where that is not known."""
    best: tuple[str, ...]
    real: bool
    """Did the possible moves differ in what they give away?"""

    @property
    def lost_the_win(self) -> bool:
        """Did it turn a won game into a lost one?"""
        return self.before.winner == self.player and self.after.winner == 3 - self.player


class Review(NamedTuple):
    """A whole game."""

    choices: tuple[Choice, ...]
    final: Analysis
    """The position the game stands at."""
    analyzes: tuple[Analysis, ...]
    """The position before each choice."""

    @property
    def mistakes(self) -> tuple[Choice, ...]:
        """The moves that gave something away."""
        return tuple(choice for choice in self.choices if choice.regret)

    def accuracy(self, player: int) -> float | None:
        """The share of a player's real choices that were best moves; None if there was no real choice."""
        real = [
            choice for choice in self.choices if choice.player == player and choice.real and choice.regret is not None
        ]
        return sum(choice.regret == 0 for choice in real) / len(real) if real else None

    def given_away(self, player: int) -> float:
        """The sum of what a player's moves gave away."""
        return sum(choice.regret or 0 for choice in self.choices if choice.player == player)


def review(
    match: Match,
    seconds: float = SECONDS,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[float], None] = lambda share: None,
) -> Review:
    """Look at every move of a game; so many seconds at most for all of them."""
    solver, position = solver_of(match.start), match.start
    share = seconds / (len(match.actions) + 1)
    choices, analyzes = [], []
    for number, action in enumerate(match.actions, 1):
        progress((number - 1) / (len(match.actions) + 1))
        analysis = solver.analyze(position, share, stop)
        analyzes.append(analysis)
        made = next(option for option in analysis.options if option.action == action)
        regrets = {option.regret for option in analysis.options}
        choices.append(
            Choice(
                number,
                position.mover,
                made.move,
                analysis.value,
                Value(made.winner, made.margin, made.plies),
                made.regret,
                tuple(option.move for option in analysis.best),
                len(regrets) > 1,
            )
        )
        position = position.play(action)
    return Review(tuple(choices), solver.analyze(position, share, stop), tuple(analyzes))

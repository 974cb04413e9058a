"""The review of a played game: each mistake, what it cost, what was best, and how well each player did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pentagrid.analysis.solver import SECONDS, solver_of
from pentagrid.analysis.values import Analysis
from pentagrid.core.deal_solver import Value
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
    """What it gave away; None where that is not known."""
    best: tuple[str, ...]
    real: bool
    """Did the possible moves differ in what they give away?"""

    @property
    def lost_the_win(self) -> bool:
        """Did it turn a won game into a lost one?"""
        return self.before.winner == self.player and self.after.winner == 3 - self.player

    def data(self) -> dict[str, Any]:
        """The choice as plain data."""
        return {
            "number": self.number,
            "player": self.player,
            "move": self.move,
            "before": self.before.data(),
            "after": self.after.data(),
            "regret": self.regret,
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
        real = [
            choice for choice in self.choices if choice.player == player and choice.real and choice.regret is not None
        ]
        return sum(choice.regret == 0 for choice in real) / len(real) if real else None

    def given_away(self, player: int) -> float:
        """The sum of what a player's moves gave away."""
        return sum(choice.regret or 0 for choice in self.choices if choice.player == player)

    def data(self) -> dict[str, Any]:
        """The review as plain data: every choice, and how well both players did."""
        return {
            "choices": [choice.data() for choice in self.choices],
            "accuracy": [self.accuracy(1), self.accuracy(2)],
            "given_away": [self.given_away(1), self.given_away(2)],
        }


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
        analysis = solver.analyze(position, share, stop)
        analyses.append(analysis)
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
        position = after
    return Review(tuple(choices), solver.analyze(position, share, stop), tuple(analyses))

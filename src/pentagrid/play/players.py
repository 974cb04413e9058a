"""The players: who chooses moves. A kind of player is a word (`greedy`), perhaps with a setting (`level:5`).

To add one, write a class with `choose` and a line in `KINDS`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

from pentagrid.analysis.solver import solver_of
from pentagrid.core.game import Game
from pentagrid.core.position import Outcome, Position
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError, shown
from pentagrid.play.levels import LEVELS, Level
from pentagrid.play.mcts import MOST_PLAYOUTS, MonteCarlo

HUMAN = "human"
OUTSIDE = ("exec:", "py:", "policy:")
"""What stands before what its user names: the command of a program, Python code, a file with a policy."""
OUTSIDE_USAGE = "exec:COMMAND, py:MODULE:NAME, policy:FILE"


def is_outside(kind: str) -> bool:
    """Would this kind of player start something that the user must have named?"""
    return kind.startswith(OUTSIDE)


class Player(Protocol):
    """Chooses one of the legal actions; all its chance comes from the dice."""

    def choose(self, position: Position, dice: Dice) -> int: ...


class OutsidePlayer(ABC):
    """A player that a user has named. It is told more than a position, and when the game is over."""

    start_up = 0.0
    """Seconds of the last choice that went into starting, and do not count as time to think."""

    @abstractmethod
    def inform(self, start: Position, moves: list[str], seconds: float | None, turn_seconds: float | None) -> None:
        """Learn what a position alone does not tell: how it came about, and how much time is left."""

    @abstractmethod
    def choose(self, position: Position, dice: Dice) -> int:
        """One of the legal actions. Raises `ForfeitError`."""

    @abstractmethod
    def leave(self, outcome: Outcome | None = None, final: Position | None = None) -> None:
        """The match is over, or is left."""


class ForfeitError(Exception):
    """An outside player loses the game away from the board, for this reason."""

    def __init__(self, reason: Literal["time", "illegal"], why: str) -> None:
        super().__init__(why)
        self.reason = reason


class Random:
    """Any legal move, each equally likely."""

    def choose(self, position: Position, dice: Dice) -> int:
        return dice.choice(position.actions())


class Greedy:
    """The move that looks best right after it; ties by the dice."""

    def choose(self, position: Position, dice: Dice) -> int:
        return dice.choice(position.game.heuristics.greedy_actions(position))


class Perfect:
    """A best move; of several, one after which the opponent has the most ways to go wrong, ties by the dice."""

    def choose(self, position: Position, dice: Dice) -> int:
        solver = solver_of(position)
        best = solver.best(position)
        if len(best) == 1:
            return best[0]
        low, high = solver.bounds(position)
        if low != high or not solver.deal_solver.instant:  # nothing to set a trap with: as people would
            natural = {action: position.game.heuristics.natural(position, action) for action in best}
            return dice.choice([action for action in best if natural[action] == max(natural.values())])
        traps = {}
        for action in best:
            after = position.game.after(position, action)
            traps[action] = sum(map(bool, solver.losses(after).values())) if after.turn else 0
        most = max(traps.values())
        return dice.choice([action for action, count in traps.items() if count == most])


class PlayerKind(NamedTuple):
    """A kind of player: how it is asked for, and how it is made from what is asked."""

    choices: tuple[str, ...]
    make: Callable[[str], Player]
    most: int = 0
    """If any number up to this one can be asked for, the choices being merely examples."""
    check: Callable[[Game], object] = lambda game: None
    """Raises `OptionError` for a game that such a player cannot play."""

    def offers(self, asked: str) -> bool:
        """Can this be asked for?"""
        number = asked.partition(":")[2]
        counted = re.fullmatch(r"[1-9][0-9]{0,8}", number) is not None and int(number) <= self.most
        return asked in self.choices or counted

    @property
    def usage(self) -> str:
        """All choices in a word or two."""
        if self.most:
            return f"{self.choices[0].partition(':')[0]}:N (N up to {self.most:,})"
        return self.choices[0] if len(self.choices) == 1 else f"{self.choices[0]} … {self.choices[-1]}"


KINDS = {
    "random": PlayerKind(("random",), lambda _: Random()),
    "greedy": PlayerKind(("greedy",), lambda _: Greedy()),
    "level": PlayerKind(tuple(f"level:{level}" for level in LEVELS), lambda asked: Level(int(asked.partition(":")[2]))),
    "perfect": PlayerKind(("perfect",), lambda _: Perfect()),
    "mcts": PlayerKind(
        ("mcts:10", "mcts:100", "mcts:1000"),
        lambda asked: MonteCarlo(int(asked.partition(":")[2])),
        most=MOST_PLAYOUTS,
    ),
    "learned": PlayerKind(("learned",), lambda _: _make_learned(), check=lambda game: _check_learned(game)),
}


def usages(people: bool = True) -> str:
    """Everything that a seat can be, for help and errors; without people, everything that can play by itself."""
    return ", ".join([*([HUMAN] if people else []), *(kind.usage for kind in KINDS.values())])


def make_player(asked: str, programs: bool = False) -> Player | None:
    """The player that is asked for, or None for a person. Raises `OptionError`.

    Programs, Python code and policies (`OUTSIDE_USAGE`) are only made with `programs`: never for whoever merely sends a
    word. They are made without starting, importing or reading anything.
    """
    if asked == HUMAN:
        return None
    if programs and is_outside(asked):
        return _make_outside(asked)
    kind = KINDS.get(asked.partition(":")[0])
    if kind is None or not kind.offers(asked):
        raise OptionError(f"There is no player {shown(asked)}; there are {usages()}.")
    return kind.make(asked)


def check_plays(asked: str, game: Game) -> None:
    """Raise `OptionError` if there is no player of this kind, or it cannot play a game: one that has not learned it."""
    make_player(asked, programs=True)
    kind = KINDS.get(asked.partition(":")[0])
    if kind is not None:
        kind.check(game)


def _make_learned() -> Player:
    from pentagrid.play.learned import Learned

    return Learned()


def _check_learned(game: Game) -> None:
    from pentagrid.play.learned import learned_policy

    learned_policy(game)


def _make_outside(asked: str) -> OutsidePlayer:
    where, _, named = asked.partition(":")
    if where == "py":
        from pentagrid.play.python_player import PythonPlayer

        return PythonPlayer(named)
    if where == "policy":
        from pentagrid.play.policy import PolicyPlayer

        return PolicyPlayer(named)
    from pentagrid.play.program import Program

    return Program(named)

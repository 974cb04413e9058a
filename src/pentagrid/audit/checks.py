"""Plays an environment that somebody else wrote beside our rules, and reports every kind of difference.

The environment must have the interface of gg-bench (`reset`, five-tuple `step`, `valid_moves`, `render`) and its
observation layouts.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from pentagrid.core.catalog import part
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.speech import player_names
from pentagrid.errors import BoardError, OptionError, shown

KINDS = {
    "crash": "a call that the rules allow raises",
    "deal": "a board that this game cannot have",
    "space": "an observation outside the declared space: its shape, its type or its bounds",
    "board": "the board is not what the moves make it",
    "legal moves": "the legal moves are not those of the rules",
    "end": "the game ends too early or too late",
    "endless": "the game does not end at all",
    "winner": "the winner is not that of the rules",
    "reward": "the mover's reward is not 1 for a win, -1 for a loss and 0 before the end",
    "illegal moves": "a move that is not allowed changes the game",
    "seeding": "the same seed gives different deals, or all seeds give the same deal",
    "render": "render() returns no text",
}
"""Every kind of difference, with its meaning."""
EVERY = 4
"""One game in this many tries an illegal move; one is reset twice with its seed; one is rendered."""


class Difference(NamedTuple):
    """One kind of difference: where it was first seen, and how many games showed it."""

    kind: str
    """One of `KINDS`."""
    detail: str
    """What was different, in a sentence without its period."""
    seed: int
    board: str
    actions: tuple[int, ...]
    moves: tuple[str, ...]
    games: int

    def reproduce(self) -> str:
        """The calls that show the difference again."""
        calls = [f"env.reset(seed={self.seed})", *(f"env.step({action})" for action in self.actions)]
        return "; ".join(calls)


class AuditReport(NamedTuple):
    """The result of an audit: how much was played, and the differences."""

    games: int
    steps: int
    differences: tuple[Difference, ...]


class _DifferenceError(Exception):
    """A difference, which ends its game: what follows from it is no news."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind, self.detail = kind, detail


def load_environment(path: str) -> Callable[[], Any]:
    """The class or function that `module:Class` names. Raises `OptionError`."""
    name, colon, attribute = path.partition(":")
    if not (name and colon and attribute):
        raise OptionError(f"The environment must be MODULE:CLASS, such as my_envs:MyGame, not {shown(path)}.")
    try:
        module = import_module(name)
    except ImportError as error:
        raise OptionError(f"{shown(path)} cannot be loaded: {error}.") from None
    except Exception as error:  # another's code may raise anything
        raise OptionError(f"{shown(path)} cannot be loaded: {_one_line(error)}.") from None
    make_env = getattr(module, attribute, None)
    if make_env is None:
        raise OptionError(f"The module {name} has no {shown(attribute)}.")
    if not callable(make_env):
        raise OptionError(f"{shown(path)} is not a class or function that makes an environment.")
    return make_env  # type: ignore[no-any-return]


def audit_environment(
    make_env: Callable[[], Any],
    game: Game,
    games: int = 2000,
    seed: int = 0,
    progress: Callable[[float], None] = lambda share: None,
    stop: Callable[[], bool] = lambda: False,
) -> AuditReport:
    """Play this many random games in an environment and by our rules, side by side.

    Raises `OptionError` if the environment cannot be made.
    """
    differences: dict[str, Difference] = {}
    steps = played = 0
    deals: set[tuple[int, ...]] = set()
    try:
        env = _make(make_env)
    except _DifferenceError as error:
        raise OptionError(f"The environment cannot be made without arguments: {error}.") from None
    for number in range(games):
        if stop():
            break
        progress(number / games)
        compared = _ComparedGame(env, game, Dice(seed, number), number)
        try:
            compared.play()
        except _DifferenceError as error:
            _note(differences, error, compared)
            env = None  # its state is unknown now
        if compared.first_observation:
            deals.add(tuple(compared.first_observation))
        steps += len(compared.actions)
        played += 1
        try:
            env = _make(make_env) if env is None else env
        except _DifferenceError as error:
            _note(differences, error, compared)
            break
    if game.has_numbers and played > EVERY and len(deals) == 1:
        _note(differences, _DifferenceError("seeding", f"all {played} seeds gave the same deal"), compared)
    progress(1.0)
    return AuditReport(played, steps, tuple(differences[kind] for kind in KINDS if kind in differences))


def _make(make_env: Callable[[], Any]) -> Any:
    """A new environment. Raises `_DifferenceError`."""
    try:
        return make_env()
    except Exception as error:  # another's code may raise anything, and that is what is looked for
        raise _DifferenceError("crash", f"making it raised {_one_line(error)}") from None


def _one_line(error: Exception) -> str:
    """An error of another's code in one line: 'ZeroDivisionError: division by zero'."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":").removesuffix(".")


def _note(differences: dict[str, Difference], error: _DifferenceError, compared: _ComparedGame) -> None:
    """Add what a game showed to the differences so far."""
    known = differences.get(error.kind)
    if known is not None:
        differences[error.kind] = known._replace(games=known.games + 1)
        return
    position = compared.position
    differences[error.kind] = Difference(
        error.kind,
        error.detail,
        compared.seed,
        compared.game.write_board(position) if position else "",
        tuple(compared.actions),
        tuple(compared.game.texts[action] for action in compared.actions),
        1,
    )


class _ComparedGame:
    """One game of the environment beside the same game by our rules."""

    def __init__(self, env: Any, game: Game, dice: Dice, number: int) -> None:
        self.env, self.game, self.dice, self.number = env, game, dice, number
        self.layout = part(game.name, "gym_layout")
        self.names = player_names(game)
        self.seed = dice.below(1 << 31)
        self.actions: list[int] = []
        self.first_observation: list[int] = []
        self.position: Position | None = None

    def play(self) -> None:
        """Play the game to its end. Raises `_DifferenceError` at the first difference."""
        observed = self._reset()
        self.first_observation = observed
        if self.number % EVERY == 1 and self._reset() != observed:
            raise _DifferenceError("seeding", f"reset(seed={self.seed}) twice gave two different boards")
        numbers = self.layout.numbers(self.game, observed)
        try:
            if self.game.has_numbers:
                self.game.check_numbers(numbers)
        except BoardError as error:
            raise _DifferenceError("deal", str(error)) from None
        position = self.position = self.game.opening(numbers)
        self._compare(observed, position)
        illegal_at = 1 + self.dice.below(self.game.size) if self.number % EVERY == 0 else -1
        while position.turn:
            if position.ply == illegal_at:
                self._try_illegal(position)
                return
            action = self.dice.choice(position.actions())
            self.actions.append(action)
            after = position.play(action)
            self._step(position.mover, action, after)
            position = self.position = after

    def _call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """What a method of the environment returns. Raises `_DifferenceError` if it raises."""
        try:
            return getattr(self.env, name)(*args, **kwargs)
        except Exception as error:  # another's code may raise anything, and that is what is looked for
            call = f"{name}({', '.join(map(str, (*args, *kwargs.values())))})"
            raise _DifferenceError("crash", f"{call} raised {_one_line(error)}") from None

    def _reset(self) -> list[int]:
        answer = self._call("reset", seed=self.seed)
        if not (isinstance(answer, tuple) and len(answer) == 2):
            raise _DifferenceError("crash", f"reset returned {type(answer).__name__}, not an observation and info")
        return self._flat(answer[0])

    def _flat(self, observation: Any) -> list[int]:
        """The observation as a list of numbers."""
        space = getattr(self.env, "observation_space", None)
        array = np.asarray(observation)
        if space is not None and not (array.dtype == space.dtype and space.contains(observation)):
            detail = f"an observation of type {array.dtype} and shape {array.shape} is not in {space}"
            raise _DifferenceError("space", detail)
        return [int(value) for value in array.ravel()]

    def _compare(self, observed: list[int], position: Position) -> None:
        """Compare the board and the legal moves with a position. Raises `_DifferenceError`."""
        expected = self.layout.write(position)
        if observed != expected:
            raise _DifferenceError("board", f"the observation is {observed}; it should be {expected}")
        if position.turn:
            moves = sorted(int(action) for action in self._call("valid_moves"))
            if moves != list(position.actions()):
                raise _DifferenceError(
                    "legal moves", f"valid_moves() is {moves}; it should be {list(position.actions())}"
                )
        if self.number % EVERY == 2 and not isinstance(text := self._call("render"), str):
            raise _DifferenceError("render", f"render() returned {type(text).__name__}, not text")

    def _step(self, mover: int, action: int, after: Position) -> None:
        """Make a move in the environment and compare everything with the position after it."""
        answer = self._call("step", action)
        if not (isinstance(answer, tuple) and len(answer) == 5):
            raise _DifferenceError("crash", f"step returned {type(answer).__name__}, not a five-tuple")
        observation, reward, terminated, truncated, info = answer
        outcome = after.outcome()
        if outcome is None and (terminated or truncated):
            raise _DifferenceError("end", f"the game ended after {after.ply} moves; by the rules it goes on")
        if outcome is not None and not terminated:
            raise self._missing_end(after)
        self._compare(self._flat(observation), after)
        expected = 0 if outcome is None else 1 if outcome.winner == mover else -1
        if outcome is not None:
            winner = _reported_winner(info, reward, mover)
            if winner != outcome.winner:
                name, right = self.names[winner - 1] if winner else "nobody", self.names[outcome.winner - 1]
                raise _DifferenceError("winner", f"{name} wins; by the rules it is {right} ({outcome.reason})")
        if reward != expected:
            name = self.names[mover - 1]
            raise _DifferenceError("reward", f"{name}'s move has reward {reward}; it should have {expected}")

    def _missing_end(self, after: Position) -> _DifferenceError:
        """The difference where the game should be over: it ends later, or never."""
        late = 0
        for late in range(1, 4 * self.game.cell_count + 1):
            moves = list(self._call("valid_moves"))
            if not moves:
                return _DifferenceError(
                    "endless", f"after {after.ply} moves there is no legal move, and the game is not over"
                )
            if self._call("step", self.dice.choice(moves))[2]:
                return _DifferenceError(
                    "end", f"by the rules it is over after {after.ply} moves; it ended {late} moves later"
                )
        return _DifferenceError(
            "endless", f"by the rules it is over after {after.ply} moves; it goes on {late} moves later"
        )

    def _try_illegal(self, position: Position) -> None:
        """Try an illegal action, which must raise, lose the game, or change nothing."""
        illegal = [action for action in range(self.game.action_count) if action not in position.actions()]
        action = self.dice.choice(illegal)
        try:
            observation, reward, terminated, truncated, _ = self.env.step(action)
        except Exception:  # a refusal, of whatever kind, is what is wanted
            return
        self.actions.append(action)
        name = f"{action} ({self.game.texts[action]})"
        if (terminated or truncated) and reward >= 0:
            raise _DifferenceError("illegal moves", f"{name} is not allowed, but ended the game with reward {reward}")
        if not (terminated or truncated):
            same = [int(value) for value in np.asarray(observation).ravel()] == self.layout.write(position)
            legal = sorted(int(move) for move in self._call("valid_moves")) == list(position.actions())
            if not (same and legal and reward <= 0):
                raise _DifferenceError("illegal moves", f"{name} is not allowed, but was made")


def _reported_winner(info: Any, reward: float, mover: int) -> int | None:
    """The winner's seat as the environment reports it: by `winner` in info, or else by the last mover's reward."""
    winner = info.get("winner") if isinstance(info, dict) else None
    if winner is None:
        return mover if reward > 0 else 3 - mover if reward < 0 else None
    return {1: 1, -1: 2, 2: 2}.get(winner)

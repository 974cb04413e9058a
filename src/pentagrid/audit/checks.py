"""Any environment of one of the games, played against our rules: every kind of difference, with what reproduces it.

The environment has the interface of gg-bench (`reset`, five-tuple `step`, `valid_moves`, `render`) and its layouts.
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
from pentagrid.errors import BoardError, OptionError, shown

KINDS = {
    "crash": "a call that the rules allow raises",
    "deal": "a board that this game cannot have",
    "space": "an observation outside the declared space: its shape, its type or its bounds",
    "board": "the board is not what the moves make it",
    "legal moves": "other moves are legal than the rules allow",
    "end": "the game ends too early or too late",
    "endless": "the game does not end at all",
    "winner": "somebody else has won",
    "reward": "the mover is paid something else than 1 for a win, -1 for a loss, 0 for going on",
    "illegal moves": "a move that is not allowed changes the game",
    "seeding": "a seed does not settle the deal, or no seed changes it",
    "render": "render() gives no text",
}
EVERY = 4
"""One game in so many is given an illegal move; one is begun twice from its seed."""


class Difference(NamedTuple):
    """One kind of difference: the first time it was seen, and how many games showed it."""

    kind: str
    told: str
    seed: int
    board: str
    actions: tuple[int, ...]
    moves: tuple[str, ...]
    games: int

    def reproduce(self) -> str:
        """The calls that lead there."""
        calls = [f"env.reset(seed={self.seed})", *(f"env.step({action})" for action in self.actions)]
        return "; ".join(calls)


class Audit(NamedTuple):
    """What an audit found."""

    games: int
    steps: int
    differences: tuple[Difference, ...]


class _FoundError(Exception):
    """A difference; the rest of this game would tell nothing new."""

    def __init__(self, kind: str, told: str) -> None:
        super().__init__(told)
        self.kind, self.told = kind, told


def environment(named: str) -> Callable[[], Any]:
    """The class that `module:Class` names. Raises `OptionError`."""
    module, colon, attribute = named.partition(":")
    if not (module and colon and attribute):
        raise OptionError(f"{shown(named)} is not MODULE:CLASS, such as my_envs:MyGame.")
    try:
        home = import_module(module)
    except ImportError as error:
        raise OptionError(f"{shown(named)} cannot be loaded: {error}.") from None
    except Exception as error:  # another's code may raise anything
        raise OptionError(f"{shown(named)} cannot be loaded: {_raised(error)}.") from None
    found = getattr(home, attribute, None)
    if found is None:
        raise OptionError(f"The module {module} has no {shown(attribute)}.")
    if not callable(found):
        raise OptionError(f"{shown(named)} is not a class or function that makes an environment.")
    return found  # type: ignore[no-any-return]


def audit(
    make: Callable[[], Any],
    game: Game,
    games: int = 2000,
    seed: int = 0,
    progress: Callable[[float], None] = lambda share: None,
    stop: Callable[[], bool] = lambda: False,
) -> Audit:
    """Play so many random games in an environment and by our rules, side by side.

    Raises `OptionError` if the environment cannot be made.
    """
    found: dict[str, Difference] = {}
    steps = played = 0
    deals: set[tuple[int, ...]] = set()
    try:
        env = _made(make)
    except _FoundError as error:
        raise OptionError(f"The environment cannot be made without arguments: {error}.") from None
    for number in range(games):
        if stop():
            break
        progress(number / games)
        sitting = _Sitting(env, game, Dice(seed, number), number)
        try:
            sitting.play()
        except _FoundError as difference:
            _note(found, difference, sitting)
            env = None  # what it has done to its state is not known
        if sitting.first:
            deals.add(tuple(sitting.first))
        steps += len(sitting.actions)
        played += 1
        try:
            env = _made(make) if env is None else env
        except _FoundError as difference:
            _note(found, difference, sitting)
            break
    if game.has_numbers and played > EVERY and len(deals) == 1:
        _note(found, _FoundError("seeding", f"all {played} seeds gave the same deal"), sitting)
    progress(1.0)
    return Audit(played, steps, tuple(found[kind] for kind in KINDS if kind in found))


def _made(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except Exception as error:  # another's code may raise anything, and that is what is looked for
        raise _FoundError("crash", f"making it raised {_raised(error)}") from None


def _raised(error: Exception) -> str:
    """An error of another's code in one line: 'ZeroDivisionError: division by zero'."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":").removesuffix(".")


def _note(found: dict[str, Difference], difference: _FoundError, sitting: _Sitting) -> None:
    known = found.get(difference.kind)
    if known is not None:
        found[difference.kind] = known._replace(games=known.games + 1)
        return
    position = sitting.position
    found[difference.kind] = Difference(
        difference.kind,
        difference.told,
        sitting.seed,
        sitting.game.write_board(position) if position else "",
        tuple(sitting.actions),
        tuple(sitting.game.texts[action] for action in sitting.actions),
        1,
    )


class _Sitting:
    """One game of the environment beside one of ours."""

    def __init__(self, env: Any, game: Game, dice: Dice, number: int) -> None:
        self.env, self.game, self.dice, self.number = env, game, dice, number
        self.layout = part(game.name, "gym_layout")
        self.seed = dice.below(1 << 31)
        self.actions: list[int] = []
        self.first: list[int] = []
        self.position: Position | None = None

    def play(self) -> None:
        """Play it to the end. Raises `_FoundError` at the first difference."""
        seen = self._reset()
        self.first = seen
        if self.number % EVERY == 1 and self._reset() != seen:
            raise _FoundError("seeding", f"reset(seed={self.seed}) twice gave two different boards")
        numbers = self.layout.numbers(self.game, seen)
        try:
            if self.game.has_numbers:
                self.game.check_numbers(numbers)
        except BoardError as error:
            raise _FoundError("deal", str(error)) from None
        position = self.position = self.game.opening(numbers)
        self._same(seen, position)
        wrong_at = 1 + self.dice.below(self.game.size) if self.number % EVERY == 0 else -1
        while position.turn:
            if position.ply == wrong_at:
                self._try_illegal(position)
                return
            action = self.dice.choice(position.actions())
            self.actions.append(action)
            after = position.play(action)
            self._step(position.mover, action, after)
            position = self.position = after

    def _call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return getattr(self.env, name)(*args, **kwargs)
        except Exception as error:  # another's code may raise anything, and that is what is looked for
            told = f"{name}({', '.join(map(str, (*args, *kwargs.values())))}) raised {_raised(error)}"
            raise _FoundError("crash", told) from None

    def _reset(self) -> list[int]:
        answer = self._call("reset", seed=self.seed)
        if not (isinstance(answer, tuple) and len(answer) == 2):
            raise _FoundError("crash", f"reset gave {type(answer).__name__} instead of an observation and info")
        return self._seen(answer[0])

    def _seen(self, observation: Any) -> list[int]:
        """The observation as plain numbers."""
        space = getattr(self.env, "observation_space", None)
        array = np.asarray(observation)
        if space is not None and not (array.dtype == space.dtype and space.contains(observation)):
            told = f"an observation of type {array.dtype} and shape {array.shape} is not in {space}"
            raise _FoundError("space", told)
        return [int(value) for value in array.ravel()]

    def _same(self, seen: list[int], position: Position) -> None:
        """Compare the board and the legal moves."""
        expected = self.layout.write(position)
        if seen != expected:
            raise _FoundError("board", f"the observation is {seen} where it should be {expected}")
        if position.turn:
            moves = sorted(int(action) for action in self._call("valid_moves"))
            if moves != list(position.actions()):
                raise _FoundError("legal moves", f"valid_moves() is {moves}, but {list(position.actions())} are legal")
        if self.number % EVERY == 2 and not isinstance(text := self._call("render"), str):
            raise _FoundError("render", f"render() gave {type(text).__name__} instead of text")

    def _step(self, mover: int, action: int, after: Position) -> None:
        answer = self._call("step", action)
        if not (isinstance(answer, tuple) and len(answer) == 5):
            raise _FoundError("crash", f"step gave {type(answer).__name__} instead of a five-tuple")
        observation, reward, terminated, truncated, info = answer
        outcome = after.outcome()
        if outcome is None and (terminated or truncated):
            raise _FoundError("end", f"the game ended after {after.ply} moves; by the rules it goes on")
        if outcome is not None and not terminated:
            raise self._goes_on(after)
        self._same(self._seen(observation), after)
        due = 0 if outcome is None else 1 if outcome.winner == mover else -1
        if outcome is not None:
            told = _told_winner(info, reward, mover)
            if told != outcome.winner:
                who = f"Player {told}" if told else "nobody"
                raise _FoundError(
                    "winner", f"{who} wins; by the rules it is Player {outcome.winner} ({outcome.reason})"
                )
        if reward != due:
            raise _FoundError("reward", f"Player {mover}'s move paid {reward}; it should pay {due}")

    def _goes_on(self, after: Position) -> _FoundError:
        """By the rules it is over: see whether it ever ends."""
        late = 0
        for late in range(1, 4 * self.game.cell_count + 1):
            moves = list(self._call("valid_moves"))
            if not moves:
                return _FoundError("endless", f"after {after.ply} moves nobody can move and the game is not over")
            if self._call("step", self.dice.choice(moves))[2]:
                return _FoundError("end", f"by the rules it is over after {after.ply} moves; it ended {late} later")
        return _FoundError("endless", f"by the rules it is over after {after.ply} moves; {late} later it still went on")

    def _try_illegal(self, position: Position) -> None:
        """An illegal action must raise, lose the game, or change nothing."""
        wrong = [action for action in range(self.game.action_count) if action not in position.actions()]
        action = self.dice.choice(wrong)
        try:
            observation, reward, terminated, truncated, _ = self.env.step(action)
        except Exception:  # a refusal, of whatever kind, is what is wanted
            return
        self.actions.append(action)
        name = f"{action} ({self.game.texts[action]})"
        if (terminated or truncated) and reward >= 0:
            raise _FoundError("illegal moves", f"{name} is not allowed, and ended the game with reward {reward}")
        if not (terminated or truncated):
            same = [int(value) for value in np.asarray(observation).ravel()] == self.layout.write(position)
            legal = sorted(int(move) for move in self._call("valid_moves")) == list(position.actions())
            if not (same and legal and reward <= 0):
                raise _FoundError("illegal moves", f"{name} is not allowed, and was made all the same")


def _told_winner(info: Any, reward: float, mover: int) -> int | None:
    """Who has won, as the environment tells it: by `winner` in info, or else by the reward of who moved last."""
    told = info.get("winner") if isinstance(info, dict) else None
    if told is None:
        return mover if reward > 0 else 3 - mover if reward < 0 else None
    return {1: 1, -1: 2, 2: 2}.get(told)

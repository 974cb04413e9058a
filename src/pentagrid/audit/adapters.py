"""One face for the common interfaces: Gymnasium, PettingZoo's AEC, and whatever a protocol file describes."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import copy, deepcopy
from itertools import product
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from pentagrid.audit.moment import Action, Moment, shorten
from pentagrid.audit.sources import (
    SCORE_NAMES,
    WINNER_NAMES,
    TellingPlace,
    as_moves,
    find_legal,
    find_player,
    find_source,
    hashable,
    unwrapped,
)
from pentagrid.audit.trail import Trail

PROBE_MOVES = 300
"""Moves of the game that is played to find out whose turn is told where."""
MOST_ACTIONS = 4096
"""Larger action spaces are not listed in full."""


class CallError(Exception):
    """A call of the environment raised, or tried to end the program."""

    def __init__(self, call: str, error: BaseException, calls: Sequence[str] = ()) -> None:
        self.call, self.error = call, error
        self.calls = tuple(calls)
        """The statements that led to it, after the one that makes the environment."""
        super().__init__(f"{call} raised {one_line(error)}")

    @property
    def exits(self) -> bool:
        """Did it try to end the program?"""
        return isinstance(self.error, SystemExit)


def one_line(error: BaseException) -> str:
    """An error of another's code in one line: 'ZeroDivisionError: division by zero'."""
    try:
        text = str(error)
    except Exception:  # another's code may raise anything
        text = ""
    line = " ".join(f"{type(error).__name__}: {text}".split()).removesuffix(":").removesuffix(".")
    return line if len(line) <= 300 else line[:300] + "…"


class Factory(NamedTuple):
    """How an environment is made, and the line of Python that does the same."""

    make: Callable[..., Any]
    code: str
    """Python statements that bind `env`."""
    protocol: ModuleType | None = None
    """The protocol file, where there is one."""


class Adapter(ABC):
    """An environment with one face: `reset` and `step` return a `Moment`."""

    style: str = ""
    """The interface in words."""
    legal_source: TellingPlace | None = None
    player_source: TellingPlace | None = None
    winner_source: TellingPlace | None = None
    score_source: TellingPlace | None = None
    takes_seed = True
    show = ""
    """A Python expression that shows what a call has led to, where the call does not return it."""
    observed = ""
    """A Python expression for the observation, where it is not the first value that a call returns."""

    def __init__(self, factory: Factory, trail: Trail, model: Adapter | None = None) -> None:
        """A new environment; `model` is an earlier one, from which what is told where is taken over."""
        self.factory, self.trail = factory, trail
        self.process = os.getpid()
        self.calls: list[str] = [factory.code]
        """The Python statements that lead here."""
        self.complaints: list[tuple[str, str]] = []
        """What was wrong with the form of an answer: the name of a check, and the evidence."""
        self.told_moves: dict[str, Action] = {} if model is None else model.told_moves
        """Every legal move that was ever told, by its text: the actions of an environment that declares none."""
        self.env = self.call("", factory.make, record=False)
        if model is not None:
            self.legal_source, self.player_source = model.legal_source, model.player_source
            self.winner_source, self.score_source = model.winner_source, model.score_source
            self.takes_seed, self.style = model.takes_seed, model.style
        self.last: Moment | None = None

    def call(self, text: str, function: Callable[..., Any], *args: Any, record: bool = True, **kwargs: Any) -> Any:
        """What a call returns. Raises `CallError` if it raises."""
        if record:
            self.calls.append(text)
        self.trail.begin(self, self.calls, "" if record else text)
        try:
            return function(*args, **kwargs)
        except BaseException as error:  # another's code may raise anything, and try to end the program
            passing = () if record or not text else (text,)
            raise CallError(text or "making it", error, (*self.calls[1:], *passing)) from None
        finally:
            self.trail.end()
            if os.getpid() != self.process:
                os._exit(0)  # the call has forked, and this is the other process

    def copy(self) -> Adapter:
        """A deep copy of the environment with a face of its own. Raises `CallError`."""
        other = copy(self)
        other.calls, other.complaints = [*self.calls, "import copy"], []
        other.env = other.call("env = copy.deepcopy(env)", deepcopy, self.env)
        return other

    @property
    def copies_anew(self) -> bool:
        """Do copies begin anew by design? Those of Gymnasium's EzPickle are made again from their arguments."""
        return any(kind.__name__ == "EzPickle" for kind in type(unwrapped(self.env)).__mro__)

    @abstractmethod
    def reset(self, seed: int | None = None) -> Moment:
        """Begin a game. Raises `CallError`."""

    @abstractmethod
    def step(self, action: Action) -> Moment:
        """Make a move. Raises `CallError`."""

    def reset_code(self, seed: object = None) -> str:
        """A Python expression that begins a game; the seed may be a variable."""
        return "env.reset()" if seed is None or not self.takes_seed else f"env.reset(seed={seed})"

    def step_code(self, action: object, env: str = "env") -> str:
        """A Python expression that makes a move, of an action as it is written in Python."""
        return f"{env}.step({action})"

    def observation_code(self, call: str) -> str:
        """A Python expression for the observation after a call."""
        if self.observed:
            return f"({call}, {self.observed})[1]"
        old = ".reset(" in call and any(name == "reset-return" for name, _ in self.complaints)
        return call if old else f"{call}[0]"

    @abstractmethod
    def observation_space(self) -> Any:
        """The space that the last observation should be in, or None where none is declared."""

    @abstractmethod
    def action_space(self) -> Any:
        """The space of the next action, or None where none is declared."""

    def legal(self) -> list[Action] | None:
        """The legal moves now, or None where they are not told. Raises `CallError`."""
        if self.legal_source is None or self.last is None:
            return None
        source, last = self.legal_source, self.last
        value = self.call(source.code, source.read, self.env, last.observation, last.info, record=False)
        try:
            return as_moves(value, start_of(self.action_space()), source.where)
        except TypeError as error:
            raise CallError(source.where, error) from None

    def player(self) -> Hashable:
        """Whose turn it is now, or None where it is not told. Raises `CallError`."""
        return hashable(self.read(self.player_source))

    def read(self, source: TellingPlace | None) -> Any:
        """What a source tells now; None where there is none. Raises `CallError`."""
        if source is None or self.last is None:
            return None
        return self.call(source.where, source.read, self.env, self.last.observation, self.last.info, record=False)

    def told(self, source: TellingPlace | None) -> Any:
        """What a source tells now, or None where there is none or it raises."""
        try:
            return self.read(source)
        except CallError:
            return None

    def look(self, moment: Moment) -> Moment:
        """Add the legal moves and the player to a moment that `reset` or `step` returned."""
        self.last = moment
        try:
            moment.legal = self.legal()
            if len(self.told_moves) < MOST_ACTIONS:
                self.told_moves |= {repr(move): move for move in moment.legal or ()}
            moment.player = self.player()
        except CallError:
            if not moment.over:
                raise
        return moment

    def all_actions(self) -> list[Action]:
        """Every action of the space, where it is small enough to be listed; without a space, those ever told."""
        space = self.action_space()
        if space is None:
            return list(self.told_moves.values())
        if (n := getattr(space, "n", None)) is not None and np.ndim(n) == 0 and int(n) <= MOST_ACTIONS:
            return list(range(start_of(space), start_of(space) + int(n)))
        nvec = getattr(space, "nvec", None)
        if nvec is not None and np.prod(nvec) <= MOST_ACTIONS:
            return list(product(*(range(int(n)) for n in np.ravel(nvec))))
        return []

    def space_of(self, moment: Moment) -> Any:
        """The space that the observation of a moment should be in, or None where none is declared."""
        return self.observation_space()

    @property
    def legal_code(self) -> str:
        """A Python expression that shows the legal moves, or nothing where they are in what a call returns."""
        return self.legal_source.code if self.legal_source else ""

    def find_sources(self, opening: Moment) -> None:
        """Find out what is told where. The environment has been reset and is played to an end."""
        protocol = self.factory.protocol
        env, observation, info = self.env, opening.observation, opening.info
        self.last = opening
        self.legal_source = _protocol_source(protocol, "legal") or find_legal(env, observation, info)
        self.player_source = _protocol_source(protocol, "player") or find_player(env, observation, info, self._values)
        self.winner_source = _protocol_source(protocol, "winner") or find_source(WINNER_NAMES, env, observation, info)
        self.score_source = _protocol_source(protocol, "scores") or find_source(SCORE_NAMES, env, observation, info)
        legal = f"legal moves from {self.legal_source.where}" if self.legal_source else "legal moves not told"
        player = f"turns from {self.player_source.where}" if self.player_source else "turns taken to alternate"
        self.style = f"{self.style}; {legal}; {player}"

    def _values(self, source: TellingPlace) -> set[Hashable]:
        """What a place says in a game, before its end."""
        values: set[Hashable] = set()
        moment = self.reset(0)
        for _ in range(PROBE_MOVES):
            if moment.over:
                break
            value = source.read(self.env, moment.observation, moment.info)
            if isinstance(value, list | dict | set):
                return set()  # a hand of cards, say
            values.add(hashable(value))
            moves = self.all_actions() if moment.legal is None else moment.legal
            if not moves:
                break
            moment = self.step(moves[len(values) % len(moves)])
        return values


def _protocol_source(protocol: ModuleType | None, name: str) -> TellingPlace | None:
    function = getattr(protocol, name, None)
    return TellingPlace(f"{name}(env)", lambda env, *_: function(env), f"{name}(env)") if function else None


class GymnasiumAdapter(Adapter):
    """Gymnasium's interface; older ones are understood and complained about."""

    style = "Gymnasium"

    def reset_code(self, seed: object = None) -> str:
        return f"reset(env, {seed})" if hasattr(self.factory.protocol, "reset") else super().reset_code(seed)

    def step_code(self, action: object, env: str = "env") -> str:
        return f"step({env}, {action})" if hasattr(self.factory.protocol, "step") else super().step_code(action, env)

    def reset(self, seed: int | None = None) -> Moment:
        protocol = getattr(self.factory.protocol, "reset", None)
        if protocol is not None:
            answer = self.call(self.reset_code(seed), protocol, self.env, seed)
        elif seed is None or not self.takes_seed:
            answer = self.call(self.reset_code(), self.env.reset)
        else:
            answer = self.call(self.reset_code(seed), self.env.reset, seed=seed)
        observation: Any = answer
        info: Any = {}
        if isinstance(answer, tuple) and len(answer) == 2:
            observation, info = answer
            if not isinstance(info, Mapping):
                self.complain("info-type", f"reset() returned {shorten(info)} as info, not a dictionary")
        else:
            self.complain("reset-return", f"reset() returned {shorten(answer)}, not (observation, info)")
        return self.look(Moment(observation, None, None, info))

    def step(self, action: Action) -> Moment:
        protocol = getattr(self.factory.protocol, "step", None)
        if protocol is not None:
            answer = self.call(self.step_code(repr(action)), protocol, self.env, action)
        else:
            answer = self.call(self.step_code(repr(action)), self.env.step, action)
        if isinstance(answer, tuple) and len(answer) == 5:
            observation, reward, terminated, truncated, info = answer
        elif isinstance(answer, tuple) and len(answer) == 4:
            self.complain("step-return", "step() returned four values, as before Gymnasium; there should be five")
            (observation, reward, terminated, info), truncated = answer, False
        else:
            error = TypeError(f"it returned {shorten(answer)}, not five values, so play cannot go on")
            raise CallError(self.calls[-1], error, self.calls[1:])
        if not isinstance(info, Mapping):
            self.complain("info-type", f"step() returned {shorten(info)} as info, not a dictionary")
            info = {}
        rewards = _both_rewards(reward, info)
        return self.look(Moment(observation, None, None, info, reward, terminated, truncated, rewards))

    def complain(self, check: str, evidence: str) -> None:
        """Note what is wrong with the form of an answer, once."""
        if all(check != name for name, _ in self.complaints):
            self.complaints.append((check, evidence))

    def observation_space(self) -> Any:
        return getattr(self.env, "observation_space", None)

    def action_space(self) -> Any:
        return getattr(self.env, "action_space", None)


def start_of(space: Any) -> int:
    """The first action of a space of numbers."""
    start = getattr(space, "start", 0)
    return int(start) if np.ndim(start) == 0 else 0


def _both_rewards(reward: Any, info: Mapping[str, Any]) -> Mapping[Hashable, Any] | None:
    """What each player was paid, where the reward or the info has an entry for each of two."""
    told = reward if isinstance(reward, Mapping | list | tuple) else info.get("rewards")
    if isinstance(told, Mapping) and len(told) == 2:
        return dict(told)
    if isinstance(told, list | tuple) and len(told) == 2:
        return dict(enumerate(told))
    return None

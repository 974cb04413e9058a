"""What an environment shows at one moment of a game, in the same form whatever its interface."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
Action = Any
"""What `step` takes: mostly a whole number."""


def freeze(value: Any) -> Hashable:
    """An observation as a value that can be compared and does not change with the environment."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes() if value.dtype != object else repr(value.tolist())
    if isinstance(value, Mapping):
        return tuple((str(key), freeze(value[key])) for key in sorted(value, key=str))
    if isinstance(value, list | tuple):
        return tuple(freeze(item) for item in value)
    if isinstance(value, np.generic):
        return value.dtype.str, value.tobytes()
    if isinstance(value, float):
        return "float", repr(value)  # as text, since what is not a number is not equal to itself
    if value is None or isinstance(value, bool | int | str | bytes):
        return type(value).__name__, value
    return type(value).__name__, ADDRESS.sub("", repr(value))


def shorten(value: Any, limit: int = 160) -> str:
    """A value as evidence shows it: on one line, cut to a length."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    elif isinstance(value, Mapping):
        value = {key: _plain(item) for key, item in value.items()}
    elif isinstance(value, list | tuple):
        value = type(value)(map(_plain, value)) if type(value) in (list, tuple) else value
    try:
        text = " ".join(repr(value).split())
    except Exception as error:  # another's code may raise anything
        text = f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return text if len(text) <= limit else text[:limit] + "…"


def printable(text: str) -> str:
    """Another's text without control characters and without half letters, which files and terminals cannot take."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def is_flag(value: Any) -> bool:
    """Is it a bool, of Python or of NumPy?"""
    return isinstance(value, bool | np.bool_)


def truth(value: Any) -> bool:
    """Whether a flag is up, whatever its type; an array of one counts as its element."""
    try:
        return bool(np.all(value))
    except (TypeError, ValueError):
        return bool(value)


def snapshot(value: Any) -> Any:
    """An observation as it is now, whatever becomes of its arrays."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: snapshot(item) for key, item in value.items()}
    return type(value)(map(snapshot, value)) if type(value) in (list, tuple) else value


def as_number(value: Any) -> float | None:
    """A reward as a number, or None where it is none."""
    if isinstance(value, bool | np.bool_):
        return float(value)
    if isinstance(value, int | float | np.integer | np.floating):
        return float(value)
    if isinstance(value, np.ndarray) and value.size == 1 and value.dtype.kind in "iuf":
        return float(value.ravel()[0])
    return None


class Moment:
    """What an environment shows after `reset` or after a `step`."""

    def __init__(
        self,
        observation: Any,
        legal: list[Action] | None,
        player: Hashable,
        info: Any,
        reward: Any = None,
        terminated: Any = False,
        truncated: Any = False,
        rewards: Mapping[Hashable, Any] | None = None,
    ) -> None:
        self.observation = observation
        """What was returned, which may change later."""
        self.shown = snapshot(observation)
        """The same as it was then."""
        self.frozen = freeze(observation)
        self.legal = legal
        """The legal moves as the environment tells them, or None where it does not."""
        self.player = player
        """Whose turn it is as the environment tells it, or None where it does not."""
        self.info = info
        self.reward = reward
        """What the last move was paid: its mover's, as far as anybody can tell."""
        self.terminated, self.truncated = terminated, truncated
        self.rewards = rewards
        """What each player was paid, where that is told."""
        self.over = truth(terminated) or truth(truncated)

    @cached_property
    def key(self) -> Hashable:
        """All that is told about the state, to compare: two moments with different keys are different states."""
        legal = None if self.legal is None or self.over else tuple(sorted(map(repr, self.legal)))
        return self.frozen, legal, None if self.over else repr(self.player), self.over

    def difference(self, other: Moment) -> str:
        """What is different in another moment, in a few words; empty where nothing is."""
        if self.frozen != other.frozen:
            return f"the observation is {shorten(other.shown)}, not {shorten(self.shown)}"
        if self.over != other.over:
            return "the game is over" if other.over else "the game is not over"
        if self.key != other.key:
            if repr(self.player) != repr(other.player):
                return f"it is the turn of {other.player!r}, not of {self.player!r}"
            return f"the legal moves are {shorten(other.legal)}, not {shorten(self.legal)}"
        if freeze(self.reward) != freeze(other.reward):
            return f"the reward is {shorten(other.reward)}, not {shorten(self.reward)}"
        return ""

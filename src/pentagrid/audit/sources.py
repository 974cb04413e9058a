"""Where an environment tells its legal moves, whose turn it is, the winner and the scores: the common places."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np

MOVES = ("moves", "actions")
LEGAL_NAMES = tuple(
    f"{prefix}{kind}_{what}"
    for kind in ("valid", "legal", "available", "possible")
    for what in MOVES
    for prefix in ("", "get_")
)
MASK_NAMES = tuple(
    f"{prefix}{name}"
    for name in ("action_masks", "action_mask", "valid_action_mask", "legal_action_mask", "legal_actions_mask")
    for prefix in ("", "get_")
)
PLAYER_NAMES = (
    "current_player", "player_to_move", "active_player", "to_play", "to_move", "current_agent", "get_current_player",
    "side_to_move", "player_turn", "whose_turn",
)  # fmt: skip
DOUBTFUL_PLAYER_NAMES = ("player", "turn", "current_turn", "current", "side")
"""Names that may tell whose turn it is, or a number of turns: only trusted with at most two values."""
WINNER_NAMES = ("winner", "winner_id", "get_winner")
LABELS = ("name", "id", "player_id", "number", "index", "symbol", "mark", "color")
"""What tells players apart where they are objects."""
SCORE_NAMES = ("scores", "score", "points", "totals", "get_scores")


class TellingPlace(NamedTuple):
    """One place where something is told."""

    where: str
    """In words: 'valid_moves()', 'info["action_mask"]'."""
    read: Callable[[Any, Any, Any], Any]
    """From the environment, the last observation and the last info."""
    code: str
    """A Python expression about `env`, or empty where it is in what `step` returns."""


def unwrapped(env: Any) -> Any:
    """The environment inside Gymnasium's or PettingZoo's wrappers."""
    inner = getattr(env, "unwrapped", env)
    return env if inner is None else inner


def _member(env: Any, name: str) -> TellingPlace | None:
    """A method without arguments, or an attribute, of the environment."""
    inner = name not in dir(env)
    holder, code = (unwrapped(env), "env.unwrapped") if inner else (env, "env")
    if name not in dir(holder):
        return None
    value = getattr(holder, name, None)
    if callable(value) and needed_arguments(value):
        return None
    if callable(value):
        return TellingPlace(f"{name}()", lambda env, *_: _of(env, name, inner)(), f"{code}.{name}()")
    if value is not None or name in WINNER_NAMES:
        return TellingPlace(name, lambda env, *_: _of(env, name, inner), f"{code}.{name}")
    return None


def _of(env: Any, name: str, inner: bool) -> Any:
    return getattr(unwrapped(env) if inner else env, name)


def _key(name: str, observation: Any, info: Any) -> TellingPlace | None:
    """An entry of info, or of an observation that is a dictionary."""
    if isinstance(info, Mapping) and name in info:
        return TellingPlace(f'info["{name}"]', lambda env, observation, info: info[name], "")
    if isinstance(observation, Mapping) and name in observation:
        return TellingPlace(f'observation["{name}"]', lambda env, observation, info: observation[name], "")
    return None


def find_source(names: tuple[str, ...], env: Any, observation: Any, info: Any) -> TellingPlace | None:
    """The first place that there is: members of the environment before what it returns."""
    for name in names:
        if source := _member(env, name):
            return source
    for name in names:
        if source := _key(name, observation, info):
            return source
    return None


def find_legal(env: Any, observation: Any, info: Any) -> TellingPlace | None:
    """Where the legal moves are told, as a list or as a mask."""
    return find_source(LEGAL_NAMES + MASK_NAMES, env, observation, info)


def find_player(
    env: Any, observation: Any, info: Any, values: Callable[[TellingPlace], set[Hashable]]
) -> TellingPlace | None:
    """Where it is told whose turn it is; `values` plays a game and returns what a place said in it."""
    if source := find_source(PLAYER_NAMES, env, observation, info):
        return source
    for name in DOUBTFUL_PLAYER_NAMES:
        source = find_source((name,), env, observation, info)
        if source and len(values(source)) == 2:
            return source
    return None


def as_moves(value: Any, start: int, name: str) -> list[Any]:
    """Legal moves as a list: of a mask its indices, of NumPy's numbers Python's."""
    if isinstance(value, Mapping):
        value = list(value)
    if isinstance(value, np.ndarray) and value.ndim > 1 and "mask" not in name:
        return [tuple(row.tolist()) for row in value]
    flags = value.dtype == np.bool_ if isinstance(value, np.ndarray) else _are_flags(value)
    if "mask" in name or flags:
        return [start + int(i) for i in np.flatnonzero(np.asarray(value))]
    return [plain_action(item) for item in value]


def _are_flags(value: Any) -> bool:
    """Is it a list of true and false, and so a mask?"""
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(item, bool | np.bool_) for item in value)


def plain_action(action: Any) -> Any:
    """An action without NumPy: what `repr` writes as code."""
    if isinstance(action, np.generic):
        return action.item()
    if isinstance(action, np.ndarray):
        return tuple(action.tolist())
    if isinstance(action, list | tuple):
        return tuple(plain_action(item) for item in action)
    return action


def hashable(value: Any) -> Hashable:
    """A player's name or number as a value to compare; None for an object that has neither."""
    value = (
        value.item() if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.size == 1) else value
    )
    if has_no_repr(value):
        labels = (getattr(value, name, None) for name in LABELS)
        return next((label for label in labels if isinstance(label, int | str)), None)
    return value if isinstance(value, Hashable) else repr(value)


def has_no_repr(value: Any) -> bool:
    """Is it an object of which Python only shows the address?"""
    shows: Any = type(value).__repr__
    return shows is object.__repr__


def needed_arguments(function: Any) -> list[str]:
    """The arguments without which something cannot be called."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in parameters if p.default is p.empty and p.kind not in variable]

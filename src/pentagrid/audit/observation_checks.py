"""Checks of what an environment shows: spaces, types, buffers that change afterward, the form of answers."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pentagrid.audit.adapters import GymnasiumAdapter
from pentagrid.audit.finding import GameSeen, Seen, Severity, env_check, game_check
from pentagrid.audit.moment import freeze, shorten
from pentagrid.audit.referee import Episode, Referee
from pentagrid.audit.seed_checks import first_difference

ARRAY_SCRIBBLE = "obs[...] = 0 if obs.any() else 1"
PARTS_SCRIBBLE = '[a.fill(not a.any()) for a in {parts} if hasattr(a, "fill") and a.flags.writeable]'


def _complaints(check: str, game: Episode) -> Iterator[GameSeen]:
    for name, evidence in game.adapter.complaints:
        if name == check:
            yield GameSeen(0 if check == "reset-return" else min(1, len(game.moments) - 1), evidence)


@game_check("reset-return", Severity.TOOLS, "reset() does not return an observation and info")
def reset_return(game: Episode) -> Iterator[GameSeen]:
    yield from _complaints("reset-return", game)


@game_check("step-return", Severity.TOOLS, "step() does not return five values")
def step_return(game: Episode) -> Iterator[GameSeen]:
    yield from _complaints("step-return", game)


@game_check("info-type", Severity.TOOLS, "info is not a dictionary")
def info_type(game: Episode) -> Iterator[GameSeen]:
    yield from _complaints("info-type", game)


@game_check("space", Severity.TOOLS, "an observation is not in the declared space")
def space(game: Episode) -> Iterator[GameSeen]:
    for ply, moment in enumerate(game.moments):
        declared = game.adapter.space_of(moment)
        if declared is None and game.adapter.factory.protocol is not None:
            return
        if declared is None:
            yield GameSeen(0, "there is no observation_space", "none", "env.observation_space")
            return
        if found := misfit(declared, moment.observation):
            yield GameSeen(ply, found[1], found[0])


def misfit(space: Any, value: Any) -> tuple[str, str] | None:
    """Why a value is not in a space: the cause in a word, and a sentence without its period. None where it is."""
    spaces = getattr(space, "spaces", None)
    if isinstance(spaces, Mapping):
        if not isinstance(value, Mapping):
            return "type", f"it is {shorten(value, 60)}, not a dictionary"
        if set(value) != set(spaces):
            return "keys", f"its keys are {sorted(map(str, value))}, not {sorted(map(str, spaces))}"
        for key, inner in spaces.items():
            if found := misfit(inner, value[key]):
                return found[0], f"{key}: {found[1]}"
        return None
    shape, kind = getattr(space, "shape", None), getattr(space, "dtype", None)
    if shape is not None and kind is not None and hasattr(space, "low"):
        if not isinstance(value, np.ndarray | np.generic):
            return "type", f"it is a {type(value).__name__}, not an array: {shorten(value, 60)}"
        if value.shape != shape:
            return "shape", f"its shape is {value.shape}, not {shape}"
        if not np.can_cast(value.dtype, kind):
            return "type", f"its type is {value.dtype}, not {kind}"
        value = np.asarray(value)
        wrong = ~((value >= space.low) & (value <= space.high))
        if wrong.any():
            place = tuple(int(i) for i in np.argwhere(wrong)[0])
            bounds = f"{np.asarray(space.low)[place]} to {np.asarray(space.high)[place]}"
            return "bounds", f"{value[place]} at {list(place)} is outside {bounds}"
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            inside = bool(space.contains(value))
        except Exception as error:  # another's space may raise anything
            return "type", f"{shorten(value, 60)} makes {type(space).__name__}.contains raise {type(error).__name__}"
    return None if inside else ("value", f"{shorten(value, 60)} is not in {shorten(space, 60)}")


@game_check("alias", Severity.TOOLS, "an observation changes after it was returned")
def alias(game: Episode) -> Iterator[GameSeen]:
    for ply, moment in enumerate(game.moments):
        if freeze(moment.observation) != moment.frozen:
            yield GameSeen(
                ply,
                f"the observation returned after {ply} moves was another one later: it shares the environment's memory",
                calls=_twice_looked_at(game, ply),
            )
            return


def _twice_looked_at(game: Episode, ply: int) -> tuple[str, ...]:
    """The statements that print an observation when it is returned, and again after the rest of the game."""
    adapter, (*before, call) = game.adapter, game.log[1 : game.marks[ply]]
    later = f"[{adapter.observation_code(adapter.step_code('a'))} for a in {game.actions[ply:]!r}]"
    return (*before, f"first = {adapter.observation_code(call)}", "print(first)", later, "print(first)")


@env_check("observation-writable", Severity.TOOLS, "writing into an observation changes the game")
def observation_writable(referee: Referee) -> Iterator[Seen]:
    if not referee.reproducible or not isinstance(referee.model, GymnasiumAdapter):
        return
    game = referee.play(3, 3)
    actions = list(game.actions)

    def scribble(played: Episode) -> None:
        for array in _arrays(played.last.observation):
            if array.flags.writeable and array.dtype.kind in "iufb":
                array[...] = 0 if array.any() else 1

    again = referee.play(3, 3, actions=actions, moves=len(actions), on_move=scribble)
    found = first_difference(game, again)
    if found and found[0] > 0:
        adapter = game.adapter
        begin = [adapter.reset_code(3), *(adapter.step_code(repr(action)) for action in actions[: found[0] - 1])]
        scribbled = [f"obs = {adapter.observation_code(call)}; {_scribble_code(game)}" for call in begin]
        yield Seen(
            f"an agent wrote into the arrays that it was given; then {found[1]}",
            (*scribbled, f"print({adapter.step_code(repr(actions[found[0] - 1]))})"),
        )


def _scribble_code(game: Episode) -> str:
    """The statement that writes into the arrays of an observation `obs`."""
    observation = game.moments[0].observation
    if isinstance(observation, np.ndarray):
        return ARRAY_SCRIBBLE
    return PARTS_SCRIBBLE.format(parts="obs.values()" if isinstance(observation, Mapping) else "obs")


def _arrays(observation: Any) -> Iterator[np.ndarray]:
    if isinstance(observation, np.ndarray):
        yield observation
    elif isinstance(observation, Mapping | list | tuple):
        for value in observation.values() if isinstance(observation, Mapping) else observation:
            yield from _arrays(value)


@game_check("observation-frozen", Severity.MEASURED, "the observation never changes during a game")
def observation_frozen(game: Episode) -> Iterator[GameSeen]:
    if len(game.moments) > 2 and len({moment.frozen for moment in game.moments}) == 1:
        yield GameSeen(2, f"it is {shorten(game.last.observation)} after every one of {len(game.actions)} moves")

"""Checks of chance: seeds, the global random generators, and what is dealt."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from pentagrid.audit.finding import Seen, Severity, env_check
from pentagrid.audit.moment import shorten
from pentagrid.audit.other_process import differs_elsewhere, uses_hashes
from pentagrid.audit.referee import Episode, Referee, random_states

TWINS = 6
"""Games that are played twice."""
OPENINGS = 300
"""Resets whose openings are compared."""
FEW = 64
"""Fewer different openings may be too few."""
BOARD_KEYS = ("observation", "board")
"""Where the board is in an observation that is a dictionary."""
USUAL = 20
"""A number that should have been dealt so often by now, and never was, is missing."""


def first_difference(one: Episode, other: Episode) -> tuple[int, str] | None:
    """After how many moves two games with the same moves differ first, and how."""
    for ply, (here, there) in enumerate(zip(one.moments, other.moments, strict=False)):
        if difference := here.difference(there):
            return ply, difference
    if len(other.moments) < len(one.moments):
        return len(other.moments), str(other.error) if other.error else "the game cannot go on"
    return None


@env_check("no-seed", Severity.MEASURED, "reset() takes no seed")
def no_seed(referee: Referee) -> Iterator[Seen]:
    if not referee.model.takes_seed:
        yield Seen(
            "reset(seed=0) is refused: reset() has no parameter seed", ("print(env.reset(seed=0))",), certain=True
        )


@env_check("same-seed", Severity.MEASURED, "the same seed and the same moves give different games")
def same_seed(referee: Referee) -> Iterator[Seen]:
    for number in range(TWINS):
        game = referee.play(number, number)
        again = referee.twin(game)
        if not (found := first_difference(game, again)):
            continue
        ply, difference = found
        referee.chance, referee.reproducible = True, False
        if not referee.model.takes_seed:
            return
        calls = game.calls(ply) if ply < len(game.marks) else game.calls(len(game.marks) - 1)
        twice = (*calls, referee.factory.code, *calls)
        yield Seen(
            f"seed {game.seed}, moves {shorten(game.actions[:ply])}: the second time {difference}{_why(referee, game)}",
            twice,
            certain=True,
        )
        return
    if referee.model.takes_seed and uses_hashes(game.adapter.env) and differs_elsewhere(referee, game):
        referee.replayable = False
        yield Seen(
            f"seed {game.seed}, moves {shorten(game.actions)}: another process shows another game, since Python hashes "
            "text and orders sets of text differently in each; run the command several times",
            game.calls(len(game.actions)), "process", certain=True,
        )  # fmt: skip


def _why(referee: Referee, game: Episode) -> str:
    """Where the chance comes from, found by trying: whether the global generators make the games the same."""
    both = []
    for _ in range(2):
        random.seed(0)
        np.random.seed(0)
        both.append(referee.twin(game))
    if first_difference(*both):
        return ""
    return (
        "; after random.seed(0) and numpy.random.seed(0) they are the same: chance comes from there, not from the seed"
    )


@env_check("seed-without-effect", Severity.MEASURED, "every seed gives the same game, though there is chance")
def seed_effect(referee: Referee) -> Iterator[Seen]:
    adapter = referee.make()
    seeded = {adapter.reset(seed).key for seed in range(20)}
    fresh = {referee.make().reset().key for _ in range(4)} | {adapter.reset().key for _ in range(4)}
    games = [referee.play(seed, 0, actions=referee.play(0, 0).actions) for seed in range(3)]
    varies = any(first_difference(games[0], game) for game in games[1:])
    referee.chance = referee.chance or len(seeded) > 1 or len(fresh) > 1 or varies
    if len(seeded) == 1 and len(fresh) > 1 and not varies and referee.model.takes_seed and referee.reproducible:
        yield Seen(
            "20 seeds gave one opening, resets without a seed gave others",
            (f"print([{_opening_code(referee, 's')} for s in range(5)])",),
            certain=True,
        )
    if not referee.chance:
        referee.notes.append("There is no chance in this game: every reset gives the same opening.")


@env_check("unseeded-same", Severity.MEASURED, "resets without a seed give the same opening again")
def unseeded_same(referee: Referee) -> Iterator[Seen]:
    adapter = referee.make()
    if len({adapter.reset(seed).key for seed in range(20)}) < 3 or not referee.reproducible:
        return
    if len({referee.make().reset().key for _ in range(5)}) == 1:
        reset = f"print({_opening_code(referee)})"
        yield Seen(
            "five new environments, reset without a seed, had one opening",
            (reset, *(referee.factory.code, reset) * 2), "new", 5, 5, certain=True,
        )  # fmt: skip
    adapter.reset(7)
    if len({adapter.reset().key for _ in range(5)}) == 1:
        calls = (adapter.reset_code(7), f"print([{_opening_code(referee)} for _ in range(3)])")
        yield Seen(
            "after reset(seed=7) five resets without a seed gave one opening", calls, "again", 5, 5, certain=True
        )


@env_check("global-random", Severity.MEASURED, "the global random state is used or changed")
def global_random(referee: Referee) -> Iterator[Seen]:
    for name, change in (("random", random.seed), ("numpy.random", np.random.seed)):
        ends = []
        where = ""
        for start in (1, 2):
            change(start)
            before = random_states()[name]
            adapter = referee.make()
            if random_states()[name] != before:
                where = "making it"
            adapter.reset(7)
            if not where and random_states()[name] != before:
                where = "reset(seed=7)" if adapter.takes_seed else "reset()"
            game = referee.play(7, 0, adapter)
            after = random_states()[name]
            if not where and after != before:
                where = "step()"
            ends.append(after)
        if not where:
            continue
        seeds = "seeds the global generator, and so everybody else's chance too" if ends[0] == ends[1] else (
            "draws from the global generator, which everybody else draws from too"
        )  # fmt: skip
        state = "random.getstate()" if name == "random" else "numpy.random.get_state()[1:3]"
        begin = (f"import {name.partition('.')[0]}", f"before = repr({state})", referee.factory.code)
        calls = (*begin, *game.log[1:13])
        yield Seen(f"{where} {seeds} ({name})", (*calls, f"print(repr({state}) == before)"), name, certain=True)


@env_check("few-openings", Severity.MEASURED, "there are far fewer openings than the board could have")
def few_openings(referee: Referee) -> Iterator[Seen]:
    boards, distinct = _openings(referee)
    if boards is None or not 1 < distinct <= FEW:
        return
    possible = prod(len(np.unique(column)) for column in boards.T[:40])
    if possible >= 100 * distinct:
        yield Seen(
            f"{OPENINGS} seeds gave {distinct} different openings; what the cells show would make thousands",
            (f"print(len({{repr({_opening_code(referee, 's')}) for s in range({OPENINGS})}}))",),
            certain=True,
        )


@env_check("missing-number", Severity.MEASURED, "a number that should be dealt never is")
def missing_number(referee: Referee) -> Iterator[Seen]:
    boards, distinct = _openings(referee)
    if boards is None or distinct <= FEW or boards.dtype.kind not in "iu":
        return
    varied = boards[:, [len(np.unique(column)) > 1 for column in boards.T]]
    values, counts = np.unique(varied, return_counts=True)
    gaps = sorted(set(range(int(values[0]), int(values[-1]))) - set(values.tolist()))
    opening = f"{_opening_code(referee, 's')}{_board_code(referee)}"
    calls = (f"print(sorted({{int(n) for s in range({OPENINGS}) for n in {opening}.ravel()}}))",)
    usual = varied.size / (len(values) + 1)
    if usual < USUAL or len(values) < 4 or counts.min() < USUAL:
        return
    if 0 < len(gaps) <= len(values) // 4:
        yield Seen(
            f"{shorten(gaps)} was never dealt in {OPENINGS} openings; {values[0]} to {values[-1]} otherwise were",
            calls, "gap", OPENINGS, OPENINGS, certain=True,
        )  # fmt: skip
    space = referee.model.space_of(referee.model.last) if referee.model.last else None
    top = getattr(space, "high", None)
    if top is not None and np.ndim(top) and np.issubdtype(np.asarray(top).dtype, np.integer):
        highest = int(np.max(top))
        shown = {int(np.max(m.observation)) for game in referee.episodes for m in game.moments}
        if highest == values[-1] + 1 and max(shown, default=highest) < highest:
            yield Seen(
                f"the space goes to {highest}, but the highest number in {OPENINGS} openings was {values[-1]}",
                calls, "highest", OPENINGS, OPENINGS, Severity.UNTIDY, certain=True,
            )  # fmt: skip


def _opening_code(referee: Referee, seed: object = None) -> str:
    """A Python expression for the observation that a reset shows."""
    return referee.model.observation_code(referee.model.reset_code(seed))


def _board_code(referee: Referee) -> str:
    """What follows such an expression where the board is in a dictionary."""
    observation: Any = referee.model.last.observation if referee.model.last else None
    keys = BOARD_KEYS if isinstance(observation, dict) else ()
    return next((f"[{key!r}]" for key in keys if key in observation), "")


def _openings(referee: Referee) -> tuple[np.ndarray | None, int]:
    """The openings of many seeds as rows, where observations are arrays; and how many differ."""
    if not referee.chance or not referee.reproducible or not referee.model.takes_seed:
        return None, 0
    adapter = referee.make()
    rows = []
    for seed in range(OPENINGS):
        observation = adapter.reset(seed).observation
        if isinstance(observation, dict):
            observation = next((observation[key] for key in BOARD_KEYS if key in observation), None)
        if not isinstance(observation, np.ndarray) or observation.dtype.kind not in "iuf":
            return None, 0
        rows.append(np.array(observation).ravel())
    if len({row.shape for row in rows}) > 1:
        return None, 0
    boards = np.array(rows)
    if boards.dtype.kind == "f" and np.all(boards == np.round(boards)):
        boards = boards.astype(np.int64)
    return boards, len(np.unique(boards, axis=0))

"""The speed of the environments and of the arena, each compared with a peer in the same run.

    make bench-agents

Single environments: random legal play through `gymnasium.make`, with the choice of actions and all resets, compared to
Gymnasium's CartPole played at random; per second of processor time, which other work on the machine hardly changes.
Oracle: what its numbers in `info` add to a step on a deal that is solved. Arena: perfect against random, compared with
random against level:1. Thousands of games at once are measured by `rollouts.py`.
"""

from __future__ import annotations

import os
import platform
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium

import pentagrid as pg
from pentagrid import envs
from pentagrid.analysis.solver import solver_of
from pentagrid.arena.measures import greed_errs
from pentagrid.arena.plan import plan_tournament
from pentagrid.arena.tournament import play_tournament

STEPS, REPEATS = 20_000, 5
QUICK = ("matrix-capture", "number-cross", "number-grid-battle")


def best(measure: Callable[[], float], repeats: int = REPEATS) -> float:
    """The largest of several measurements, the one that other work on the machine disturbed least."""
    return max(measure() for _ in range(repeats))


def single_rate(env: Any) -> float:
    """Steps per second of random play; with an action mask, of random legal play."""
    chance = random.Random(1).random
    _, info = env.reset(seed=1)
    masked, count = "action_mask" in info, int(env.action_space.n)
    began = time.process_time()
    for _ in range(STEPS):
        if masked:
            legal = info["action_mask"].nonzero()[0]
            action = legal[int(chance() * len(legal))]
        else:
            action = int(chance() * count)
        _, _, over, cut, info = env.step(action)
        if over or cut:
            _, info = env.reset()
    return STEPS / (time.process_time() - began)


def step_microseconds(name: str, oracle: bool) -> float:
    """Microseconds per step on a deal that is solved already."""
    env, chance = envs.SingleEnv(name, oracle=oracle), random.Random(1).random
    board = env.game.write_board(env.game.deal(seed=1)) if env.game.has_numbers else None
    options = {"board": board} if board else {}
    _, info = env.reset(seed=1, options=options)
    solver_of(env.position).value(env.position)
    spent = 0.0
    for _ in range(STEPS):
        legal = info["action_mask"].nonzero()[0]
        action = legal[int(chance() * len(legal))]
        began = time.perf_counter()
        _, _, over, _, info = env.step(action)
        spent += time.perf_counter() - began
        if over:
            _, info = env.reset(options=options)
    return 1e6 * spent / STEPS


def arena_rate(name: str, players: list[str], workers: int | None = None, games: int = 6000) -> float:
    """Games per second on all cores, with their start; with one worker, per second of processor time."""
    clock = time.process_time if workers == 1 else time.perf_counter
    with tempfile.TemporaryDirectory() as folder:
        plan = plan_tournament(players, [name], games, seed=1)
        began = clock()
        play_tournament(plan, Path(folder) / "results.jsonl", workers)
        return plan.total / (clock() - began)


def main() -> None:
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores\n")
    peer = best(lambda: single_rate(gymnasium.make("CartPole-v1")))
    print(f"{'single environment':24} {'steps/s':>10}   CartPole: {peer:,.0f}/s")
    for name in pg.game_names():
        speed = best(lambda name=name: single_rate(gymnasium.make(envs.gymnasium_id(name))))  # type: ignore[misc]
        print(f"{name:24} {speed:>10,.0f}   {speed / peer:5.2f} times CartPole   (aim: 0.9 times)")

    print(f"\n{'oracle in info':24} {'µs a step':>10}")
    for name in pg.game_names():
        plain, oracle_time = (min(step_microseconds(name, oracle) for _ in range(REPEATS)) for oracle in (False, True))
        print(f"{name:24} {oracle_time - plain:>10.1f}   on top of {plain:.1f}   (aim: less than 20)")

    print(f"\n{'arena':24} {'games/s':>10}   perfect against random")
    for name in QUICK:
        greed_errs(pg.load(name))
        peer = best(lambda name=name: arena_rate(name, ["random", "level:1"], 1), 2)  # type: ignore[misc]
        alone = best(lambda name=name: arena_rate(name, ["perfect", "random"], 1), 3)  # type: ignore[misc]
        speed = best(lambda name=name: arena_rate(name, ["perfect", "random"]), 3)  # type: ignore[misc]
        ratio = f"{alone / peer:.2f} times random against level:1"
        print(f"{name:24} {speed:>10,.0f}   one worker {alone:,.0f} per second of processor time, {ratio}", end="")
        print("   (aim: 2,000 games/s)")


if __name__ == "__main__":
    main()

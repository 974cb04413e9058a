"""Whole rollouts on arrays, compared with pgx in the same run: random legal play, its choice and all resets included.

    pip install pgx jax && make bench-rollouts

Both sides play on all cores, by the wall clock. Ours: a process for each core with 4,096 games of self-play each.
Theirs: tic-tac-toe in one jitted `lax.scan` with automatic reset, which gives every step's rewards and sums up its
observations and masks so that nothing is left out; the best of 4,096 and 65,536 games, with the choice made by
`jax.random.categorical`, as pgx's examples make it, or of one random number for each game, as ours is. Sides take
turns, and the best turn of each counts. On a machine that others use the wall clock tells little: so both sides are
also compared by the steps per second of processor time. After that the same games with the exact regret of every move,
in one process, per second of processor time, and its memory.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import resource
import time
from collections.abc import Callable
from importlib.util import find_spec
from itertools import product
from typing import Any, NamedTuple

import pentagrid as pg
from pentagrid import envs

GAMES = 4096
TURNS = 4
SECONDS = 1.0
AIMS = {3: 3.0, 4: 2.0}
"""By size of the board: how many times pgx."""


def play(name: str, oracle: bool, begin: Any, results: Any, memory: Any) -> None:
    """Roll out for a while whenever all processes are ready; tell the steps per second."""
    env = envs.SelfPlayEnv(name, num_envs=GAMES, oracle=oracle)
    env.reset(seed=1)
    for _ in range(20):
        env.step(env.sample_actions())
    for _ in range(TURNS):
        begin.wait()
        steps, began, spent = 0, time.perf_counter(), time.process_time()
        while time.perf_counter() - began < SECONDS or steps < 32:  # 32: with the deals of two games of sixteen turns
            env.step(env.sample_actions())
            steps += 1
        made = steps * GAMES / 1e6
        results.put((made / (time.perf_counter() - began), made / (time.process_time() - spent)))
    memory.put(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2)


class Rates(NamedTuple):
    """Million steps per second, by the wall clock and of processor time."""

    wall: float
    processor: float


class Rollouts:
    """Our side of one game: so many processes, waiting for their turns."""

    def __init__(self, name: str, processes: int, oracle: bool = False) -> None:
        context = multiprocessing.get_context("spawn")
        self._begin, self._results, self._memory = context.Barrier(processes + 1), context.Queue(), context.Queue()
        self._all = [
            context.Process(target=play, args=(name, oracle, self._begin, self._results, self._memory))
            for _ in range(processes)
        ]
        for process in self._all:
            process.start()

    def turn(self) -> Rates:
        """The rates of all processes together."""
        self._begin.wait()
        rates = [self._results.get() for _ in self._all]
        return Rates(sum(rate[0] for rate in rates), sum(rate[1] for rate in rates) / len(rates))

    def close(self) -> float:
        """The most memory of a process, in GiB."""
        most = max(self._memory.get() for _ in self._all)
        for process in self._all:
            process.join()
        return float(most)


def pgx_tic_tac_toe(games: int, one_number: bool, steps: int = 64) -> Callable[[], Rates]:
    """A function that measures pgx's tic-tac-toe, which is compiled here.

    Actions are chosen of one random number for each game, or else by `jax.random.categorical`.
    """
    import jax
    import jax.numpy as jnp
    import pgx
    from accelerator import random_choices
    from pgx.experimental import auto_reset

    env = pgx.make("tic_tac_toe")
    step = jax.vmap(auto_reset(env.step, env.init))

    def move(carry: Any, _: None) -> Any:
        state, key = carry
        key, chance, resets = jax.random.split(key, 3)
        legal = state.legal_action_mask
        if one_number:
            action = random_choices(chance, legal)
        else:
            action = jax.random.categorical(chance, jnp.where(legal, 0.0, -jnp.inf), axis=1)
        state = step(state, action, jax.random.split(resets, games))
        return (state, key), (state.rewards, state.observation.sum(), state.legal_action_mask.sum())

    roll = jax.jit(lambda state, key: jax.lax.scan(move, (state, key), None, length=steps))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), games))
    jax.block_until_ready(roll(state, jax.random.PRNGKey(2)))

    def measure() -> Rates:
        number, began, spent = 0, time.perf_counter(), time.process_time()
        while time.perf_counter() - began < SECONDS:
            jax.block_until_ready(roll(state, jax.random.PRNGKey(number)))
            number += 1
        made = number * games * steps / 1e6
        return Rates(made / (time.perf_counter() - began), made / (time.process_time() - spent))

    return measure


def main() -> None:
    cores = os.cpu_count() or 1
    print(f"Python {platform.python_version()}, {platform.machine()}, {cores} cores\n")
    peers = []
    if find_spec("pgx"):
        peers = [pgx_tic_tac_toe(games, one) for games, one in product((GAMES, 16 * GAMES), (False, True))]
    else:
        print("pgx is not installed, so there is no comparison: pip install pgx jax\n")
    print(f"{'rollouts, M steps/s':24} {'wall':>6} {'pgx':>6} {'times':>6}   {'processor':>9} {'pgx':>6} {'times':>6}")
    for name in pg.game_names():
        rollouts, ours, theirs = Rollouts(name, cores), [], [Rates(0, 0)]
        for _ in range(TURNS):
            ours.append(rollouts.turn())
            theirs += [peer() for peer in peers]
        rollouts.close()
        wall, processor = (max(rates) for rates in zip(*ours, strict=True))
        peer_wall, peer_processor = (max(rates) or float("nan") for rates in zip(*theirs, strict=True))
        print(
            f"{name:24} {wall:6.1f} {peer_wall:6.1f} {wall / peer_wall:6.2f}   "
            f"{processor:9.1f} {peer_processor:6.1f} {processor / peer_processor:6.2f}   "
            f"(aim: {AIMS.get(pg.load(name).size)} times)",
            flush=True,
        )
    print(f"\n{'with exact regret':24} {'M steps/s':>10}   {'GiB':>5}   one process")
    for name in pg.game_names():
        rollouts = Rollouts(name, 1, oracle=True)
        speed = max(rollouts.turn().processor for _ in range(TURNS))
        aim = 0.05 if name == "capture-squares" else 1
        print(f"{name:24} {speed:10.2f}   {rollouts.close():5.2f}   (aim: {aim:g}, 1 GiB)", flush=True)


if __name__ == "__main__":
    main()

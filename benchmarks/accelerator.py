"""The games in JAX on whatever device it finds: whole rollouts beside pgx, exact regret, tables.

    .venv/bin/python benchmarks/accelerator.py [--games N ...] [--rounds 5] [--only PART] [--pgx FOLDER]

Rollouts: both sides play random legal moves, the choice included, deal finished games again, and run in one jitted
`lax.scan`. Every step's observation, mask and rewards go into a sum, so that nothing is optimized away. Each program is
run once a round, one after the other, and its best round counts, at the best of the given numbers of games.

The roofline is what the memory would allow if every step read and wrote a whole state once.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp

from pentagrid.core.catalog import built_in_names
from pentagrid.envs.jax import JaxEnv, auto_reset, make

PEERS = ("tic_tac_toe", "connect_four", "othello")
Program = Callable[[jax.Array], jax.Array]


def peers(folder: str | None) -> dict[str, tuple[Any, Any]]:
    """pgx's games, each with its `init` and `step`; none where pgx is not there."""
    if folder:
        sys.path.append(folder)
    try:
        import pgx
        from pgx.experimental import auto_reset as pgx_auto_reset
    except ModuleNotFoundError as error:
        print(f"Nothing to compare with: there is no module {error.name} (pip install pgx, or name its folder: --pgx).")
        return {}
    envs = {f"pgx {name}": pgx.make(name) for name in PEERS}
    return {name: (env.init, pgx_auto_reset(env.step, env.init)) for name, env in envs.items()}


def random_choices(key: jax.Array, legal: jax.Array) -> jax.Array:
    """A legal action in each game, all equally likely: of one random number for each."""
    counts = legal.sum(axis=1, dtype=jnp.uint32)
    drawn = (jax.random.bits(key, counts.shape, jnp.uint32) >> 10) * counts >> 22
    return (jnp.cumsum(legal, axis=1, dtype=jnp.uint16) > drawn[:, None].astype(jnp.uint16)).argmax(axis=1)


def rollout(init: Any, step: Any, games: int, steps: int) -> Program:
    """A jitted function that plays so many steps in so many games and returns a sum of all it saw."""

    def play(key: jax.Array) -> jax.Array:
        key, for_deals = jax.random.split(key)
        state = jax.vmap(init)(jax.random.split(for_deals, games))

        def turn(carry: Any, key: jax.Array) -> Any:
            state, total = carry
            for_choice, for_deals = jax.random.split(key)
            action = random_choices(for_choice, state.legal_action_mask)
            state = jax.vmap(step)(state, action, jax.random.split(for_deals, games))
            for seen in (state.observation, state.legal_action_mask, state.rewards):
                total += seen.sum(dtype=jnp.float32)
            return (state, total), None

        (_, total), _ = jax.lax.scan(turn, (state, jnp.float32(0)), jax.random.split(key, steps))
        return total

    return jax.jit(play)


def whole_games(env: JaxEnv, games: int) -> Program:
    """A jitted function that deals, makes the tables, plays at random to the end, and sums every move's regret.

    Where all deals share their tables, finished games are dealt again, so that every position is one of a live game.
    """
    shared = env.resident_tables()
    axis = None if jax.tree.leaves(shared) else 0

    def play(key: jax.Array, tables: Any) -> jax.Array:
        key, for_deals = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(for_deals, games))
        tables = jax.vmap(env.tables)(state) if axis == 0 else tables

        def turn(carry: Any, key: jax.Array) -> Any:
            state, total = carry
            total += jax.vmap(env.regrets, (0, axis))(state, tables).sum()
            action = random_choices(key, state.legal_action_mask)
            return (jax.vmap(auto_reset(env))(state, action, jax.random.split(key, games)), total), None

        return jax.lax.scan(turn, (state, jnp.float32(0)), jax.random.split(key, env.game.most_turns))[0][1]

    jitted = jax.jit(play)
    return lambda key: jitted(key, shared)


def given_positions(env: JaxEnv, games: int) -> Program:
    """A jitted function that sums every move's regret in the positions of random games, whose tables are made."""
    shared = env.resident_tables()
    axis = None if jax.tree.leaves(shared) else 0

    @jax.jit
    def prepared(key: jax.Array) -> Any:
        state = jax.vmap(env.init)(jax.random.split(key, games))
        tables = jax.vmap(env.tables)(state) if axis == 0 else ()

        def turn(state: Any, key: jax.Array) -> Any:
            action = random_choices(key, state.legal_action_mask)
            return jax.vmap(auto_reset(env))(state, action, jax.random.split(key, games)), state

        return jax.lax.scan(turn, state, jax.random.split(key, env.game.most_turns))[1], tables

    @jax.jit
    def judged(states: Any, tables: Any) -> jax.Array:
        def look(total: jax.Array, state: Any) -> Any:
            return total + jax.vmap(env.regrets, (0, axis))(state, tables).sum(), None

        return jax.lax.scan(look, jnp.float32(0), states)[0]

    states, tables = prepared(jax.random.PRNGKey(0))
    return lambda key: judged(states, tables if axis == 0 else shared)


def made_tables(env: JaxEnv, games: int) -> Program:
    """A jitted function that deals and makes the tables, and returns a sum over them."""

    def make_them(key: jax.Array) -> jax.Array:
        state = jax.vmap(env.init)(jax.random.split(key, games))
        return sum(leaf.sum(dtype=jnp.float32) for leaf in jax.tree.leaves(jax.vmap(env.tables)(state)))

    return jax.jit(make_them)


def best_times(programs: Mapping[Any, Program], rounds: int) -> dict[Any, tuple[float, float]]:
    """The seconds of each program by the wall clock and by the processor, the best of interleaved rounds."""
    best: dict[Any, tuple[float, float]] = {}
    for name, program in programs.items():
        program(jax.random.PRNGKey(0)).block_until_ready()
        best[name] = (float("inf"), float("inf"))
    for number in range(rounds):
        for name, program in programs.items():
            wall, processor = time.perf_counter(), time.process_time()
            program(jax.random.PRNGKey(number + 1)).block_until_ready()
            took = time.perf_counter() - wall, time.process_time() - processor
            best[name] = min(best[name][0], took[0]), min(best[name][1], took[1])
    return best


def state_bytes(env: JaxEnv) -> int:
    """What one game takes."""
    state = jax.eval_shape(env.init, jax.random.key(0))
    return sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(state))


def show_rollouts(sizes: list[int], steps: int, rounds: int, bandwidth: float | None, folder: str | None) -> None:
    ours = {name: make(name) for name in built_in_names()}
    others = peers(folder)
    kinds = {**others, **{name: (env.init, auto_reset(env)) for name, env in ours.items()}}
    speeds: dict[str, list[tuple[float, float, int]]] = {name: [] for name in kinds}
    for games in sizes:
        programs = {name: rollout(init, step, games, steps) for name, (init, step) in kinds.items()}
        for name, (wall, processor) in best_times(programs, rounds).items():
            speeds[name].append((games * steps / wall, games * steps / processor, games))
    best = {name: (max(found), max(processor for _, processor, _ in found)) for name, found in speeds.items()}
    print(f"\nWhole rollouts of {steps} steps, million steps/s (wall clock; processor time)")
    for name, ((wall, _, games), processor) in best.items():
        line = f"{name:20} {wall / 1e6:9.2f} {processor / 1e6:9.2f}   at {games:,} games"
        if name in ours:
            notes = [f"{wall / best[peer][0][0]:.2f} ({processor / best[peer][1]:.2f}) of {peer}" for peer in others]
            notes.append(f"{state_bytes(ours[name])} bytes a game")
            if bandwidth is not None:
                limit = bandwidth * 1e12 / (2 * state_bytes(ours[name]))
                notes.append(f"{100 * wall / limit:.0f} % of the roofline of {limit / 1e9:.1f} G")
            line += ": " + ", ".join(notes)
        print(line)


def show_oracle(games: int, rounds: int) -> None:
    print(f"\nExact regret of every move, {games:,} games at once, million positions/s (wall clock; processor time)")
    for name in built_in_names():
        env = make(name)
        kinds = {
            "positions and tables given": given_positions(env, games),
            "whole games, deals and tables included": whole_games(env, games),
        }
        count = games * env.game.most_turns
        for how, (wall, processor) in best_times(kinds, rounds).items():
            print(f"{name:20} {count / wall / 1e6:9.2f} {count / processor / 1e6:9.2f}   {how}")


def show_tables(games: int, rounds: int) -> None:
    print(f"\nTables made at the deal, {games:,} at once, thousand deals/s (wall clock; processor time)")
    envs = {name: make(name) for name in built_in_names()}
    programs = {name: made_tables(env, games) for name, env in envs.items() if _table_bytes(env)}
    for name, (wall, processor) in best_times(programs, rounds).items():
        size = _table_bytes(envs[name])
        print(f"{name:20} {games / wall / 1e3:9.1f} {games / processor / 1e3:9.1f}   {size:,} bytes each")


def _table_bytes(env: JaxEnv) -> int:
    """What the tables of one deal take."""
    tables = jax.eval_shape(lambda key: env.tables(env.init(key)), jax.random.key(0))
    return sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(tables))


def main() -> None:
    cpu = jax.default_backend() == "cpu"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="+", default=[1024, 4096, 16384] if cpu else [1 << 20])
    parser.add_argument("--oracle-games", type=int, default=4096 if cpu else 1 << 16)
    parser.add_argument("--table-games", type=int, default=512 if cpu else 1 << 16)
    parser.add_argument("--steps", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--bandwidth", type=float, default=None if cpu else 4.3, help="of the memory, in TB/s (an H200 has 4.3)"
    )
    parser.add_argument("--pgx", metavar="FOLDER", help="where pgx is, if it is not installed")
    parser.add_argument("--only", choices=("rollouts", "oracle", "tables"), help="one part of all this")
    args = parser.parse_args()
    print(f"{jax.devices()[0].device_kind}, JAX {jax.__version__}")
    if args.only in (None, "rollouts"):
        show_rollouts(args.games, args.steps, args.rounds, args.bandwidth, args.pgx)
    if args.only in (None, "oracle"):
        show_oracle(args.oracle_games, args.rounds)
    if args.only in (None, "tables"):
        show_tables(args.table_games, args.rounds)


if __name__ == "__main__":
    main()

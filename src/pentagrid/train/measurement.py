"""How good a policy is, by exact values: every decision in deals that nothing was learned from, on the device.

The policy plays each deal from both seats against several opponents and always makes the move it likes best.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from pentagrid.core.game import Game
from pentagrid.core.jax_rng import Array
from pentagrid.envs.jax import JaxEnv, State
from pentagrid.train.held_out import KEPT, is_held_out
from pentagrid.util.intervals import Interval, mean_interval, share_interval

OPPONENTS = ("random", "level:5", "perfect")
AT_ONCE = 256
"""Games measured at once: tables of exact values are large."""


class Strength(NamedTuple):
    """What a policy reached against one opponent, each with its 95 % interval over deals."""

    regret: Interval
    """The points that a move gives away; in a game without points, won games."""
    kept: Interval
    """The share of decisions that did not give a won game away, of those in which some move would have."""
    won: Interval
    """The share of games won, from both seats."""

    def data(self) -> dict[str, list[float]]:
        return {name: [round(number, 6) for number in interval] for name, interval in self._asdict().items()}


def held_out_numbers(env: JaxEnv, deals: int, key: Array) -> Array:
    """The numbers of so many deals that are never learned from."""
    if not env.game.has_numbers:
        return jnp.zeros((deals, 0), jnp.int8)
    found: list[NDArray[Any]] = []
    while sum(map(len, found)) < deals:
        key, for_deals = jax.random.split(key)
        numbers = jax.jit(jax.vmap(env.rules.deal))(jax.random.split(for_deals, 2 * KEPT * AT_ONCE))
        found.append(np.asarray(numbers)[np.asarray(jax.vmap(is_held_out)(numbers))])
    return jnp.asarray(np.concatenate(found)[:deals])


class Measurement:
    """Strength policies on the same deals against the same opponents. Raises `OptionError` without exact values."""

    def __init__(self, game: Game, choose: Callable[[Any, State], Array], deals: int, seed: int = 0) -> None:
        """`choose` takes what is measured and the states of many games."""
        self.deals, self._choose = deals, choose
        self.env = JaxEnv(game.name, game.size, "win", **game.chosen_rules)  # ties have winners
        self._shared = self.env.resident_tables()
        self._numbers = held_out_numbers(self.env, deals, jax.random.key(seed))
        self._key = jax.random.key(seed + 1)
        self._played = {opponent: jax.jit(self._player_of(opponent)) for opponent in OPPONENTS}

    def measure(self, measured: Any) -> dict[str, Strength]:
        """What is reached against each opponent."""
        return {opponent: self._against(opponent, measured) for opponent in OPPONENTS}

    def _against(self, opponent: str, measured: Any) -> Strength:
        parts = []
        for begin in range(0, self.deals, AT_ONCE):
            numbers = self._numbers[np.arange(begin, begin + AT_ONCE) % self.deals]  # one size, compiled once
            sums = self._played[opponent](measured, self._shared, numbers, jax.random.fold_in(self._key, begin))
            parts.append(np.asarray(sums)[: self.deals - begin])
        regret, moves, kept, mattered, won, games = np.concatenate(parts).T.tolist()
        return Strength(
            mean_interval(list(zip(regret, moves, strict=True))),
            share_interval(list(zip(kept, mattered, strict=True))),
            share_interval(list(zip(won, games, strict=True))),
        )

    def _player_of(self, opponent: str) -> Callable[[Any, Any, Array, Array], Array]:
        """A function that plays deals from both seats and returns six sums for each."""
        env, solver = self.env, self.env.solver
        other = env.player(opponent)
        axis = None if jax.tree.leaves(self._shared) else 0

        def play(measured: Any, shared: Any, numbers: Array, key: Array) -> Array:
            both = jnp.concatenate([numbers, numbers])
            seats = jnp.repeat(jnp.arange(2, dtype=jnp.int8), AT_ONCE)
            tosses = jax.vmap(env.rules.toss)(jax.random.split(key, 2 * AT_ONCE))
            state = jax.vmap(env.init_from_numbers)(both, tosses, seats)
            tables = shared if axis is None else jax.vmap(env.tables)(state)

            def turn(carry: tuple[State, Array], key: Array) -> tuple[tuple[State, Array], None]:
                state, sums = carry
                mine = ~state.terminated & (state.current_player == 0)
                theirs = jax.vmap(other, (0, 0, axis))(jax.random.split(key, 2 * AT_ONCE), state, tables)
                action = jnp.where(mine, self._choose(measured, state), theirs)
                worths = jax.vmap(env.worths, (0, axis))(state, tables)
                regrets, thrown = jax.vmap(solver.regrets)(worths), jax.vmap(solver.win_regrets)(worths)
                games = jnp.arange(2 * AT_ONCE)
                mattered = mine & thrown.any(axis=1)
                after = jax.vmap(env.step)(state, action)
                found = [
                    jnp.where(mine, regrets[games, action], 0.0),
                    mine,
                    mattered & (thrown[games, action] == 0),
                    mattered,
                    after.rewards[:, 0] > 0,
                    after.terminated & ~state.terminated,
                ]
                return (after, sums + jnp.stack([part.astype(jnp.float32) for part in found], axis=1)), None

            start = state, jnp.zeros((2 * AT_ONCE, 6), jnp.float32)
            (_, sums), _ = jax.lax.scan(turn, start, jax.random.split(key, env.game.most_turns))
            return sums[:AT_ONCE] + sums[AT_ONCE:]

        return play

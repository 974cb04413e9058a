"""The players of `play/players.py` as pure JAX functions: opponents that never leave the device.

They choose as the others do, each move as likely as there, but draw their chance from JAX's keys.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from pentagrid.analysis.solver import solver_of
from pentagrid.core.jax_rng import Array
from pentagrid.core.jax_rules import Board
from pentagrid.core.jax_solver import NEVER, JaxSolver
from pentagrid.errors import OptionError, shown
from pentagrid.play.levels import LEAN, LEVELS, Level

if TYPE_CHECKING:
    from pentagrid.envs.jax import JaxEnv, State

JaxPolicy = Callable[[Array, "State", Any], Array]
"""Takes a key, a state and the tables of its deal, and returns an action."""


def random_choice(key: Array, legal: Array) -> Array:
    """One of the actions of a mask, each equally likely: of one random number, where there may be millions of games."""
    count = legal.sum(dtype=jnp.uint32)
    drawn = (jax.random.bits(key, (), jnp.uint32) >> 10) * count >> 22
    return (jnp.cumsum(legal, dtype=jnp.uint32) > drawn).argmax()


def one_of(key: Array, among: Array, looks: Array) -> Array:
    """One of those actions that look best, ties by chance."""
    looks = jnp.where(among, looks, jnp.iinfo(jnp.int32).min)
    return random_choice(key, among & (looks == looks.max()))


def make_jax_player(env: JaxEnv, asked: str) -> JaxPolicy:
    """The player that is asked for. Raises `OptionError` if there is none, or no values for it."""
    rules = env.rules
    kind, _, number = asked.partition(":")
    if asked == "random":
        return lambda key, state, tables: random_choice(key, state.legal_action_mask)
    solver = env.solver
    if asked == "greedy":
        return lambda key, state, tables: one_of(key, rules.legal(state._board), solver.greed(state._board))
    if asked == "perfect":
        env.check_exact()
        return lambda key, state, tables: perfect_choice(solver, key, state._board, env.tables_for(state, tables))
    if kind == "level" and number in map(str, LEVELS):
        env.check_exact()
        scale, warmth = solver_of(env.game.deal(seed=0)).scale, Level(int(number)).warmth

        def level(key: Array, state: State, tables: Any) -> Array:
            board, tables = state._board, env.tables_for(state, tables)
            return jax.random.categorical(key, level_logits(solver, board, tables, scale, warmth))

        return level
    raise OptionError(
        f"There is no player {shown(asked)} in JAX; there are random, greedy, level:{LEVELS[0]} to level:{LEVELS[-1]} "
        "and perfect."
    )


def perfect_choice(solver: JaxSolver, key: Array, board: Board, tables: Any) -> Array:
    """A best move; of several, one after which the opponent has the most ways to go wrong, ties by chance."""
    worths = solver.worths(board, tables)

    def traps(action: Array) -> Array:
        after = solver.worths(solver.rules.play(board, action), tables)  # nothing is legal once the game is over
        return ((solver.regrets(after) > 0) | (solver.win_regrets(after) > 0)).sum()

    best = (worths == worths.max()) & (worths != NEVER)
    return one_of(key, best, jax.lax.map(traps, jnp.arange(len(worths))))


def level_logits(solver: JaxSolver, board: Board, tables: Any, scale: float, warmth: float) -> Array:
    """The logarithm of how likely each action is at a level, up to a constant: the error model of `play/levels.py`."""
    worths = solver.worths(board, tables)
    legal = worths != NEVER
    regrets = solver.regrets(worths) / scale
    typical = jnp.where(regrets > 0, regrets, solver.win_regrets(worths))
    natural = solver.natural(board)
    most = jnp.where(legal, natural, jnp.iinfo(jnp.int32).min).max()
    least = jnp.where(legal, natural, jnp.iinfo(jnp.int32).max).min()
    lean = LEAN * (most - natural) / jnp.where(most > least, most - least, 1)
    logits = -jnp.where((typical > 0).any(), typical / warmth, lean)
    return jnp.where(legal, logits, -jnp.inf)

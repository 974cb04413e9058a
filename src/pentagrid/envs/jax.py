"""The games as pure JAX functions with the interface of pgx: for `jit`, `vmap` and `scan`, on any device.

    env = pentagrid.envs.jax.make(name)
    state = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 4096))
    state = jax.vmap(env.step)(state, actions)

Players 0 and 1 are agents, not seats: which of them sits first is drawn at each deal, as in pgx.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_batching import custom_vmap

from pentagrid.core.catalog import load, part
from pentagrid.core.jax_rng import Array, seed_of
from pentagrid.core.jax_rules import Board, JaxRules, seen_by
from pentagrid.core.jax_solver import NEVER, JaxSolver, Tables
from pentagrid.core.payoff import read_payoff
from pentagrid.core.position import Position
from pentagrid.core.rng import MAX_SEED
from pentagrid.envs.jax_player import JaxPolicy, make_jax_player
from pentagrid.envs.observation import observer_of
from pentagrid.envs.render import render_text
from pentagrid.errors import OptionError


@jax.tree_util.register_pytree_node_class
@dataclass(frozen=True)
class State:
    """One game, or with `vmap` many: what pgx's states hold, under the same names."""

    _env: JaxEnv
    current_player: Array
    """Whose turn it is: player 0 or 1."""
    observation: Array
    """What the current player sees (`envs/observation.py`)."""
    rewards: Array
    """What the last step paid each player."""
    terminated: Array
    truncated: Array
    legal_action_mask: Array
    """The actions that are legal; all of them once the game is over."""
    _step_count: Array
    _board: Board
    _first: Array
    """The player who sits in seat 1."""

    @property
    def env_id(self) -> str:
        """The name of the game."""
        return self._env.id

    @property
    def numbers(self) -> Array:
        """The numbers of the board; empty in games without."""
        return self._board.numbers

    def replace(self, **changes: Any) -> State:
        """The same state with some fields changed."""
        return replace(self, **changes)

    def tree_flatten(self) -> tuple[list[Any], JaxEnv]:
        return [getattr(self, name) for name in _ARRAYS], self._env

    @classmethod
    def tree_unflatten(cls, env: JaxEnv, arrays: list[Any]) -> State:
        return cls(env, *arrays)

    def position(self, *index: int) -> Position:
        """The position of one game; of many, the one at this index."""
        return self._env.position(self, *index)

    def to_svg(self) -> str:
        """The first game as an SVG picture of its text."""
        index = (0,) * self.current_player.ndim
        lines = render_text(self.position(*index)).splitlines()
        texts = "".join(
            f'<text x="8" y="{20 * row + 20}" xml:space="preserve">{escape(line)}</text>'
            for row, line in enumerate(lines)
        )
        width, height = 9 * max(map(len, lines)) + 16, 20 * len(lines) + 12
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'font-family="monospace" font-size="15"><rect width="100%" height="100%" fill="white"/>{texts}</svg>'
        )

    def save_svg(self, filename: str) -> None:
        """Write the picture to a file."""
        Path(filename).write_text(self.to_svg(), encoding="utf-8")


_ARRAYS = tuple(field.name for field in fields(State) if field.name != "_env")


class JaxEnv:
    """One game with its size and rule options. Nothing in it changes: functions take a state and return one.

    `payoff` is `win` (1 and -1) or `points` (the margin, komi counted).
    """

    num_players = 2
    version = "v1"

    def __init__(self, game: str, size: int | None = None, payoff: str = "win", **rules: str) -> None:
        self.game = load(game, size, **rules)
        self.payoff = read_payoff(payoff, self.game)
        self.rules: JaxRules = part(self.game.name, "jax_rules").JAX_RULES(self.game)
        self._observer = observer_of(self.game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JaxEnv) and (self.game, self.payoff) == (other.game, other.payoff)

    def __hash__(self) -> int:
        return hash((self.game, self.payoff))

    @property
    def id(self) -> str:
        """The name of the game."""
        return self.game.name

    @property
    def num_actions(self) -> int:
        """How many actions there are."""
        return self.game.action_count

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The shape of an observation."""
        return (self._observer.length,)

    def init(self, key: Array) -> State:
        """A fresh deal; the key decides the numbers, what is left to a toss, and who sits first."""
        return self.init_from_numbers(*_dealt(self.rules, key))

    def init_from_seed(self, high: Array, low: Array, first: Array | int = 0) -> State:
        """The deal of `game.deal(seed)`; `seed_halves` makes the two halves. `first` is the player in seat 1."""
        seed = high, low
        return self.init_from_numbers(self.rules.deal_from_seed(seed), self.rules.toss_from_seed(seed), first)

    def init_from_numbers(self, numbers: Array, toss: Array, first: Array | int = 0) -> State:
        """The deal with these numbers, and with what the toss has chosen. `first` is the player in seat 1."""
        first = jnp.asarray(first, jnp.int8)
        return self._state(self.rules.open(numbers, toss), first, jnp.zeros(2, jnp.float32), jnp.int32(0))

    def step(self, state: State, action: Array, key: Array | None = None) -> State:
        """The state after an action; `key` is not needed.

        An illegal action ends the game at -1 for whoever took it, under `points` with all points of the deal lost. A
        step after the end changes and pays nothing.
        """
        ended = state.terminated | state.truncated
        board, rewards, over = self._played(state, action, ended)
        after = self._state(board, state._first, rewards, state._step_count + ~ended)
        done = state.terminated | over
        return after.replace(
            terminated=done, truncated=state.truncated, legal_action_mask=after.legal_action_mask | done
        )

    def step_or_deal(self, state: State, action: Array, key: Array) -> State:
        """The state after an action, or a fresh deal if that ends the game: see `auto_reset`."""
        board, rewards, over = self._played(state, action, jnp.bool_(False))
        numbers, toss, first = _dealt_where(self.rules, over, key, (board.numbers, board.toss, state._first))
        fresh = self.rules.open(numbers, toss)
        board = jax.tree.map(lambda new, old: jnp.where(over, new, old), fresh, board)._replace(numbers=numbers)
        count = jnp.where(over, 0, state._step_count + 1)
        return self._state(board, first, rewards, count).replace(terminated=over)

    def _played(self, state: State, action: Array, ended: Array) -> tuple[Board, Array, Array]:
        """The board after an action, what it pays, and whether the game ends with it."""
        rules, before = self.rules, state._board
        legal = (state.legal_action_mask & (jnp.arange(self.num_actions) == action)).any()
        board = jax.tree.map(lambda new, old: jnp.where(ended | ~legal, old, new), rules.play(before, action), before)
        over, winner = rules.result(board)
        pays = rules.margin(board) if self.payoff == "points" else jnp.where(winner == 0, 1.0, -1.0)
        player_of_side_0 = state._first ^ board.swapped
        pays = jnp.where(over, pays, 0.0) * jnp.where(player_of_side_0 == 0, 1.0, -1.0)
        stake = rules.all_points(before.numbers) + abs(self.game.komi) if self.payoff == "points" else 1.0
        pays = jnp.where(legal, pays, jnp.where(state.current_player == 0, -stake, stake))
        pays = jnp.where(ended, 0.0, pays).astype(jnp.float32)
        return board, jnp.stack([pays, -pays]), over | ~legal

    def _state(self, board: Board, first: Array, rewards: Array, count: Array) -> State:
        """The state of a game that is not over."""
        player = (self.rules.side(board) ^ first ^ board.swapped).astype(jnp.int32)
        live, legal = jnp.bool_(False), self.rules.legal(board)
        return State(self, player, self._seen(board), rewards, live, live, legal, count, board, first)

    def _seen(self, board: Board) -> Array:
        """The observation of the player to move."""
        side = self.rules.side(board)
        parts = [board.numbers, *seen_by(side, board.claims)]
        if self.game.has_points:
            parts += [points[None] for points in seen_by(side, board.points)]
        parts.append((board.turns + board.swapped)[None])
        if self.rules.tossed:
            parts.append((board.toss + 1)[None])
        return jnp.concatenate([part.astype(jnp.int16) for part in parts])

    def observe(self, state: State) -> Array:
        """What the current player sees."""
        return state.observation

    # What is exactly known ------------------------------------------------------------------------------

    @cached_property
    def solver(self) -> JaxSolver:
        """The game's exact values as functions of a board. Raises `OptionError` for a game that has none."""
        solver: JaxSolver = part(self.game.name, "jax_solver").JAX_SOLVER(self.rules)
        return solver

    @property
    def exact(self) -> bool:
        """Are there exact values on the device at this size?"""
        return self.solver.fits(self.game)

    def check_exact(self) -> None:
        """Raise `OptionError` if there are no exact values on the device at this size."""
        if not self.exact:
            raise OptionError(f"There are no exact values of {self.game.title} in JAX at size {self.game.size}.")

    def tables(self, state: State) -> Tables:
        """What exact values are looked up in, made from the numbers of a deal: the same at every turn of it.

        A pytree: with `vmap` one for each game, empty where a game needs nothing of a deal's own. Raises `OptionError`
        where there are no exact values.
        """
        self.check_exact()
        return self.solver.tables(state._board.numbers)

    def resident_tables(self) -> Tables:
        """The tables that all deals of a game share, on the device; empty where a game has none.

        They may be given as `tables`, with None as their axis in `vmap`. Where they are not, each program that needs
        them has them compiled into it.
        """
        self.check_exact()
        return jax.device_put(self.solver.resident_tables())

    def tables_for(self, state: State, tables: Tables | None) -> Tables:
        """The tables that are given, or those of a state, made on the spot."""
        return self.tables(state) if tables is None else tables

    def worths(self, state: State, tables: Tables | None = None) -> Array:
        """What each action is worth, from the side of the player to move, the pie rule counted: whole numbers.

        As solvers count (`core/deal_solver.py`): the largest is best, and a win is above 0. `NEVER` where an action is
        not legal. They are those of the board, also where `auto_reset` has dealt a new one after an end.
        """
        return self.solver.worths(state._board, self.tables_for(state, tables))

    def values(self, state: State, tables: Tables | None = None) -> Array:
        """What each action is paid under best play, from the side of the player to move; 0 where it is not legal.

        In games won on points the final margin, komi counted, whatever the payoff; else 1 and -1.
        """
        worths = self.worths(state, tables)
        return jnp.where(worths == NEVER, 0, self.solver.points(worths)).astype(jnp.float32)

    def regrets(self, state: State, tables: Tables | None = None) -> Array:
        """What the player to move loses by each action: points, or 1 for a game given away in a game without.

        0 where an action is not legal.
        """
        return self.solver.regrets(self.worths(state, tables))

    def win_regrets(self, state: State, tables: Tables | None = None) -> Array:
        """1 for each action by which the player to move gives a won game away, be it at equal points, else 0."""
        return self.solver.win_regrets(self.worths(state, tables))

    def player(self, asked: str) -> JaxPolicy:
        """A player as a pure function `policy(key, state, tables)` that returns an action of the player to move.

        `random`, `greedy`, `level:1` to `level:9` or `perfect`; `tables` may be None. Raises `OptionError`.
        """
        return make_jax_player(self, asked)

    def position(self, state: State, *index: int) -> Position:
        """The position of a state; of many, the one at this index."""
        numbers, claims, points, turns, swapped, toss = (np.asarray(array)[index] for array in state._board)
        one, two = (sum(1 << int(claim) for claim in np.flatnonzero(row)) for row in claims)
        scores = (int(points[0]), int(points[1])) if self.game.has_points else None
        ply = int(turns + swapped)
        if swapped:
            one, two, scores = two, one, scores and (scores[1], scores[0])
        game = self.game.tossed()[int(toss)]
        mover = game.mover_at(ply, bool(swapped))
        return Position(game, tuple(map(int, numbers)), one, two, mover, ply=ply, scores=scores, swapped=bool(swapped))


def make(game: str, size: int | None = None, payoff: str = "win", **rules: str) -> JaxEnv:
    """The environment of a game. Raises `OptionError` and the like for what there is not."""
    return JaxEnv(game, size, payoff, **rules)


def seed_halves(seeds: list[int]) -> tuple[Array, Array]:
    """Seeds as `init_from_seed` takes them under `vmap`. Raises `OptionError`."""
    for seed in seeds:
        if not 0 <= seed <= MAX_SEED:
            raise OptionError(f"A seed must be from 0 to {MAX_SEED}, not {seed}.")
    highs, lows = zip(*map(seed_of, seeds), strict=True)
    return jnp.stack(highs), jnp.stack(lows)


def auto_reset(env: JaxEnv) -> Callable[[State, Array, Array], State]:
    """A `step` that deals a finished game again at once; the state keeps the rewards and `terminated` of the end."""
    return env.step_or_deal


Dealt = tuple[Array, Array, Array]
"""The numbers of a deal, its toss, and who sits first."""


def _dealt(rules: JaxRules, key: Array) -> Dealt:
    """A fresh deal."""
    for_deal, for_seats = jax.random.split(key)
    toss = rules.toss(jax.random.fold_in(for_deal, 1))
    return rules.deal(for_deal), toss, jax.random.bernoulli(for_seats).astype(jnp.int8)


def _dealt_where(rules: JaxRules, over: Array, key: Array, before: Dealt) -> Dealt:
    """A fresh deal where a game is over; of many games, only when one is, which is rare where all have one length."""

    def each(over: Array, key: Array, numbers: Array, toss: Array, first: Array) -> Dealt:
        fresh, tossed, sits = _dealt(rules, key)
        return jnp.where(over, fresh, numbers), jnp.where(over, tossed, toss), jnp.where(over, sits, first)

    dealt = custom_vmap(each)

    @dealt.def_vmap
    def dealt_together(count: int, batched: list[bool], *args: Array) -> tuple[Dealt, tuple[bool, bool, bool]]:
        over, _, *old = args = tuple(
            arg if flag else jnp.broadcast_to(arg, (count, *arg.shape)) for arg, flag in zip(args, batched, strict=True)
        )
        return jax.lax.cond(over.any(), lambda: jax.vmap(each)(*args), lambda: tuple(old)), (True, True, True)

    found: Dealt = dealt(over, key, *before)
    return found

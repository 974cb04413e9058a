"""Self-play with proximal policy optimization (PPO), as one pure function from learner to learner.

A round deals fresh games, plays them by the policy against itself, and learns from every move of both players. What a
move is worth is estimated backward along the game (GAE). The value network and every estimate speak for the player to
move, so that what comes after a turn of the opponent counts with the opposite sign. In some games moves are made at
random in between: they bring positions about that only weak players get into, and are not learned from themselves.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from pentagrid.core.jax_rng import Array
from pentagrid.envs.jax import JaxEnv, State
from pentagrid.train.adam import AdamMemory, adam_step, fresh_memory
from pentagrid.train.held_out import is_held_out
from pentagrid.train.network import Layers, outputs, policy_network, value_network

CLIP = 0.2
"""How far the chance of a move may go from what it was in one round."""
TRACE = 0.7
"""How far estimates look ahead (lambda): 0 to the next move, 1 to the end of the game."""
VALUE_WEIGHT = 0.5
EPOCHS = 2
"""How often a round's moves are learned from."""
PROBES = 1024
"""How many random games tell how large observations and payments are."""
NEVER_CHOSEN = -1e9


class PpoSettings(NamedTuple):
    """How a policy is trained."""

    games: int
    """Games at once, in each round."""
    channels: tuple[int, ...] = (16, 16)
    """Of each hidden layer, the units at each place of the board."""
    parts: int = 8
    """In how many parts a round's moves are learned from each time."""
    rate: float = 0.003
    """The size of a step at the beginning; it falls to nothing."""
    entropy: float = 0.01
    """What trying out is worth at the beginning; it falls to nothing."""
    strays: float = 0.9
    """The share of games in which moves are made at random in between, from few to nearly all."""


class Normal(NamedTuple):
    """What observations are normalized by, and payments divided by."""

    mean: Array
    scale: Array
    payment: Array


class Learner(NamedTuple):
    """Everything that training changes: the parameters of both networks, and what Adam remembers."""

    policy: Layers
    value: Layers
    memory: AdamMemory
    normal: Normal


class Moves(NamedTuple):
    """What is learned from: of many moves, each along the first axis."""

    seen: Array
    legal: Array
    action: Array
    chance: Array
    """The logarithm of how likely the move was."""
    value: Array
    """What the value network thought before it."""
    gain: Array
    """How much better it was than thought; while it is played, what it was paid."""
    weight: Array
    """1, or 0 for moves that are not learned from."""


class SelfPlay:
    """PPO for one environment. Its functions are pure and can be jitted."""

    def __init__(self, env: JaxEnv, settings: PpoSettings) -> None:
        self.env, self.settings = env, settings
        self.policy_network = policy_network(env.game, settings.channels)
        self.value_network = value_network(env.game, settings.channels)

    def fresh_learner(self, key: Array) -> Learner:
        """A learner that knows nothing; random games tell it how large numbers are."""
        for_policy, for_value, for_probes = jax.random.split(key, 3)
        policy, value = self.policy_network.fresh(for_policy, 0.01), self.value_network.fresh(for_value, 1.0)
        return Learner(policy, value, fresh_memory((policy, value)), self._normal(for_probes))

    def _normal(self, key: Array) -> Normal:
        env, for_deals = self.env, jax.random.split(key, PROBES)
        player = env.player("random")

        def turn(state: State, keys: Array) -> tuple[State, tuple[Array, Array]]:
            action = jax.vmap(player, (0, 0, None))(keys, state, None)
            return jax.vmap(env.step_or_deal)(state, action, keys), (state.observation, state.rewards[:, 0])

        keys = jax.random.split(key, (env.game.most_turns + 1, PROBES))
        _, (seen, paid) = jax.lax.scan(turn, jax.vmap(env.init)(for_deals), keys)
        spread = seen.std((0, 1))
        payment = jnp.sqrt((paid**2).sum() / (paid != 0).sum())
        return Normal(seen.mean((0, 1)), jnp.where(spread > 0, spread, 1.0), payment)

    # Playing --------------------------------------------------------------------------------------------

    def played(self, learner: Learner, key: Array) -> Moves:
        """Fresh games played by the policy against itself, for as many turns as the longest game has."""
        env, games = self.env, self.settings.games
        policy, value = self.policy_network.layers(learner.policy), self.value_network.layers(learner.value)
        for_deals, for_turns, for_wildness = jax.random.split(key, 3)
        wildness = jax.random.uniform(for_wildness, (games,), minval=1 - 1 / self.settings.strays)

        def turn(state: State, key: Array) -> tuple[State, tuple[Moves, Array, Array]]:
            for_stray, for_any, for_choice, for_deals = jax.random.split(key, 4)
            legal, mover = state.legal_action_mask, state.current_player
            seen = normalized(learner.normal, state.observation)
            logits = masked_logits(policy, seen, legal)
            stray = jax.random.uniform(for_stray, (games,)) < wildness
            anything = jax.random.categorical(for_any, jnp.where(legal, 0.0, NEVER_CHOSEN))
            action = jnp.where(stray, anything, jax.random.categorical(for_choice, logits))
            after = jax.vmap(env.step_or_deal)(state, action, jax.random.split(for_deals, games))
            moves = Moves(
                state.observation,
                legal,
                action,
                chance=_of(jax.nn.log_softmax(logits), action),
                value=outputs(value, seen)[:, 0],
                gain=_of(after.rewards, mover) / learner.normal.payment,
                weight=1.0 - (stray | jax.vmap(is_held_out)(state.numbers)),
            )
            sign = jnp.where(after.terminated, 0.0, jnp.where(after.current_player == mover, 1.0, -1.0))
            return after, (moves, sign, stray)

        state = jax.vmap(env.init)(jax.random.split(for_deals, games))
        state, (moves, sign, stray) = jax.lax.scan(turn, state, jax.random.split(for_turns, env.game.most_turns))
        last = outputs(value, normalized(learner.normal, state.observation))[:, 0]
        gains = _gains(moves.gain, moves.value, sign, stray, last)
        moves = moves._replace(gain=gains)
        return Moves(*(array.reshape(-1, *array.shape[2:]) for array in moves))

    # Learning -------------------------------------------------------------------------------------------

    def round(self, learner: Learner, key: Array, progress: Array) -> Learner:
        """Play once and learn from it; `progress` goes from 0 to 1."""
        for_games, for_orders = jax.random.split(key)
        moves = self.played(learner, for_games)
        count, left = moves.action.size, 1 - progress
        size = count // self.settings.parts

        def part(carry: tuple[Any, AdamMemory], which: Array) -> tuple[tuple[Any, AdamMemory], None]:
            parameters, memory = carry
            some = jax.tree.map(lambda array: array[which], moves)
            gradient = jax.grad(self._loss)(parameters, learner.normal, some, self.settings.entropy * left)
            return adam_step(parameters, gradient, memory, self.settings.rate * left), None

        shuffled = jax.vmap(partial(jax.random.permutation, x=count))(jax.random.split(for_orders, EPOCHS))
        orders = shuffled[:, : size * self.settings.parts].reshape(-1, size)
        carry = (learner.policy, learner.value), learner.memory
        ((policy, value), memory), _ = jax.lax.scan(part, carry, orders)
        return Learner(policy, value, memory, learner.normal)

    def _loss(self, parameters: tuple[Layers, Layers], normal: Normal, moves: Moves, entropy: Array) -> Array:
        """What PPO makes small: the policy's clipped loss and the values' error, less what trying out is worth."""
        policy, value = self.policy_network.layers(parameters[0]), self.value_network.layers(parameters[1])
        seen, weight = normalized(normal, moves.seen), moves.weight / jnp.maximum(moves.weight.sum(), 1.0)
        logs = jax.nn.log_softmax(masked_logits(policy, seen, moves.legal))
        ratio = jnp.exp(_of(logs, moves.action) - moves.chance)
        gain = moves.gain / (jnp.sqrt((moves.gain**2 * weight).sum()) + 1e-8)
        won = jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain)
        error = (outputs(value, seen)[:, 0] - moves.value - moves.gain) ** 2
        spread = -(jnp.exp(logs) * jnp.where(moves.legal, logs, 0.0)).sum(axis=1)
        return jnp.sum((VALUE_WEIGHT * error - won - entropy * spread) * weight)


def normalized(normal: Normal, seen: Array) -> Array:
    """Observations as the networks take them."""
    return (seen - normal.mean) / normal.scale


def masked_logits(policy: Layers, seen: Array, legal: Array) -> Array:
    """A number for each action, for normalized observations: far below all others where it is not legal."""
    return jnp.where(legal, outputs(policy, seen), NEVER_CHOSEN)


def _gains(paid: Array, value: Array, sign: Array, stray: Array, last: Array) -> Array:
    """How much better each move was than thought, from the last turn back; nothing is told across a random move."""

    def back(later: tuple[Array, Array], now: tuple[Array, ...]) -> tuple[tuple[Array, Array], Array]:
        (value_later, gain_later), (paid, value, sign, stray) = later, now
        gain = paid + sign * (value_later + TRACE * gain_later) - value
        return (value, jnp.where(stray, 0.0, gain)), gain

    gains: Array = jax.lax.scan(back, (last, jnp.zeros_like(last)), (paid, value, sign, stray), reverse=True)[1]
    return gains


def _of(rows: Array, index: Array) -> Array:
    """One number of each row."""
    return jnp.take_along_axis(rows, index[:, None], axis=1)[:, 0]

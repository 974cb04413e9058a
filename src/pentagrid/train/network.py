"""What is trained: a multilayer perceptron whose weights are shared wherever the board looks the same.

Only weights that differ are parameters. Written out in full they are plain layers, as a policy file has them.
"""

from __future__ import annotations

from itertools import pairwise

import jax
import jax.numpy as jnp

from pentagrid.core.game import Game
from pentagrid.core.jax_rng import Array
from pentagrid.train.shared_weights import Layout, Units

Layers = tuple[tuple[Array, Array], ...]
"""Of each layer the weights (a row for each input) and the biases. Parameters are the same, each weight once."""


class Network:
    """The form of a network for one game: everything but its parameters."""

    def __init__(self, layout: Layout, channels: tuple[int, ...], ends: Units) -> None:
        """`channels` is how many units each hidden layer has at a place."""
        units = [layout.seen, *map(layout.hidden, channels), ends]
        self._sharings = [layout.sharing(*pair) for pair in pairwise(units)]

    def fresh(self, key: Array, last: float) -> Layers:
        """Random parameters; `last` is the size of those of the last layer."""
        found = []
        keys = jax.random.split(key, len(self._sharings))
        for key, sharing in zip(keys, self._sharings, strict=True):
            gain = last if sharing is self._sharings[-1] else 2**0.5
            weights = jax.random.normal(key, (sharing.weights.max() + 1,)) * gain / sharing.fan**0.5
            found.append((weights, jnp.zeros(sharing.biases.max() + 1)))
        return tuple(found)

    def layers(self, parameters: Layers) -> Layers:
        """The layers written out in full."""
        return tuple(
            (weights[sharing.weights] * sharing.scale, biases[sharing.biases])
            for sharing, (weights, biases) in zip(self._sharings, parameters, strict=True)
        )


def policy_network(game: Game, channels: tuple[int, ...]) -> Network:
    """A network with an output for each action."""
    layout = Layout(game)
    return Network(layout, channels, layout.actions)


def value_network(game: Game, channels: tuple[int, ...]) -> Network:
    """A network with one output."""
    layout = Layout(game)
    return Network(layout, channels, layout.one)


def outputs(layers: Layers, values: Array) -> Array:
    """What the layers make of their inputs, with ReLU between them: as `play/policy.py` computes it."""
    for i, (weights, biases) in enumerate(layers):
        values = values @ weights + biases
        if i < len(layers) - 1:
            values = jax.nn.relu(values)
    return values

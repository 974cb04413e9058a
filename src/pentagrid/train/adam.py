"""Adam: the optimizer that changes parameters by their gradient, step by step."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from pentagrid.core.jax_rng import Array

DECAYS = 0.9, 0.999
"""How much of the gradients' mean and of their mean square is kept at each step."""
LONGEST_GRADIENT = 1.0
SMALLEST_SPREAD = 1e-5


class AdamMemory(NamedTuple):
    """What Adam remembers of the gradients."""

    steps: Array
    mean: Any
    square: Any


def fresh_memory(parameters: Any) -> AdamMemory:
    """Adam before its first step."""
    zeros = jax.tree.map(jnp.zeros_like, parameters)
    return AdamMemory(jnp.int32(0), zeros, zeros)


def adam_step(parameters: Any, gradient: Any, memory: AdamMemory, rate: Array) -> tuple[Any, AdamMemory]:
    """The parameters after one step down a gradient, which is shortened if it is too long."""
    length = jnp.sqrt(sum((part**2).sum() for part in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda part: part * jnp.minimum(1.0, LONGEST_GRADIENT / (length + 1e-9)), gradient)
    steps = memory.steps + 1
    mean = jax.tree.map(lambda old, new: DECAYS[0] * old + (1 - DECAYS[0]) * new, memory.mean, gradient)
    square = jax.tree.map(lambda old, new: DECAYS[1] * old + (1 - DECAYS[1]) * new**2, memory.square, gradient)
    mean_share, square_share = (1 - decay**steps for decay in DECAYS)

    def moved(parameter: Array, mean: Array, square: Array) -> Array:
        return parameter - rate * (mean / mean_share) / (jnp.sqrt(square / square_share) + SMALLEST_SPREAD)

    return jax.tree.map(moved, parameters, mean, square), AdamMemory(steps, mean, square)

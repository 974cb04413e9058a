"""Which deals are kept for measuring: about a sixteenth of them, never learned from.

A deal and those that are the same to a player (rows or columns in another order, the board turned or mirrored) are kept
together: the hash only looks at which numbers share a line.
"""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from pentagrid.core.jax_rng import Array

KEPT = 16
"""One in so many is kept."""


def is_held_out(numbers: Array) -> Array:
    """Is the deal with these numbers kept for measuring? None of a game without numbers: it has a single deal."""
    if not numbers.size:
        return jnp.bool_(False)
    size = round(np.sqrt(numbers.size))
    cells = _mixed(numbers.reshape(size, size).astype(jnp.uint32))
    lines = jnp.concatenate([cells.sum(0, dtype=jnp.uint32), cells.sum(1, dtype=jnp.uint32)])
    return _mixed(_mixed(lines).sum(dtype=jnp.uint32)) % KEPT == 0


def _mixed(x: Array) -> Array:
    """Numbers of 32 bits, scattered (the finalizer of MurmurHash3)."""
    x = (x ^ x >> 16) * jnp.uint32(0x85EBCA6B)
    x = (x ^ x >> 13) * jnp.uint32(0xC2B2AE35)
    return x ^ x >> 16

"""The chance of `core/rng.py` (SplitMix64) as JAX functions, in halves of 32 bits: JAX has 64 only where told to."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

Array = Any
"""A `jax.Array`, or what stands for one while a function is traced."""
Seed = tuple[Array, Array]
"""The high and the low 32 bits of numbers of 64."""

GAMMA, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
LOW = 0xFFFFFFFF


def seed_of(number: int) -> Seed:
    """A seed from a whole number."""
    return jnp.uint32(number >> 32), jnp.uint32(number & LOW)


def draws(seed: Seed, count: int) -> Seed:
    """The first so many draws of `Dice(seed)`."""
    steps = [k * GAMMA & (1 << 64) - 1 for k in range(1, count + 1)]
    high = jnp.array([step >> 32 for step in steps], jnp.uint32)
    low = jnp.array([step & LOW for step in steps], jnp.uint32)
    return mixed(_add(seed, (high, low)))


def stream_of(seed: Seed, step: int) -> Seed:
    """The state of `Dice(seed, step)`: one of the many streams of a seed."""
    high, low = draws(seed, 1)
    return high[0] ^ jnp.uint32(step >> 32), low[0] ^ jnp.uint32(step & LOW)


def mixed(z: Seed) -> Seed:
    """The outputs of SplitMix64 for these states."""
    z = _times(_xor_shift(z, 30), FIRST)
    z = _times(_xor_shift(z, 27), SECOND)
    return _xor_shift(z, 31)


def below(high: Array, low: Array, n: int) -> Array:
    """What `Dice.below(n)` makes of a draw, n at most 2^16. One in 2^58 would be drawn again there, and is not here."""
    rest = high % n * (2**32 % n) % n + low % n
    return (rest % n).astype(jnp.int32)


def _add(a: Seed, b: Seed) -> Seed:
    low = a[1] + b[1]
    return a[0] + b[0] + (low < a[1]).astype(jnp.uint32), low


def _xor_shift(z: Seed, by: int) -> Seed:
    high, low = z
    return high ^ high >> by, low ^ (low >> by | high << 32 - by)


def _times(z: Seed, factor: int) -> Seed:
    """The low 64 bits of a product."""
    high, low = z
    f_high, f_low = factor >> 32, factor & LOW
    top, bottom = _wide_times(low, f_low)
    return top + low * jnp.uint32(f_high) + high * jnp.uint32(f_low), bottom


def _wide_times(a: Array, b: int) -> Seed:
    """All 64 bits of the product of two numbers of 32."""
    a1, a0, b1, b0 = a >> 16, a & 0xFFFF, jnp.uint32(b >> 16), jnp.uint32(b & 0xFFFF)
    middle = a1 * b0 + (a0 * b0 >> 16)
    other = a0 * b1 + (middle & 0xFFFF)
    return a1 * b1 + (middle >> 16) + (other >> 16), a * jnp.uint32(b)

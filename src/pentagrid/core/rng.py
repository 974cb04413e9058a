"""Chance, the same everywhere and for ever: SplitMix64, unbiased draws and the Fisher–Yates shuffle.

The random module of a language may change between versions; these few lines may not. Golden deals in the
tests hold them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from os import urandom
from typing import TypeVar

from pentagrid.errors import OptionError, shown

T = TypeVar("T")

_64 = (1 << 64) - 1
MAX_SEED = (1 << 63) - 1


def fresh_seed() -> int:
    """A seed nobody can foresee, short enough to be read aloud."""
    return int.from_bytes(urandom(4), "big")


class Dice:
    """A stream of random numbers from a seed; with `*path`, one of the many independent streams of that seed."""

    def __init__(self, seed: int | None = None, *path: int) -> None:
        self.seed = fresh_seed() if seed is None else seed
        if type(self.seed) is not int or not 0 <= self.seed <= MAX_SEED:
            raise OptionError(f"{shown(str(seed))} is not a seed; a seed is a whole number from 0 to {MAX_SEED}.")
        self._state = self.seed
        for step in path:
            self._state = self.next() ^ step

    def copy(self) -> Dice:
        """Dice that go on with the same numbers."""
        return copy(self)

    def next(self) -> int:
        """The next 64 random bits (SplitMix64)."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _64
        z = self._state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _64
        return z ^ z >> 31

    def below(self, n: int) -> int:
        """A number from 0 to n-1, each equally likely: draws that would favor some are thrown away."""
        while True:
            self._state = z = (self._state + 0x9E3779B97F4A7C15) & _64  # as `next`, without the call
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _64
            z = (z ^ z >> 27) * 0x94D049BB133111EB & _64
            draw = z ^ z >> 31
            rest = draw % n
            if draw - rest <= (1 << 64) - n:
                return rest

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in random order (Fisher–Yates, from the last place down)."""
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


class EnumeratedDice(Dice):
    """Dice that fall as a number says: the numbers from 0 up go through all that chance can do, each once."""

    def __init__(self, number: int) -> None:
        self._left = number
        self.sides: list[int] = []
        """Of each draw so far: how many ways it could have fallen."""

    def below(self, n: int) -> int:
        self.sides.append(n)
        self._left, fallen = divmod(self._left, n)
        return fallen

"""The eight ways to turn and mirror a square board. A game's `symmetry.py` says which positions are the same."""

from __future__ import annotations

from functools import cache


@cache
def turns(n: int) -> tuple[tuple[int, ...], ...]:
    """The eight symmetries of an N x N board: each tells for every cell which one comes to lie there."""
    found = []
    here = tuple(range(n * n))
    for _ in range(2):
        for _ in range(4):
            found.append(here)
            here = tuple(here[(n - 1 - c) * n + r] for r in range(n) for c in range(n))
        here = tuple(here[r * n + n - 1 - c] for r in range(n) for c in range(n))
    return tuple(found)


def least_turn(values: tuple[object, ...], n: int) -> tuple[object, ...]:
    """The smallest of what a board's values become under its eight symmetries: the same for symmetric boards."""
    return min(tuple(values[cell] for cell in turn) for turn in turns(n))

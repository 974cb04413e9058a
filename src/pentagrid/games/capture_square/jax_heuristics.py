"""What looks good in Capture Square as JAX functions: `heuristics.py` for every action at once.

`own` and `other` are flags of the cells that the mover and the other hold; the last axis is always that of the cells.
"""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from pentagrid.core.jax_rng import Array
from pentagrid.games.capture_square.rules import CaptureSquare


class CaptureSquareJaxHeuristics:
    def __init__(self, game: CaptureSquare) -> None:
        self.game = game
        cells = range(game.cell_count)
        row, column = np.divmod(np.array(cells), game.size)
        self._quads = np.array([[quad >> cell & 1 for cell in cells] for quad in game.quads], np.float32)
        """Which cells each square has."""
        touched = [game.drawing.touch(action).at for action in range(game.swap_action)]
        self._takes = np.array([[cell == at[-1] for cell in cells] for at in touched])
        """Which cell each action takes."""
        self._gives = np.array([[cell in at[:-1] for cell in cells] for at in touched])
        """Which cell each action gives for it."""
        near = (abs(row[:, None] - row) <= 1) & (abs(column[:, None] - column) <= 1)
        taken = self._takes.argmax(axis=1)
        self._around, self._squares = near[taken], self._quads.sum(axis=0).astype(np.int32)[taken]
        """For each action the cells around the one that it takes, and the squares that can be there."""

    def greed(self, own: Array, other: Array) -> Array:
        """How good each action looks right after it; a swap changes nothing that could be seen."""
        mine, theirs = own & ~self._gives | self._takes, other & ~self._takes | self._gives
        weight = len(self.game.quads) + 1 if self.game.has_points else 1
        looks = weight * (self._threats(theirs, mine) < self._threats(other, own)).astype(jnp.int32)
        if self.game.has_points:
            looks += self._count(mine, 3) - self._count(theirs, 3)
        looks = jnp.where(self._count(theirs, 4) > 0, -weight, looks)
        return self._with_swap(jnp.where(self._count(mine, 4) > 0, 2 * weight, looks))

    def natural(self, own: Array, other: Array) -> Array:
        """People mark next to their own, and where many squares can be."""
        near = (own & self._around).sum(axis=-1, dtype=jnp.int32)
        looks = 20 * self.greed(own, other)[: self.game.swap_action]
        return self._with_swap(looks + 2 * near + self._squares)

    def _with_swap(self, looks: Array) -> Array:
        return jnp.append(looks, 0) if self.game.pie else looks

    def _count(self, marks: Array, of_each: int) -> Array:
        """How many 2x2 blocks have so many of these marks."""
        return self._has(marks, of_each).sum(axis=-1, dtype=jnp.int32)

    def _has(self, marks: Array, of_each: int) -> Array:
        return marks.astype(jnp.float32) @ self._quads.T == of_each

    def _threats(self, theirs: Array, mine: Array) -> Array:
        """On how many cells that are open to them they would complete a square."""
        needed = self._has(theirs, 3).astype(jnp.float32) @ self._quads > 0
        free = ~(theirs | mine)
        return (needed & jnp.where(free.any(axis=-1, keepdims=True), free, mine)).sum(axis=-1)

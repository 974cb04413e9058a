"""Exact values in Capture Squares as JAX functions: `solver.points_to_come` of one deal, made at the deal.

G[entry]    a byte for each set of claimed cells, 64 KiB on 4x4: layers of equally many cells, the fullest first

A layer needs nothing but the one before it, so all its sets are made in one step. With M the mover's lead in settled
numbers and T - F what is still open, the mover's final lead by a claim c is M + (T - F) - 2 G(S + c).
"""

from __future__ import annotations

from functools import reduce

import jax
import jax.numpy as jnp
import numpy as np

from pentagrid.core.game import Game
from pentagrid.core.jax_rng import Array
from pentagrid.core.jax_rules import Board, seen_by
from pentagrid.core.jax_solver import ScoringJaxSolver, Tables
from pentagrid.games.capture_squares.jax_rules import CaptureSquaresJaxRules
from pentagrid.games.capture_squares.solver import WHOLE_DEAL, layers


class CaptureSquaresJaxSolver(ScoringJaxSolver):
    rules: CaptureSquaresJaxRules

    def __init__(self, rules: CaptureSquaresJaxRules) -> None:
        super().__init__(rules)
        self._bits = 1 << np.arange(self.game.cell_count, dtype=np.int32)

    @staticmethod
    def fits(game: Game) -> bool:
        return game.cell_count <= WHOLE_DEAL

    def tables(self, numbers: Array) -> Tables:
        every = int(self._bits.sum())
        needs, points = self._needs(numbers).astype(jnp.uint16), numbers.astype(jnp.uint8)
        total, ranks = points.sum(dtype=jnp.uint8), np.zeros(every + 1, np.int32)
        done = [jnp.zeros(1, jnp.uint8)]
        for sets, added in layers(self.game.cell_count):
            free = (every & ~sets).astype(np.uint16)
            settled = (jnp.where(need & free == 0, number, 0) for need, number in zip(needs, points, strict=True))
            least = reduce(jnp.minimum, (done[-1][ranks[more]] for more in added))
            made = total - reduce(jnp.add, settled) - least
            done.append(jax.lax.optimization_barrier(made))  # no compiler makes a layer anew for each use of it
            ranks[sets] = np.arange(len(sets))
        return jnp.concatenate(done)

    def _needs(self, numbers: Array) -> Array:
        """For each cell the mask of what settles it: the cell itself and its higher neighbors."""
        higher = self.rules.beside & (numbers > numbers[:, None])
        return (jnp.where(higher, self._bits, 0)).sum(axis=1, dtype=jnp.int32) | self._bits

    def _entries(self) -> Array:
        """Where each set of cells stands in a table."""
        order = np.concatenate([[self._bits.sum()], *(sets for sets, _ in layers(self.game.cell_count))])
        entries = np.empty(len(order), np.uint16)
        entries[order] = np.arange(len(order))
        return jnp.asarray(entries)

    def leads(self, board: Board, tables: Tables) -> Array:
        numbers = board.numbers.astype(jnp.int32)
        own, other = seen_by(self.rules.side(board), board.claims)
        claimed = jnp.where(own | other, self._bits, 0).sum(dtype=jnp.int32)
        settled = self._needs(numbers) & ~claimed == 0
        ahead = jnp.where(settled & other, -numbers, numbers).sum()
        return ahead - 2 * tables[self._entries()[claimed | self._bits]].astype(jnp.int32)


JAX_SOLVER = CaptureSquaresJaxSolver

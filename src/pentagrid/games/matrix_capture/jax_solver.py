"""Exact values in Matrix Capture as JAX functions: a table made at the deal, laid out as in `batch_solver.py`.

leads[entry]    entries: level after level, in a level by the rank of the rows left, then of the columns left
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from pentagrid.core.game import Game
from pentagrid.core.jax_rng import Array
from pentagrid.core.jax_rules import Board, ScoringJaxRules, grid
from pentagrid.core.jax_solver import ScoringJaxSolver, Tables
from pentagrid.games.matrix_capture.solver import subsets

LARGEST = 8
"""On larger boards a table takes more than 48 KiB, and thousands of games have one each."""


class MatrixCaptureJaxSolver(ScoringJaxSolver):
    def __init__(self, rules: ScoringJaxRules) -> None:
        super().__init__(rules)
        ranks, self._levels = subsets(self.game.size)
        self._ranks = np.array(ranks, np.int32)
        self._widths = np.array([len(level.members) for level in self._levels], np.int32)
        self._starts = np.cumsum([0, *self._widths[:-1] ** 2], dtype=np.int32)
        """By lines left: where a level starts in the table, and how many sets of rows it has."""

    @staticmethod
    def fits(game: Game) -> bool:
        return game.size <= LARGEST

    def tables(self, numbers: Array) -> Tables:
        """Side 0's lead from each set of rows and columns on: the recurrence of `solver.py`."""
        n = self.game.size
        matrix = grid(numbers, n).astype(jnp.int8)
        levels = [jnp.zeros((1, 1), jnp.int8)]
        for k, (members, without) in list(enumerate(self._levels))[1:]:
            first = self.game.side_at(n - k) == 1
            gained = matrix if first else -matrix
            lead: Array = None
            for i in range(k):
                rows, left = gained[members[:, i]], levels[-1][without[:, i]]
                for j in range(k):
                    led = rows[:, members[:, j]] + left[:, without[:, j]]
                    lead = led if lead is None else (jnp.maximum if first else jnp.minimum)(lead, led)
            levels.append(jax.lax.optimization_barrier(lead))  # no compiler makes a level anew for each use of it
        return jnp.concatenate([level.ravel() for level in levels])

    def leads(self, board: Board, tables: Tables) -> Array:
        n = self.game.size
        claimed, bits = grid(board.claims.any(axis=0), n), 1 << np.arange(n, dtype=np.int32)
        rows, columns = ((~claimed.any(axis=axis) * bits).sum(dtype=jnp.int32) for axis in (1, 0))
        level = jnp.maximum(n - board.turns.astype(jnp.int32) - 1, 0)  # after the move
        ranks = jnp.asarray(self._ranks)
        row, column = ranks[rows & ~bits], ranks[columns & ~bits]
        width = jnp.asarray(self._widths)[level]
        entry = jnp.asarray(self._starts)[level] + row[:, None] * width + column
        sign = 1 - 2 * self.rules.side(board).astype(jnp.int32)
        gained = sign * tables.at[entry.ravel()].get(mode="clip").astype(jnp.int32)
        return self.lead_now(board) + board.numbers + gained


JAX_SOLVER = MatrixCaptureJaxSolver

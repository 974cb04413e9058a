"""Matrix Capture as JAX functions: a claim takes its row and its column with it."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from pentagrid.core.jax_rng import Array, Seed, below
from pentagrid.core.jax_rules import Board, ScoringJaxRules, grid
from pentagrid.games.matrix_capture.rules import LARGEST


class MatrixCaptureJaxRules(ScoringJaxRules):
    def game_length(self) -> int:
        return self.game.size

    def random_numbers(self, key: Array) -> Array:
        noise = jax.random.bits(key, (self.game.cell_count,), jnp.uint32)
        return (noise % LARGEST + 1).astype(jnp.int8)  # as even as 32 bits can be

    def numbers_from_draws(self, drawn: Seed) -> Array:
        return (below(*drawn, LARGEST) + 1).astype(jnp.int8)

    def legal_on_board(self, board: Board) -> Array:
        claimed = grid(board.claims.any(axis=0), self.game.size)
        return ~(claimed.any(axis=1, keepdims=True) | claimed.any(axis=0, keepdims=True)).ravel()


JAX_RULES = MatrixCaptureJaxRules

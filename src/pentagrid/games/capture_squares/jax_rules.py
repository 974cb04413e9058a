"""Capture Squares as JAX functions: a claim takes the opponent's lower numbers beside it."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from pentagrid.core.jax_rng import Array
from pentagrid.core.jax_rules import Board, ScoringJaxRules, seen_by
from pentagrid.core.scoring import ScoringGame


class CaptureSquaresJaxRules(ScoringJaxRules):
    def __init__(self, game: ScoringGame) -> None:
        super().__init__(game)
        row, column = np.divmod(np.arange(game.cell_count), game.size)
        self.beside = abs(row[:, None] - row) + abs(column[:, None] - column) == 1
        """Which cells lie beside each cell."""

    def gains(self, board: Board) -> Array:
        """A number, and twice those that it captures."""
        numbers = board.numbers.astype(jnp.int32)
        _, theirs = seen_by(self.side(board), board.claims)
        captured = self.beside & theirs & (numbers < numbers[:, None])
        return numbers + 2 * jnp.where(captured, numbers, 0).sum(axis=1)

    def play_on_board(self, board: Board, action: Array) -> Board:
        side, numbers = self.side(board), board.numbers
        claimed = jnp.arange(self.game.cell_count) == action
        number = jnp.where(claimed, numbers, 0).max()
        _, theirs = seen_by(side, board.claims)
        captured = theirs & (self.beside & claimed[:, None]).any(axis=0) & (numbers < number)
        gained = jnp.where(captured, numbers, 0).sum(dtype=jnp.int16)
        mine = jnp.arange(2) == side
        seized = board._replace(
            claims=jnp.where(mine[:, None], board.claims | captured, board.claims & ~captured),
            points=board.points + jnp.where(mine, gained, -gained),
        )
        return super().play_on_board(seized, action)


JAX_RULES = CaptureSquaresJaxRules

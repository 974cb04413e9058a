"""Capture Square as JAX functions."""

from __future__ import annotations

import jax.numpy as jnp

from pentagrid.core.jax_rng import Array
from pentagrid.core.jax_rules import Board, JaxRules, grid, seen_by
from pentagrid.games.capture_square.rules import CaptureSquare


class CaptureSquareJaxRules(JaxRules):
    game: CaptureSquare

    def legal_on_board(self, board: Board) -> Array:
        own, other = seen_by(self.side(board), board.claims)
        free = ~(own | other)
        full = ~free.any()
        if not self.game.exchanges:
            return jnp.where(full, other, free)
        trades = own[:, None] & other[None, :] & full
        return jnp.concatenate([free, trades.ravel()])

    def play_on_board(self, board: Board, action: Array) -> Board:
        cells, side = self.game.cell_count, self.side(board)
        here = jnp.arange(cells)
        mark, mine = here == action, (jnp.arange(2) == side)[:, None]
        claims = jnp.where(mine, board.claims | mark, board.claims & ~mark)
        if self.game.exchanges:
            own, opposing = jnp.divmod(action - cells, cells)
            traded = board.claims ^ ((here == own) | (here == opposing))
            claims = jnp.where(action >= cells, traded, claims)
        points = self._count(claims, 3) if self.game.has_points else board.points
        return board._replace(claims=claims, points=points, turns=board.turns + 1)

    def _count(self, claims: Array, marks: int) -> Array:
        """How many 2x2 blocks have exactly so many marks of each side."""
        cells = grid(claims, self.game.size).astype(jnp.int8)
        pairs = cells[:, :, :-1] + cells[:, :, 1:]
        return (pairs[:, :-1] + pairs[:, 1:] == marks).sum(axis=(1, 2), dtype=jnp.int16)

    def result(self, board: Board) -> tuple[Array, Array]:
        squares = self._count(board.claims, 4) > 0
        last = self.side_at(jnp.maximum(board.turns - 1, 0), board.toss)
        moved, waited = seen_by(last, squares)
        over = squares.any() | (board.turns >= self.game.limit)
        full = (
            jnp.where(self.margin(board) > 0, 0, 1).astype(jnp.int8) if self.game.has_points else 1
        )  # a tie is the second side's
        return over, jnp.where(moved, last, jnp.where(waited, 1 - last, full))

    def margin(self, board: Board) -> Array:
        squares, everything = self._count(board.claims, 4) > 0, float(len(self.game.quads))
        blocks = (board.points[0] - board.points[1]).astype(jnp.float32) - jnp.float32(self.game.komi)
        return jnp.where(squares[0], everything, jnp.where(squares[1], -everything, blocks))


JAX_RULES = CaptureSquareJaxRules

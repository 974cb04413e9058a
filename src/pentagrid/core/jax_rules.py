"""One game as pure JAX functions: the base of each game's `jax_rules.py`, which calls it `JAX_RULES`.

A board is a tuple of arrays of fixed shape. Sides are numbered 0 and 1; who plays a side is decided elsewhere. Every
function takes one board: `jax.vmap` makes it take many.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pentagrid.core.game import Game
from pentagrid.core.jax_rng import Array, Seed, below, draws, stream_of
from pentagrid.core.options import SWAP_PLY
from pentagrid.core.scoring import ScoringGame
from pentagrid.core.streams import Stream


class Board(NamedTuple):
    """What is on the board, but for the moves that lead nowhere else."""

    numbers: Array
    """The number of each cell; empty in games without."""
    claims: Array
    """Which cells or lines each side owns: two rows of flags."""
    points: Array
    """The points of each side; zero in games without."""
    turns: Array
    """How many moves have been made on the board: a swap is none."""
    swapped: Array
    """Have the players exchanged sides?"""
    toss: Array
    """Which of the two games that the toss of the deal decides between is played; 0 where nothing is left to it."""


class JaxRules(ABC):
    """The rules of one game with its size and options. Actions given to `play` must be legal."""

    def __init__(self, game: Game) -> None:
        self.game = game
        games = game.tossed()
        self.tossed = len(games) > 1
        """Does the toss of the deal decide something?"""
        self.alternate = all(side == 1 + i % 2 for each in games for i, side in enumerate(each.sides))
        """Do the sides simply take turns?"""
        self._sides = np.array([each.sides for each in games], np.int8) - 1
        """Whose turn it is, by the toss, after each number of moves on the board."""

    # Deals ----------------------------------------------------------------------------------------------

    def deal(self, key: Array) -> Array:
        """Random numbers for a board."""
        if not self.game.has_numbers:
            return jnp.zeros(0, jnp.int8)
        return self.random_numbers(key)

    def deal_from_seed(self, seed: Seed) -> Array:
        """The numbers of `Game.deal(seed)`. A seed is two numbers: its high and its low 32 bits."""
        if not self.game.has_numbers:
            return jnp.zeros(0, jnp.int8)
        return self.numbers_from_draws(draws(seed, self.game.cell_count))

    def toss(self, key: Array) -> Array:
        """A random toss: 0 or 1; 0 where nothing is left to it."""
        return jax.random.bernoulli(key).astype(jnp.int8) if self.tossed else jnp.int8(0)

    def toss_from_seed(self, seed: Seed) -> Array:
        """The toss of `Game.deal(seed)`."""
        if not self.tossed:
            return jnp.int8(0)
        high, low = draws(stream_of(seed, Stream.RULE_TOSS), 1)
        return below(high[0], low[0], 2).astype(jnp.int8)

    def random_numbers(self, key: Array) -> Array:
        """Each of 1 to N² once, unless the game says otherwise: the ranks of random numbers."""
        count = self.game.cell_count
        places = jnp.arange(count, dtype=jnp.uint32)
        noise = jax.random.bits(key, (count,), jnp.uint32) & ~jnp.uint32(63) | places  # no two are equal
        return (noise[:, None] >= noise).sum(axis=1, dtype=jnp.int8)

    def numbers_from_draws(self, drawn: Seed) -> Array:
        """The numbers that draws make, as `Game.deal_numbers` does: a Fisher–Yates shuffle."""
        count = self.game.cell_count
        order = jnp.arange(1, count + 1, dtype=jnp.int8)
        for k, i in enumerate(range(count - 1, 0, -1)):
            j = below(drawn[0][k], drawn[1][k], i + 1)
            at_i, at_j = order[i], order[j]
            order = order.at[j].set(at_i).at[i].set(at_j)
        return order

    def open(self, numbers: Array, toss: Array) -> Board:
        """The board before the first move."""
        claims = jnp.zeros((2, self.game.claim_count), jnp.bool_)
        return Board(numbers, claims, jnp.zeros(2, jnp.int16), jnp.int8(0), jnp.bool_(False), toss)

    # Turns ----------------------------------------------------------------------------------------------

    def side(self, board: Board) -> Array:
        """The side whose turn it is, or would be if the game were not over: 0 or 1."""
        return self.side_at(board.turns, board.toss)

    def side_at(self, turns: Array, toss: Array) -> Array:
        """Whose turn it is after so many moves on the board."""
        if self.alternate:
            return turns & 1
        return jnp.asarray(self._sides)[toss, turns] if self.tossed else jnp.asarray(self._sides[0])[turns]

    def legal(self, board: Board) -> Array:
        """Which actions are legal in a game that is not over."""
        legal = self.legal_on_board(board)
        if self.game.pie:
            legal = jnp.append(legal, (board.turns == SWAP_PLY) & ~board.swapped)
        return legal

    def play(self, board: Board, action: Array) -> Board:
        """The board after a legal action."""
        if not self.game.pie:
            return self.play_on_board(board, action)
        swap = action == self.game.swap_action
        moved = self.play_on_board(board, jnp.where(swap, 0, action))
        swapped = board._replace(swapped=jnp.bool_(True))
        return Board(*(jnp.where(swap, a, b) for a, b in zip(swapped, moved, strict=True)))

    @abstractmethod
    def legal_on_board(self, board: Board) -> Array:
        """The legal actions, a swap aside, in a game that is not over."""

    @abstractmethod
    def play_on_board(self, board: Board, action: Array) -> Board:
        """The board after a legal action that is no swap."""

    @abstractmethod
    def result(self, board: Board) -> tuple[Array, Array]:
        """Is the game over, and if so, which side has won it: 0 or 1."""

    def margin(self, board: Board) -> Array:
        """What side 0 is ahead at the end, komi counted, in games won on points."""
        raise NotImplementedError

    def all_points(self, numbers: Array) -> Array:
        """All points that there are on a board with these numbers."""
        return jnp.float32(self.game.all_points(()))


class ScoringJaxRules(JaxRules):
    """Games won on points: a claim pays and is gone, unless the game says otherwise."""

    game: ScoringGame

    def __init__(self, game: ScoringGame) -> None:
        super().__init__(game)
        self._tie = game.tie_winner() - 1

    def claim_points(self, numbers: Array) -> Array:
        """The points of every claim."""
        return numbers

    def gains(self, board: Board) -> Array:
        """By how much the mover's lead grows by each claim; anything where it is not legal."""
        return self.claim_points(board.numbers).astype(jnp.int32)

    def all_points(self, numbers: Array) -> Array:
        return self.claim_points(numbers).sum(dtype=jnp.float32)

    def legal_on_board(self, board: Board) -> Array:
        return ~board.claims.any(axis=0)

    def play_on_board(self, board: Board, action: Array) -> Board:
        mine = jnp.arange(2) == self.side(board)
        claimed = jnp.arange(self.game.claim_count) == action
        points = jnp.where(claimed, self.claim_points(board.numbers), 0).sum(dtype=jnp.int16)
        return board._replace(
            claims=board.claims | mine[:, None] & claimed,
            points=board.points + jnp.where(mine, points, 0),
            turns=board.turns + 1,
        )

    def result(self, board: Board) -> tuple[Array, Array]:
        margin = self.margin(board)
        return board.turns >= self.game_length(), jnp.where(margin == 0, self._tie, (margin < 0).astype(jnp.int8))

    def game_length(self) -> int:
        """How many moves on the board a game lasts."""
        return self.game.swap_action

    def margin(self, board: Board) -> Array:
        return (board.points[0] - board.points[1]).astype(jnp.float32) - jnp.float32(self.game.komi)


def seen_by(side: Array, both: Array) -> tuple[Array, Array]:
    """What a side and the other have, of an array with a part for each."""
    first = side == 0
    return jnp.where(first, both[0], both[1]), jnp.where(first, both[1], both[0])


def grid(cells: Array, size: int) -> Array:
    """Cells as rows of a square."""
    return cells.reshape(*cells.shape[:-1], size, size)

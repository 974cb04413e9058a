"""Which deals a census looks at: those that a seed draws, or all there are.

A game without numbers has one deal. It is looked at after openings of a few moves, each legal move equally likely.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentagrid.analysis.komi import with_fair_komi
from pentagrid.core.batch import GAMMA, Batch, Seeds, Streams, mixed
from pentagrid.core.catalog import part
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice, EnumeratedDice
from pentagrid.core.streams import Stream


class Deals(NamedTuple):
    """Deals by number, from 0 up."""

    game: Game
    seed: int = 0
    everything: bool = False
    """True for all deals there are, in the order of `EnumeratedDice`; the seed then only affects tosses and players."""
    opening: int = 0
    """Random moves at the beginning of each deal."""

    def seed_of(self, number: int) -> int:
        """The seed of one deal; in a sample, `Game.deal` of this seed is the same deal."""
        return Dice(self.seed, number).next() >> 1

    def start(self, number: int, fair: bool = False) -> Position:
        """The position where play begins in one deal; with `fair`, with the komi that is fair for it."""
        seed = self.seed_of(number)
        return self._start(EnumeratedDice(number) if self.everything else Dice(seed), seed, fair)

    def _start(self, dice: Dice, seed: int = 0, fair: bool = False) -> Position:
        tossed = self.game.tossed()
        game = dice.choice(tossed) if self.everything and len(tossed) > 1 else self.game.settled(seed)
        position = game.opening(game.deal_numbers(dice) if game.has_numbers else ())
        if fair:
            position = with_fair_komi(position, seed)
        for _ in range(self.opening):
            position = position.play(dice.choice(position.actions()))
        return position

    def _draws(self) -> list[int]:
        """For each draw that makes a deal: how many ways it can fall."""
        dice = EnumeratedDice(0)
        self._start(dice)
        return dice.sides

    def count_all(self) -> int:
        """How many deals there are."""
        return prod(self._draws())

    def seeds(self, first: int, last: int) -> Seeds:
        """`seed_of` for the deals from one number up to another, without the last."""
        numbers = np.arange(first, last, dtype=np.uint64)
        return mixed((np.uint64(Dice(self.seed).next()) ^ numbers) + GAMMA) >> np.uint64(1)

    def boards(self, first: int, last: int) -> NDArray[np.int8]:
        """The numbers of many deals: a row for each cell, a column for each deal."""
        batch: Batch = part(self.game.name, "batch").BATCH(type(self.game)(self.game.size), 1)
        if not self.everything:
            return batch.numbers_of(self.seeds(first, last))
        left = np.arange(first, last, dtype=np.uint64)
        fallen = np.zeros((self.game.cell_count, last - first), np.uint64)
        for draw, sides in enumerate(self._draws()):
            fallen[draw] = left % np.uint64(sides)
            left //= np.uint64(sides)
        return batch.numbers_from_draws(fallen)

    def tosses(self, first: int, last: int) -> NDArray[Any]:
        """For each deal the toss that puts its fair komi below (0) or above (1) its value; see `analysis.komi`."""
        return Streams(self.seeds(first, last), Stream.KOMI_TOSS).seeds(slice(None)) & np.uint64(1)

    def openings(self, first: int, last: int) -> list[tuple[Game, NDArray[np.intp], NDArray[np.int64]]]:
        """The opening moves of many deals of a game without numbers, in which every move is one of the cells left.

        For each game that a toss may choose: that game, the places of its deals among them, and their moves, a row for
        each move and a column for each deal.
        """
        count, cells = last - first, self.game.cell_count
        left = np.arange(first, last, dtype=np.uint64)
        games = self.game.tossed()
        streams = Streams(self.seeds(first, last))
        tosses = Streams(self.seeds(first, last), Stream.RULE_TOSS).seeds(slice(None)) % np.uint64(len(games))
        if self.everything:
            tosses, left = left % np.uint64(len(games)), left // np.uint64(len(games))
        free = np.repeat(np.arange(cells, dtype=np.int64)[:, None], count, axis=1)
        moves = np.zeros((self.opening, count), np.int64)
        for number in range(self.opening):
            ways = np.uint64(cells - number)
            if self.everything:
                fallen, left = left % ways, left // ways
            else:
                fallen = streams.below(np.full(count, ways), slice(None))
            places = fallen.astype(np.intp)
            moves[number] = free[places, np.arange(count)]
            rows = np.arange(cells - number - 1)[:, None]
            free = np.take_along_axis(free, rows + (rows >= places), axis=0)
        return [(game, chosen := np.flatnonzero(tosses == toss), moves[:, chosen]) for toss, game in enumerate(games)]

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
        position = self._start(EnumeratedDice(number) if self.everything else Dice(self.seed_of(number)))
        if not fair:
            return position
        return with_fair_komi(self.game, position, self.seed_of(number)).opening(position.numbers)

    def _start(self, dice: Dice) -> Position:
        position = self.game.opening(self.game.deal_numbers(dice) if self.game.has_numbers else ())
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

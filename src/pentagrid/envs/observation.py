"""A position as arrays: what an agent observes, and which actions are legal.

An observation is one row of whole numbers, seen from one seat:

    numbers of the cells | own claims (0/1) | the other's claims (0/1) | own score, the other's | ply

Games without numbers or scores leave those parts out. Claims are cells, or lines in a game of lines. With a fair komi,
which differs from deal to deal, one more number follows: twice the komi of the player in seat 2. Where a rule option is
left to the toss of the deal, one more number follows: what the toss has chosen, 1 or 2.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from struct import Struct
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy import frombuffer, int16
from numpy.typing import NDArray

from pentagrid.core.game import Game
from pentagrid.core.position import Position

Observation = NDArray[np.int16]
Mask = NDArray[np.int8]


class LegalActions(Discrete):
    """The space of all actions. A sample drawn without a mask is an action that is legal now."""

    def __init__(self, observer: Observer) -> None:
        super().__init__(observer.game.action_count)
        self._observer = observer
        self.legal = 0
        """The legal actions as a bit mask; the environment keeps it up to date."""

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        if mask is None and probability is None and self.legal:
            mask = self._observer.mask(self.legal)
        return np.int64(super().sample(mask, probability))


class Observer:
    """Turns positions of one game into observations; with `fair`, the komi is observed too."""

    def __init__(self, game: Game, fair: bool = False) -> None:
        opening = game.deal(seed=0)
        self.game, self.fair = game, fair
        games = game.tossed()
        self.toss = {each: _HALVES(number) for number, each in enumerate(games, 1)} if len(games) > 1 else {}
        """The last number of an observation, by the game that the toss has chosen."""
        self.cells = len(opening.numbers)
        """How many numbers a board has."""
        self.claims = game.claim_count
        """How many cells or lines can be claimed."""
        self.scores = 2 if opening.scores is not None else 0
        """How many scores there are."""
        self.length = self.cells + 2 * self.claims + self.scores + 1 + fair + bool(self.toss)
        """How many numbers an observation has."""
        own, score = self.cells, self.cells + 2 * self.claims
        order = np.arange(self.length)
        order[own:score] = np.roll(order[own:score], self.claims)
        order[score : score + self.scores] = order[score : score + self.scores][::-1]
        self.exchanged = order
        """Where each number of an observation stands in the one of the other seat."""
        self._pack_numbers = Struct(f"={self.cells}h").pack
        self._last: tuple[tuple[int, ...], bytes] = opening.numbers, self._pack_numbers(*opening.numbers)
        """The numbers that were seen last, as they are and packed: a game sees the same ones at every turn."""
        self._tail = Struct(f"={self.scores + 1}h").pack
        self._plane = _packer(self.claims, np.int16)
        self._legal = _packer(game.action_count, np.int8)
        self._mask = lru_cache(maxsize=1 << 16)(self._unpacked)

    def space(self) -> Box:
        """The space of observations."""
        largest = max(9, self.game.cell_count)
        high = [largest] * self.cells + [1] * 2 * self.claims
        high += [2 * largest * self.game.cell_count] * self.scores + [4 * self.game.cell_count]
        low = [0] * len(high)
        if self.fair:
            low.append(-4 * largest * self.game.cell_count)
            high.append(4 * largest * self.game.cell_count)
        if self.toss:
            low.append(1)
            high.append(2)
        return Box(np.array(low, np.int16), np.array(high, np.int16), dtype=np.int16)

    def observe(self, position: Position, seat: int) -> Observation:
        """The observation of a position from one seat."""
        _, numbers, own, other, _, ply, scores, _ = position
        if seat == 2:
            own, other, scores = other, own, scores and scores[::-1]
        known, written = self._last
        if numbers is not known:
            written = self._pack_numbers(*numbers)
            self._last = numbers, written
        tail = self._tail(ply) if scores is None else self._tail(*scores, ply)
        packed = _NOTHING.join((written, self._plane(own), self._plane(other), tail))
        if self.fair:
            packed += _HALVES(round(2 * position.game.komi))
        if self.toss:
            packed += self.toss[position.game]
        return frombuffer(packed, int16)

    def mask(self, legal: int) -> Mask:
        """The array of 0 and 1 for legal actions that are given as a bit mask."""
        return self._mask(legal).copy()

    def _unpacked(self, legal: int) -> Mask:
        return frombuffer(self._legal(legal), np.int8)

    def __reduce__(self) -> tuple[Any, ...]:
        return Observer, (self.game, self.fair)


_HALVES = Struct("=h").pack
_NOTHING = bytearray()
MOST_TABLE_BITS = 16
"""Masks of up to this many bits are all unpacked in advance."""


def _packer(bits: int, dtype: type[np.signedinteger[Any]]) -> Callable[[int], bytes]:
    """A function that turns a mask of this many bits into the bytes of an array of 0 and 1."""
    if bits <= MOST_TABLE_BITS:
        masks = np.arange(1 << bits, dtype=np.uint32)
        arrays = ((masks[:, None] >> np.arange(bits, dtype=np.uint32)) & 1).astype(dtype)
        return [array.tobytes() for array in arrays].__getitem__

    def unpack(mask: int) -> bytes:
        return np.array([mask >> i & 1 for i in range(bits)], dtype).tobytes()

    return lru_cache(maxsize=1 << 16)(unpack)


@lru_cache(maxsize=64)
def observer_of(game: Game, fair: bool = False) -> Observer:
    """The observer of a game; environments of the same game share it."""
    return Observer(game, fair)

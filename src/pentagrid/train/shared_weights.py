"""Which weights of a network are the same because the board looks the same: rows exchanged, turned, mirrored.

Every unit of a network has a place: a cell, a line (rows, then columns), or none. A symmetry of the game moves places;
two weights are one if a symmetry moves the units of the one to those of the other. What a network learns of a board it
then knows of all boards that are the same to a player. These are the weights between the cells of a 2x2 board that may
be turned and mirrored: one for a cell itself (a), one for neighbors (b), one across (c).

    to      1 2 3 4
    from 1  a b b c
         2  b a c b
         3  b c a b
         4  c b b a
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.game import Game
from pentagrid.core.symmetry import generators_of

Ints = NDArray[np.int64]


class Units(NamedTuple):
    """The units of one layer: where each is, and which of those at its place."""

    places: Ints
    channels: Ints


class Sharing(NamedTuple):
    """The weights between two layers, each a number in a list of those that differ; the same for the biases."""

    weights: Ints
    """For each input a row, for each output a column."""
    scale: NDArray[np.float32]
    """What a weight is multiplied by: the more inputs of an output share it, the smaller."""
    biases: Ints
    fan: float
    """How many different weights an output has."""


class Layout:
    """Where the units of a game's networks are."""

    def __init__(self, game: Game) -> None:
        self.game = game
        n = game.size
        self._cells = np.arange(n * n)
        self._lines = n * n + np.arange(2 * n)
        self._nowhere = n * n + 2 * n
        self._claims = self._cells if game.claim_count == n * n else self._lines
        self._orbits = _orbits(self._symmetries(), self._nowhere + 1)

    def _symmetries(self) -> list[Ints]:
        """For each symmetry that makes up the others, where every place goes; none where moves are more than claims."""
        if self.game.action_count > self.game.claim_count + self.game.pie:
            return []
        grid = self._cells.reshape(self.game.size, -1)
        lines = {frozenset(line): place for line, place in zip((*grid, *grid.T), self._lines, strict=True)}
        moved = []
        for cells in map(np.array, generators_of(self.game)):
            # Where lines do not stay lines, no unit is at one.
            there = [lines.get(frozenset(cells[list(line)]), place) for line, place in lines.items()]
            moved.append(np.array([*cells, *there, self._nowhere]))
        return moved

    @property
    def seen(self) -> Units:
        """The numbers of an observation (`envs/observation.py`)."""
        game = self.game
        parts = [self._cells] * game.has_numbers + [self._claims] * 2
        return _units([*parts, *[np.array([self._nowhere])] * (2 * game.has_points + 1)])

    def hidden(self, channels: int) -> Units:
        """So many units at every cell, and at every line where lines are claimed."""
        places = self._cells if self._claims is self._cells else np.concatenate([self._cells, self._lines])
        return _units([places] * channels)

    @property
    def actions(self) -> Units:
        """A unit for each action."""
        others = self.game.action_count - self._claims.size
        return _units([self._claims, *[np.array([self._nowhere])] * others])

    @property
    def one(self) -> Units:
        """A single unit that belongs to no place."""
        return _units([np.array([self._nowhere])])

    def sharing(self, inputs: Units, outputs: Units) -> Sharing:
        """The weights between two layers."""
        pairs = self._orbits[np.ix_(inputs.places, outputs.places)]
        weights = _numbered(pairs, inputs.channels[:, None], outputs.channels)
        counts = np.stack([np.bincount(column, minlength=weights.max() + 1) for column in weights.T], axis=1)
        used = np.take_along_axis(counts, weights, axis=0)
        biases = _numbered(np.diagonal(self._orbits)[outputs.places], outputs.channels)
        scale = (1 / np.sqrt(used)).astype(np.float32)
        return Sharing(weights, scale, biases, float((counts > 0).sum(axis=0).mean()))


def _units(parts: list[Ints]) -> Units:
    channels = [np.full(part.size, channel) for channel, part in enumerate(parts)]
    return Units(np.concatenate(parts), np.concatenate(channels))


def _orbits(symmetries: list[Ints], count: int) -> Ints:
    """A number for each pair of places, the same for pairs that a symmetry moves to each other."""
    numbers = np.arange(count * count).reshape(count, count)
    before = None
    while before is None or (before != numbers).any():
        before = numbers
        for moved in symmetries:  # each also undoes itself when it is repeated
            numbers = np.minimum(numbers, numbers[np.ix_(moved, moved)])
    return numbers


def _numbered(*keys: Ints) -> Ints:
    """The same number from 0 up wherever all keys are the same."""
    broad = np.stack(np.broadcast_arrays(*keys), axis=-1)
    _, numbers = np.unique(broad.reshape(-1, broad.shape[-1]), axis=0, return_inverse=True)
    return np.asarray(numbers.reshape(broad.shape[:-1]))

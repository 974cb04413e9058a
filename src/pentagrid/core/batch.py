"""Many games of one kind at once, as NumPy arrays: the base of each game's `batch.py`, which calls it `BATCH`.

A column is a game, a row one number of it, so that every operation runs along the games:

    numbers[cell, game]   planes[side][claim, game]: 0 or 1   points[side, game]   ply[game]   legal[action, game]

A game mostly changes hands at every turn, so the two sides are not Player 1 and Player 2 but the mover and the other:
`own` is `planes[side]` and `side` flips for all games at once after each turn. Where an option lets a player move twice
running, or two players swap, the two sides of just those games are exchanged behind that. A game dealt anew just has
both planes cleared. Deals are those of `Game.deal`, seed for seed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.game import Game
from pentagrid.core.options import SWAP_PLY
from pentagrid.core.position import Position
from pentagrid.core.rng import MAX_SEED, Dice
from pentagrid.core.scoring import ScoringGame

Seeds = NDArray[np.uint64]
Actions = NDArray[np.int64]
Flags = NDArray[np.bool_]

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def mixed(states: Seeds) -> Seeds:
    """The outputs of SplitMix64 for these states; they are written over."""
    states ^= states >> np.uint64(30)
    states *= FIRST
    states ^= states >> np.uint64(27)
    states *= SECOND
    states ^= states >> np.uint64(31)
    return states


def draws(seeds: Seeds, count: int) -> Seeds:
    """The first so many draws of `Dice(seed)`, a row for each draw, a column for each seed."""
    steps = np.arange(1, count + 1, dtype=np.uint64)[:, None] * GAMMA
    return mixed(steps + seeds)


def below(drawn: Seeds, n: int) -> Seeds:
    """What `Dice.below(n)` makes of draws. One in 2^58 would be drawn again there; `deal` looks for those."""
    return drawn - drawn // np.uint64(n) * np.uint64(n)


def shuffled(drawn: Seeds, count: int) -> NDArray[np.int8]:
    """1 to `count` in the order of `Dice.shuffled`, down each column."""
    columns = np.arange(drawn.shape[1])
    order = np.repeat(np.arange(1, count + 1, dtype=np.int8)[:, None], drawn.shape[1], axis=1)
    for k, i in enumerate(range(count - 1, 0, -1)):
        j = below(drawn[k], i + 1).astype(np.intp)
        here = order[j, columns]
        order[j, columns] = order[i]
        order[i] = here
    return order


class Streams:
    """For each game the stream `Dice(seed, *path)` of its own seed."""

    def __init__(self, seeds: Seeds, *path: int) -> None:
        self._states = seeds.copy()
        for step in path:
            self._states = self._next(slice(None)) ^ np.uint64(step)

    def _next(self, which: slice | NDArray[np.intp]) -> Seeds:
        self._states[which] += GAMMA
        return mixed(self._states[which].copy())

    def seeds(self, which: slice | NDArray[np.intp]) -> Seeds:
        """The next seed of each of these games."""
        return self._next(which) & np.uint64(MAX_SEED)


class Batch(ABC):
    """So many games of one kind. Actions given to `play` must be legal."""

    spare = 0
    """Rows behind the cells that belong to no cell, for games that look beyond the edge."""

    def __init__(self, game: Game, count: int) -> None:
        self.game = game
        self.count = count
        self.claims = sum(game.claim_rows())
        self.numbers = np.zeros(((game.cell_count + self.spare) if game.has_numbers else 0, count), np.int8)
        self.planes = np.zeros((2, self.claims + self.spare, count), np.int8)
        self.points = np.zeros((2, count), np.int16)
        self.ply = np.zeros(count, np.int16)
        self.swapped = np.zeros(count, np.bool_)
        self.legal = np.zeros((game.action_count, count), np.bool_)
        self.side = 0
        self.columns = np.arange(count)
        """The column of each game in every array."""
        self.sided: list[NDArray[Any]] = [self.planes, self.points]
        """The arrays that have a part for each side."""
        self._movers = np.array(game.sides, np.int8)
        self._again: Flags = np.append(False, self._movers[1:] == self._movers[:-1])
        """After so many moves on the board: is it the turn of the same player once more?"""
        self._changes_hands = not (game.pie or self._again.any())
        """Does every game change hands at every turn?"""

    @property
    def own(self) -> NDArray[np.int8]:
        """The movers' claims."""
        return self.planes[self.side, : self.claims]

    @property
    def other(self) -> NDArray[np.int8]:
        """The claims of those who wait."""
        return self.planes[1 - self.side, : self.claims]

    def deal(self, which: slice | NDArray[np.intp], seeds: Seeds) -> None:
        """Begin these games anew, each with its seed's deal."""
        if self.game.has_numbers:
            self.numbers[: self.game.cell_count, which] = self.numbers_of(seeds)
        self.planes[:, :, which] = 0
        self.points[:, which] = 0
        self.ply[which] = 0
        if self.game.pie:
            self.swapped[which] = False
        self.open_games(which)

    def dealt(self, seeds: list[int]) -> list[tuple[int, ...]]:
        """The numbers that each of these seeds deals; no game is touched."""
        return [tuple(column) for column in self.numbers_of(np.array(seeds, np.uint64)).T.tolist()]

    def numbers_of(self, seeds: Seeds) -> NDArray[np.int8]:
        """The numbers that seeds deal, a column for each."""
        cells = self.game.cell_count
        drawn = draws(seeds, cells)
        dealt = self.numbers_from_draws(drawn)
        for column in np.flatnonzero((drawn > np.uint64(2**64 - 1 - cells)).any(axis=0)):
            dealt[:, column] = self.game.deal_numbers(Dice(int(seeds[column])))
        return dealt

    def numbers_from_draws(self, drawn: Seeds) -> NDArray[np.int8]:
        """The numbers that draws make, a column for each game."""
        return shuffled(drawn, self.game.cell_count)

    def open_games(self, which: slice | NDArray[np.intp]) -> None:
        """Set what else a fresh game needs; to begin with every claim is legal."""
        self.legal[:, which] = False
        self.legal[: self.claims, which] = True

    @property
    def turns(self) -> NDArray[np.int16]:
        """How many turns of each game were moves on the board: all but a swap."""
        return self.ply - self.swapped if self.game.pie else self.ply

    @property
    def movers(self) -> NDArray[np.int8]:
        """Whose turn it is in each game, or would be if it were not over: 1 or 2."""
        return self._seats(self.columns, 0)

    def last_movers(self, which: NDArray[np.intp]) -> NDArray[np.int8]:
        """Who has made the last move on the board in each of these games."""
        return self._seats(which, 1)

    def _seats(self, which: NDArray[np.intp], ago: int) -> NDArray[np.int8]:
        turns = self.turns[which] - ago
        if self._changes_hands:  # quicker than to look it up
            return ((turns & 1) + 1).astype(np.int8)
        sides = self._movers[turns]
        return np.where(self.swapped[which], 3 - sides, sides)

    def play(self, actions: Actions) -> tuple[Flags, Flags]:
        """One turn in every game: which games are over, and in which of those the mover has won."""
        if not self._changes_hands:
            return self._play_on(actions)
        self.make_moves(actions, actions * self.count + self.columns)
        self.ply += 1
        self.side ^= 1
        return self.ended_games()

    def _play_on(self, actions: Actions) -> tuple[Flags, Flags]:
        """The same where players may swap, or move twice running.

        A swap leaves what the mover sees as it is: the side to move stays, with the other player at it. So a legal
        claim stands in for it, which is then undone.
        """
        swapping = np.flatnonzero(actions == self.game.swap_action)
        kept = [array[..., swapping] for array in (*self.sided, self.legal)] if swapping.size else []
        made = actions.copy()
        made[swapping] = self.legal[:, swapping].argmax(axis=0)
        self.make_moves(made, made * self.count + self.columns)
        for array, before in zip((*self.sided, self.legal), kept, strict=False):
            array[..., swapping] = before
        self.ply += 1
        self.swapped[swapping] = True
        self.side ^= 1
        ended = self.ended_games()
        again = self._again[self.turns]
        again[swapping] = True
        columns = np.flatnonzero(again)
        for array in self.sided if columns.size else ():
            array[..., columns] = array[::-1, ..., columns]
        if self.game.pie:
            self.legal[self.game.swap_action] = self.ply == SWAP_PLY
        return ended

    @abstractmethod
    def make_moves(self, actions: Actions, at: Actions) -> None:
        """Make the moves: `at` is where an action's row lies in a flat array. Leave `legal` as it is for the next."""

    @abstractmethod
    def ended_games(self) -> tuple[Flags, Flags]:
        """After the sides have flipped: which games are over, and whether the one who just moved has won."""

    def position(self, number: int) -> Position:
        """One of the games as a position."""
        one, two = (int(sum(1 << int(i) for i in np.flatnonzero(plane[:, number]))) for plane in (self.own, self.other))
        ply, swapped = int(self.ply[number]), bool(self.swapped[number])
        mover = self.game.mover_at(ply, swapped)
        if mover == 2:
            one, two = two, one
        numbers = tuple(map(int, self.numbers[: self.game.cell_count, number])) if self.game.has_numbers else ()
        scores: Any = None
        if isinstance(self.game, ScoringGame):
            own, other = int(self.points[self.side, number]), int(self.points[1 - self.side, number])
            scores = (own, other) if mover == 1 else (other, own)
        return Position(self.game, numbers, one, two, mover, ply=ply, scores=scores, swapped=swapped)


class ScoringBatch(Batch):
    """Games won on points, in which every game lasts the same number of turns."""

    game: ScoringGame

    def __init__(self, game: ScoringGame, count: int) -> None:
        super().__init__(game, count)
        self._length = self.game_length()
        last = game.side_at(self._length - 1)
        self._tie_to_last = game.tie_winner() == last
        self._needed = game.komi if last == 1 else -game.komi
        """The lead beyond which the one who moves last wins; a swap changes who that is, not what that side needs."""

    def game_length(self) -> int:
        """How many turns a game lasts."""
        return self.game.swap_action

    def make_moves(self, actions: Actions, at: Actions) -> None:
        """A claim that pays its points and is gone."""
        self.planes[self.side].ravel()[at] = 1
        self.legal.ravel()[at] = False
        self.points[self.side] += self.claim_points().ravel()[at]

    def claim_points(self) -> NDArray[Any]:
        """The points of every claim."""
        return self.numbers

    def ended_games(self) -> tuple[Flags, Flags]:
        over = self.turns == self._length
        lead = self.points[1 - self.side] - self.points[self.side]
        return over, (lead >= self._needed) if self._tie_to_last else (lead > self._needed)

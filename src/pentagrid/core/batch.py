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
from pentagrid.core.streams import Stream

Seeds = NDArray[np.uint64]
Actions = NDArray[np.int64]
Flags = NDArray[np.bool_]

GAMMA = np.uint64(0x9E3779B97F4A7C15)
SCATTERED = 64
"""To touch one column by its number takes as long as to go through so many in a row."""
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
    drawn = np.empty((count, seeds.size), np.uint64)
    states = seeds.copy()
    for row in drawn:  # one after the other: a row stays in the processor's nearest cache
        states += GAMMA
        row[:] = states
        mixed(row)
    return drawn


def below(drawn: Seeds, n: int) -> Seeds:
    """What `Dice.below(n)` makes of draws. One in 2^58 would be drawn again there; `deal` looks for those."""
    return drawn - drawn // np.uint64(n) * np.uint64(n)


def shuffled(drawn: Seeds, count: int) -> NDArray[np.int8]:
    """1 to `count` in the order of `Dice.shuffled`, down each column."""
    games = drawn.shape[1]
    columns = np.arange(games)
    order = np.repeat(np.arange(1, count + 1, dtype=np.int8)[:, None], games, axis=1)
    flat = order.ravel()
    for k, i in enumerate(range(count - 1, 0, -1)):
        at = below(drawn[k], i + 1).astype(np.intp) * games + columns
        here = flat.take(at)
        flat[at] = order[i]
        order[i] = here
    return order


def refill(flags: NDArray[Any], which: slice | NDArray[np.intp], value: int) -> None:
    """Make all of these columns 0 or 1 in an array that holds nothing else."""
    if isinstance(which, slice) or which.size * SCATTERED < flags.shape[-1]:
        flags[..., which] = value
        return
    column = np.full(flags.shape[-1], 1 - value, flags.dtype)
    column[which] = value
    (np.bitwise_or if value else np.bitwise_and)(flags, column, out=flags)


class Streams:
    """For each game the stream `Dice(seed, *path)` of its own seed."""

    def __init__(self, seeds: Seeds, *path: int) -> None:
        self._states = seeds.copy()
        for step in path:
            self._states = self.draws(slice(None)) ^ np.uint64(step)

    def draws(self, which: slice | NDArray[np.intp]) -> Seeds:
        """The next draw of each of these games."""
        states = self._states[which] + GAMMA
        self._states[which] = states
        return mixed(states)

    def ahead(self, count: int) -> Seeds:
        """The next so many draws of every game, a row for each draw; none of them is taken."""
        return draws(self._states, count)

    def below(self, limits: Seeds, which: slice | NDArray[np.intp]) -> Seeds:
        """The next `Dice.below` of each of these games, each below its own limit."""
        drawn = self.draws(which)
        rest = drawn % limits
        columns = np.arange(len(self._states))[which]
        again = np.flatnonzero(drawn - rest > -limits)  # beyond 2^64 less the limit: those would favor some
        while again.size:
            drawn = self.draws(columns[again])
            rest[again] = drawn % limits[again]
            again = again[drawn - rest[again] > -limits[again]]
        return rest

    def seeds(self, which: slice | NDArray[np.intp]) -> Seeds:
        """The next seed of each of these games."""
        return self.draws(which) & np.uint64(MAX_SEED)

    def renew(self, which: slice | NDArray[np.intp], seeds: Seeds, *path: int) -> None:
        """Give these games the streams of other seeds."""
        self._states[which] = Streams(seeds, *path)._states


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
        self._games = game.tossed()
        self.toss = np.zeros(count, np.int8)
        """In each game, which of the two that a toss decides between is played; 0 where nothing is left to a toss."""
        self._movers = np.array([each.sides for each in self._games], np.int8)
        self._again: Flags = np.zeros(self._movers.shape, np.bool_)
        """By the toss, after so many moves on the board: is it the turn of the same player once more?"""
        self._again[:, 1:] = self._movers[:, 1:] == self._movers[:, :-1]
        self.unsided: list[NDArray[Any]] = [self.numbers, self.ply, self.swapped, self.legal, self.toss]
        """All other arrays that have a column for each game."""
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
        if len(self._games) > 1:
            self.toss[which] = Streams(seeds, Stream.RULE_TOSS).seeds(slice(None)) & np.uint64(1)
        if self.game.has_numbers:
            self.numbers[: self.game.cell_count, which] = self.numbers_of(seeds)
        refill(self.planes, which, 0)
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
        refill(self.legal[: self.claims], which, 1)
        refill(self.legal[self.claims :], which, 0)

    @property
    def turns(self) -> NDArray[np.int16]:
        """How many turns of each game were moves on the board: all but a swap."""
        return self.ply - self.swapped if self.game.pie else self.ply

    @property
    def sides(self) -> NDArray[np.int8]:
        """The side that is to move in each game: the seat to move, but for games in which the players have swapped."""
        return self._movers[self.toss, self.turns]

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
        sides = self._movers[self.toss[which], turns]
        return np.where(self.swapped[which], 3 - sides, sides)

    def play(self, actions: Actions) -> tuple[Flags, Flags]:
        """One turn in every game: which games are over, and in which of those the mover has won."""
        if not self._changes_hands:
            return self._play_on(actions)
        self.make_moves(actions, actions * self.count + self.columns)
        self.ply += 1
        self.side ^= 1
        return self.ended_games()

    def play_some(self, which: NDArray[np.intp], actions: Actions) -> tuple[Flags, Flags]:
        """One turn in these games only, and for them what `play` tells."""
        if which.size == self.count:
            return self.play(actions)
        part = type(self)(self.game, which.size)
        part.side = self.side
        for mine, theirs in zip(self.sided + self.unsided, part.sided + part.unsided, strict=True):
            np.take(mine, which, axis=-1, out=theirs, mode="clip")
        ended = part.play(actions)
        for mine, theirs in zip(self.sided, part.sided, strict=True):
            mine[..., which] = theirs if part.side == self.side else theirs[::-1]
        for mine, theirs in zip(self.unsided, part.unsided, strict=True):
            mine[..., which] = theirs
        return ended

    def choose(self, draws: Seeds, which: slice | NDArray[np.intp] = slice(None)) -> Actions:
        """The legal action that each draw picks in its game, as `Dice.choice` does (but for one draw in 2^58)."""
        legal = self.legal.view(np.int8)[:, which]
        seen = np.empty(legal.shape, np.int8 if len(legal) < 128 else np.int16)
        seen[0] = legal[0]
        for before, row, now in zip(seen, legal[1:], seen[1:], strict=False):  # quicker than cumsum
            np.add(before, row, out=now)
        rank = (draws % seen[-1].astype(np.uint64)).astype(seen.dtype)
        chosen: Actions = (seen <= rank).sum(axis=0, dtype=seen.dtype).astype(np.int64)
        return chosen

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
        again = self._again[self.toss, self.turns]
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
        game = self._games[self.toss[number]]
        ply, swapped = int(self.ply[number]), bool(self.swapped[number])
        mover = game.mover_at(ply, swapped)
        if mover == 2:
            one, two = two, one
        numbers = tuple(map(int, self.numbers[: self.game.cell_count, number])) if self.game.has_numbers else ()
        scores: Any = None
        if game.has_points:
            own, other = int(self.points[self.side, number]), int(self.points[1 - self.side, number])
            scores = (own, other) if mover == 1 else (other, own)
        return Position(game, numbers, one, two, mover, ply=ply, scores=scores, swapped=swapped)


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
        """The points of every claim, a row for each."""
        return self.numbers

    def final_margins(self, ended: NDArray[np.intp]) -> NDArray[np.float64]:
        """By how many points, komi counted, the last mover is ahead in these games, which are over."""
        lead = self.points[self.side, ended] - self.points[1 - self.side, ended]
        lead = np.where(self.last_movers(ended) == self.movers[ended], lead, -lead)
        margins: NDArray[np.float64] = lead - float(self._needed)
        return margins

    def ended_games(self) -> tuple[Flags, Flags]:
        over = self.turns == self._length
        lead = self.points[1 - self.side] - self.points[self.side]
        return over, (lead >= self._needed) if self._tie_to_last else (lead > self._needed)

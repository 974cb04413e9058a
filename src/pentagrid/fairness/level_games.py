"""Games of graded players, hundreds at once: move for move the games that they would play one by one.

Every game is played by sides, in step; a swap only changes which seat plays which side, so no game waits for another.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.analysis.solver import Solver
from pentagrid.core.batch import Batch, Seeds, Streams
from pentagrid.core.catalog import has_part, part
from pentagrid.core.game import Game
from pentagrid.core.move_worths import MoveWorths, losses_together
from pentagrid.core.options import SWAP_PLY
from pentagrid.core.streams import Stream
from pentagrid.fairness.deals import Deals
from pentagrid.fairness.tally import MARGIN, TURNS, WINNER, Tally, count_values
from pentagrid.play.levels import Level, lean
from pentagrid.play.players import make_player

Numbers = NDArray[Any]
LOST = np.iinfo(np.int32).min
"""Worse than any move."""


def level_tally(deals: Deals, fair: bool, kinds: tuple[str, str], first: int, last: int) -> Tally | None:
    """Winners, margins and turns of games on the deals from one number up to another (without the last).

    They are those of `played_tally`. None where games are not played together: other players, or no tables for it.
    """
    levels = [player for player in map(make_player, kinds) if isinstance(player, Level)]
    if len(levels) < 2 or deals.everything or deals.opening or not has_part(deals.game.name, "worths"):
        return None
    worths: type[MoveWorths] = part(deals.game.name, "worths").WORTHS
    if not worths.reaches(deals.game):
        return None
    tally = Tally()
    for start in range(first, last, worths.most_games):
        seeds = deals.seeds(start, min(last, start + worths.most_games))
        games = deals.game.tossed()
        tosses = Streams(seeds, Stream.RULE_TOSS).seeds(slice(None)) & np.uint64(1)
        for toss, game in enumerate(games):
            some = seeds if len(games) == 1 else seeds[tosses == toss]
            if some.size:
                table = LevelGames(game, worths, levels, some, fair)
                table.play()
                table.count(tally)
    return tally


class LevelGames:
    """Games of two graded players, on the deal of each seed."""

    def __init__(self, game: Game, worths: type[MoveWorths], levels: list[Level], seeds: Seeds, fair: bool) -> None:
        self.game, self.levels = game, levels
        plain = type(game)(game.size, **{**game.rules, "pie": "off", **({"komi": "0"} if game.has_points else {})})
        self.batch: Batch = part(game.name, "batch").BATCH(plain, len(seeds))
        self.batch.deal(slice(None), seeds)
        self.moves = worths(self.batch)
        self.solver = Solver(self.batch.position(0)).deal_solver
        self.dice = Streams(seeds, Stream.CENSUS_PLAYERS)
        self.komi: Numbers = np.full(len(seeds), round(4 * game.komi), np.int32)
        """Four times the komi of each game."""
        if fair:
            tosses = Streams(seeds, Stream.KOMI_TOSS).seeds(slice(None)) & np.uint64(1)
            best = self.moves.entries(0).astype(np.int32).max(axis=0)
            self.komi = 4 * best + 4 * tosses.astype(np.int32) - 2
        self.swapped = np.zeros(len(seeds), np.bool_)
        self.winner = np.zeros(len(seeds), np.int8)
        """The side that has won each game; 0 while it goes on."""
        self.turns = np.zeros(len(seeds), np.int16)
        self.halves = np.zeros(len(seeds), np.int32)
        """Twice the final margin of side 1, komi counted, where points decide."""
        self.by_points = np.zeros(len(seeds), np.bool_)

    def play(self) -> None:
        """Play every game to its end."""
        for turn in range(self.game.most_turns):
            side = self.game.side_at(turn)
            over, won = self.batch.play(self._choose(turn, side))
            self._end(over & (self.winner == 0), won, side, turn + 1)
            if self.winner.all():
                return

    def _choose(self, turn: int, side: int) -> Numbers:
        """The action of every game; before it a swap, where somebody chooses that."""
        legal, sign = self.batch.legal, 3 - 2 * side
        worths = self.moves.worths(self.moves.entries(turn), self.komi)
        if self.game.pie and turn == 0:
            worths = -np.abs(worths)  # whatever it is worth, the other player takes the better side
        mine, natural = np.where(legal, sign * worths, LOST), self.moves.natural(turn)
        if not (self.game.pie and turn == SWAP_PLY):
            return self._draw(self._weights(mine, natural, side), slice(None))
        with_swap = np.concatenate([mine, -mine.max(axis=0, keepdims=True)])
        looks = np.concatenate([natural, self.moves.natural_swap()[None]])
        actions = self._draw(self._weights(with_swap, looks, side), slice(None))
        self.swapped = actions == len(legal)
        swaps = np.flatnonzero(self.swapped)
        if swaps.size:  # the other player is now on the same side, and moves
            actions[swaps] = self._draw(self._weights(mine, natural, side)[:, swaps], swaps)
        return actions

    def _weights(self, mine: Numbers, natural: Numbers, side: int) -> Numbers:
        """How likely each action is, as `Level.weights` says; `mine` are worths to the mover, LOST where not legal."""
        legal, best = mine > LOST, mine.max(axis=0)
        losses, places = losses_together(self.solver, side, best, np.where(legal, mine, best))
        kinds = {loss: number for number, loss in enumerate(dict.fromkeys(losses))}
        kind = np.array([kinds[loss] for loss in losses])[places]
        by_level = [[level.weight(loss, self.solver.scale) for loss in losses] for level in self.levels]
        weights = np.array(by_level, np.uint64)[(side - 1) ^ self.swapped.astype(np.intp), places]
        first = kind[legal.argmax(axis=0), self.batch.columns]
        equal = np.flatnonzero(((kind == first) | ~legal).all(axis=0))
        if equal.size:
            weights[:, equal] = _leaning(natural[:, equal], legal[:, equal])
        weights[~legal] = 0
        likely: Numbers = weights
        return likely

    def _draw(self, weights: Numbers, which: slice | NDArray[np.intp]) -> Numbers:
        """An action of each of these games, as likely as its weight; any in a game that is over."""
        sums = np.cumsum(weights, axis=0)
        marks = self.dice.below(np.maximum(sums[-1], np.uint64(1)), which)
        actions: Numbers = np.minimum((sums <= marks).sum(axis=0), len(weights) - 1)
        return actions

    def _end(self, ended: NDArray[np.bool_], won: NDArray[np.bool_], side: int, turns: int) -> None:
        """Note how games ended with the move that a side has just made; the batch counts no komi."""
        if not ended.any():
            return
        self.turns[ended] = turns + self.swapped[ended]
        self.winner[ended] = np.where(won[ended], side, 3 - side)
        if not self.game.has_points:
            return
        points = ended & ~self.moves.decided_before_points()
        worths = self.moves.worths(self.moves.final_leads(turns)[None], self.komi)[0]
        self.winner[points] = np.where(worths[points] > 0, 1, 2)
        self.by_points |= points
        self.halves[points] = np.where(np.abs(worths) == 1, 0, worths // 2)[points]

    def count(self, tally: Tally) -> None:
        """Count every game, by seats."""
        winners = np.where(self.swapped, 3 - self.winner, self.winner)
        count_values(tally, WINNER, winners)
        for seat in (1, 2):
            count_values(tally, TURNS[seat], self.turns[winners == seat])
        halves = np.where(self.swapped, -self.halves, self.halves)
        count_values(tally, MARGIN, halves[self.by_points], lambda half: f"{half / 2:g}")


def _leaning(natural: Numbers, legal: NDArray[np.bool_]) -> Numbers:
    """The weights of equally good actions: a player leans to the natural ones."""
    looks = natural.astype(np.int64)
    most = np.where(legal, looks, LOST).max(axis=0)
    least = np.where(legal, looks, -LOST).min(axis=0)
    pairs, places = np.unique(np.where(legal, most - looks, 0) * (1 << 20) + (most - least), return_inverse=True)
    weights = np.array([lean(pair >> 20, pair & (1 << 20) - 1) for pair in pairs.tolist()], np.uint64)
    leaning: Numbers = weights[places.reshape(looks.shape)]
    return leaning

"""The deals of one environment, one for each episode."""

from __future__ import annotations

from copy import copy

import numpy as np

from pentagrid.analysis.komi import with_fair_komi
from pentagrid.core.batch import Batch, Streams
from pentagrid.core.catalog import has_part, part
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import MAX_SEED, Dice, fresh_seed
from pentagrid.core.streams import Stream

BLOCK = 256
"""How many later deals are made at once, which takes a small part of the time."""


class Episodes:
    """A sequence of deals: `first(seed)` deals what `game.deal(seed)` deals, `next()` what follows from that seed.

    With `fair` each deal has its fair komi; the seed of the deal decides to which side of its value the komi lies.
    """

    def __init__(self, game: Game, fair: bool = False, opponents_draws: int = 0) -> None:
        self.game, self.fair = game, fair
        self._dice: Dice | None = None
        self._prepared: list[tuple[int, tuple[int, ...] | None, list[int]]] = []
        """Seeds, numbers and the opponent's draws of later deals that are made already, the next one last."""
        self._dealer: Batch | None = None
        """Makes many deals at once; they do not depend on rule options."""
        if game.has_numbers and has_part(game.name, "batch"):
            self._dealer = part(game.name, "batch").BATCH(type(game)(game.size), 1)
        self._opening = game.deal(seed=0)
        self._draw_count = opponents_draws
        self.draws: list[int] = []
        """The first so many draws of the opponent's dice in this episode, the next one last."""

    def first(self, seed: int) -> tuple[int, Position]:
        """Begin with this seed: the seed and its deal."""
        position = self.game.deal(seed)
        self._dice = Dice(seed, Stream.LATER_DEALS)
        self._prepared = []
        self.draws = self._draws_of([seed])[0]
        return seed, self.with_komi(position, seed)

    def next(self) -> tuple[int, Position]:
        """The next seed and its deal; before `first`, those of a fresh seed."""
        if self._dice is None:
            return self.first(fresh_seed())
        if not self._prepared:
            seeds = [self._dice.next() & MAX_SEED for _ in range(BLOCK)]
            numbers = [None] * BLOCK if self._dealer is None else self._dealer.dealt(seeds)
            self._prepared = list(zip(seeds, numbers, self._draws_of(seeds), strict=True))[::-1]
        seed, dealt, self.draws = self._prepared.pop()
        position = self.game.deal(seed) if dealt is None else self._opening.with_numbers(dealt)
        return seed, self.with_komi(position, seed)

    def _draws_of(self, seeds: list[int]) -> list[list[int]]:
        if not self._draw_count:
            return [[] for _ in seeds]
        streams = Streams(np.array(seeds, np.uint64), Stream.ENV_OPPONENT)
        drawn: list[list[int]] = streams.ahead(self._draw_count)[::-1].T.tolist()
        return drawn

    def with_komi(self, position: Position, seed: int) -> Position:
        """A deal with its fair komi where komi is fair, else as it is."""
        return with_fair_komi(position, seed) if self.fair else position

    def copy(self) -> Episodes:
        """Episodes that go on with the same deals."""
        other = copy(self)
        other._prepared = self._prepared.copy()
        other.draws = self.draws.copy()
        other._dice = None if self._dice is None else self._dice.copy()
        return other

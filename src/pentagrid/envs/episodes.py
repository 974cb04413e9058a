"""The deals of one environment, one for each episode."""

from __future__ import annotations

from copy import copy

from pentagrid.analysis.komi import with_fair_komi
from pentagrid.core.catalog import has_part, part
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import MAX_SEED, Dice, fresh_seed
from pentagrid.core.streams import Stream

BLOCK = 128
"""How many later deals are made at once, which takes a tenth of the time."""


class Episodes:
    """A sequence of deals: `first(seed)` deals what `game.deal(seed)` deals, `next()` what follows from that seed.

    With `fair` each deal has its fair komi; the seed of the deal decides to which side of its value the komi lies.
    """

    def __init__(self, game: Game, fair: bool = False) -> None:
        self.game, self.fair = game, fair
        self._dice: Dice | None = None
        self._prepared: list[tuple[int, tuple[int, ...]]] = []
        """Seeds and numbers of later deals that are made already, the next one last."""
        self._by_block = game.has_numbers and has_part(game.name, "batch")
        self._opening = game.deal(seed=0)

    def first(self, seed: int) -> tuple[int, Position]:
        """Begin with this seed: the seed and its deal."""
        position = self.game.deal(seed)
        self._dice = Dice(seed, Stream.LATER_DEALS)
        self._prepared = []
        return seed, self.with_komi(position, seed)

    def next(self) -> tuple[int, Position]:
        """The next seed and its deal; before `first`, those of a fresh seed."""
        if self._dice is None:
            return self.first(fresh_seed())
        if not self._by_block:
            seed = self._dice.next() & MAX_SEED
            return seed, self.with_komi(self.game.deal(seed), seed)
        if not self._prepared:
            seeds = [self._dice.next() & MAX_SEED for _ in range(BLOCK)]
            plain = type(self.game)(self.game.size)  # deals do not depend on rule options
            numbers = part(self.game.name, "batch").BATCH(plain, BLOCK).dealt(seeds)
            self._prepared = list(zip(reversed(seeds), reversed(numbers), strict=True))
        seed, dealt = self._prepared.pop()
        return seed, self.with_komi(self._opening.with_numbers(dealt), seed)

    def with_komi(self, position: Position, seed: int) -> Position:
        """A deal with its fair komi where komi is fair, else as it is."""
        return with_fair_komi(self.game, position, seed).opening(position.numbers) if self.fair else position

    def copy(self) -> Episodes:
        """Episodes that go on with the same deals."""
        other = copy(self)
        other._prepared = self._prepared.copy()
        other._dice = None if self._dice is None else self._dice.copy()
        return other

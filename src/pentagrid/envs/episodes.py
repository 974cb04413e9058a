"""The deals of one environment, episode after episode."""

from __future__ import annotations

from importlib.util import find_spec

from pentagrid.analysis.komi import with_fair_komi
from pentagrid.core.catalog import part
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import MAX_SEED, Dice, fresh_seed
from pentagrid.core.streams import Stream

BLOCK = 128
"""Later deals are made so many at once, which takes a tenth of the time."""


class Episodes:
    """`first(seed)` deals what `game.deal(seed)` deals; `next()` goes on with the deals that follow from that seed.

    With `fair` each deal has the komi that is fair for it, by the toss of its seed.
    """

    def __init__(self, game: Game, fair: bool = False) -> None:
        self.game, self.fair = game, fair
        self._dice: Dice | None = None
        self._waiting: list[tuple[int, tuple[int, ...]]] = []
        where = type(game).__module__.rpartition(".")[0]
        self._by_block = game.has_numbers and find_spec(f"{where}.batch") is not None
        self._opening = game.deal(seed=0)[2:]
        """What all openings have in common: everything but the numbers."""

    def first(self, seed: int) -> tuple[int, Position]:
        """The deal of this seed, and from now on those that follow from it."""
        position = self.game.deal(seed)
        self._dice = Dice(seed, Stream.LATER_DEALS)
        self._waiting = []
        return seed, self.with_komi(position, seed)

    def next(self) -> tuple[int, Position]:
        """The next deal and its seed; without a first one, a deal nobody can foresee."""
        if self._dice is None:
            return self.first(fresh_seed())
        if not self._by_block:
            seed = self._dice.next() & MAX_SEED
            return seed, self.with_komi(self.game.deal(seed), seed)
        if not self._waiting:
            seeds = [self._dice.next() & MAX_SEED for _ in range(BLOCK)]
            plain = type(self.game)(self.game.size)  # deals do not depend on rule options
            numbers = part(self.game.name, "batch").BATCH(plain, BLOCK).dealt(seeds)
            self._waiting = list(zip(reversed(seeds), reversed(numbers), strict=True))
        seed, dealt = self._waiting.pop()
        return seed, self.with_komi(Position(self.game, dealt, *self._opening), seed)

    def with_komi(self, position: Position, seed: int) -> Position:
        """A deal with the komi it has here."""
        return with_fair_komi(self.game, position, seed).opening(position.numbers) if self.fair else position

    def copy(self) -> Episodes:
        """Another that goes on with the same deals."""
        other = Episodes.__new__(Episodes)
        other.game, other._by_block, other._waiting = self.game, self._by_block, self._waiting.copy()
        other.fair = self.fair
        other._opening = self._opening
        other._dice = None
        if self._dice is not None:
            other._dice = Dice(self._dice.seed)
            other._dice._state = self._dice._state
        return other

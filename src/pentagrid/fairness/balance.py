"""All ways to play a game, compared: which is fair at every level, and does skill still decide?

Every combination of a game's options is played by equal players of five levels, and by a strong and a weak one from
either seat. The most even go to a final on fresh deals, so that none is recommended for its luck. Komi is chosen on
deals of its own, always the same ones. What is known exactly is not sampled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import sqrt
from typing import NamedTuple

from pentagrid.analysis.komi import chosen_rules
from pentagrid.analysis.solver import Solver
from pentagrid.core.catalog import has_part
from pentagrid.core.game import Game
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError
from pentagrid.fairness.census import MOST_DEALS
from pentagrid.fairness.deals import Deals
from pentagrid.fairness.level_games import level_tally
from pentagrid.fairness.perfect_play import perfect_tally, proven_share
from pentagrid.fairness.played_games import played_tally
from pentagrid.fairness.tally import MARGIN, TURNS, WINNER, Tally, interval, mean, number_of

LEVELS = (1, 3, 5, 7, 9)
"""The levels at which equal players meet."""
MIDDLE = LEVELS.index(5)
STRONG, WEAK = "level:7", "level:3"
PAIRINGS = (*((f"level:{level}", f"level:{level}") for level in LEVELS), (STRONG, WEAK), (WEAK, STRONG))
"""Who sits in seat 1 and in seat 2."""
AS_WRITTEN = "as written"
CHUNK_DEALS = 1024
"""Deals in a chunk, each played in every way by every pairing."""
KOMI_SEED, KOMI_DEALS = 20_000_001, 4096
"""The deals that a komi is chosen on, whatever the seed of a comparison."""
PERFECT_DEALS = 100_000
"""Deals that stand for all where there are too many to count."""
COUNTED_DEALS = 400_000
"""The most deals that are all counted instead."""
PLAIN_DEALS = 200
"""Deals instead of all these where a game is solved and played one deal at a time."""
FRESH = 1 << 40
"""The number of the first deal of a final."""
FINALISTS = 5
TOLERANCE = 0.05
"""How far from a half a share may be and still be called fair."""


class Variant(NamedTuple):
    """One way to play a game."""

    game: Game
    fair: bool = False
    """True if each deal has the komi that is fair for it."""

    @property
    def options(self) -> str:
        """The options of the command line that choose it; empty for the rules as written."""
        rules = chosen_rules(self.game, self.fair)
        words = [f"--size {self.game.size}"] if self.game.size != self.game.default_size else []
        words += [f"--komi {value}" if name == "komi" else f"--rule {name}={value}" for name, value in rules.items()]
        return " ".join(words)

    @property
    def name(self) -> str:
        """The same, shorter, for a column of a table."""
        return self.options.replace("--rule ", "").replace("--size ", "size=").replace("--komi ", "komi=") or AS_WRITTEN


class Balance(NamedTuple):
    """The work of a comparison: on each deal every variant is played by every pairing."""

    variants: tuple[Variant, ...]
    deals: int
    seed: int
    first: int = 0
    """The number of the first deal."""

    @property
    def parts(self) -> int:
        """The games on one deal."""
        return len(self.variants) * len(PAIRINGS)

    @property
    def total(self) -> int:
        return self.parts * self.deals

    @property
    def chance(self) -> bool:
        """True: players are part of it."""
        return True

    @property
    def within(self) -> float:
        """How far a share of so many games may be off, 19 times out of 20."""
        return 0.98 / sqrt(self.deals)

    def data(self) -> dict[str, object]:
        """What is compared, as plain data."""
        return {
            "game": self.variants[0].game.name, "balance": [variant.options for variant in self.variants],
            "pairings": [f"{one} {two}" for one, two in PAIRINGS], "deals": self.deals, "seed": self.seed,
            "first": self.first,
        }  # fmt: skip

    def chunk_size(self) -> int:
        """How many games make a chunk: all those on some deals, so that a deal is solved once."""
        return CHUNK_DEALS * self.parts

    def tally(self, first: int, last: int) -> Tally:
        """The counts of a range of games; each measure's name begins with the number of its variant and pairing."""
        tally = Tally()
        for part_ in range(self.parts):
            start, end = (-((part_ - edge) // self.parts) for edge in (first, last))
            if start < end:
                for measure, counts in self._part_tally(part_, start, end).counts.items():
                    tally.counts[f"{part_} {measure}"] = counts
        return tally

    def _part_tally(self, number: int, start: int, end: int) -> Tally:
        """Some of the games of one variant and pairing."""
        variant, players = self.variants[number // len(PAIRINGS)], PAIRINGS[number % len(PAIRINGS)]
        return games_tally(variant, players, self.seed, self.first + start, self.first + end)


def games_tally(variant: Variant, players: tuple[str, str], seed: int, first: int, last: int) -> Tally:
    """Games of graded players on the deals from one number up to another (without the last)."""
    deals = Deals(variant.game, seed)
    together = level_tally(deals, variant.fair, players, first, last)
    return played_tally(deals, variant.fair, players, first, last) if together is None else together


def plan_balance(game_class: type[Game], largest: int | None, deals: int, seed: int) -> Balance:
    """Every way to play a game, from its default size up to a size. Raises `OptionError`."""
    largest = game_class.default_size if largest is None else largest
    if not game_class.default_size <= largest < game_class.sizes.stop:
        raise OptionError(
            f"--largest must be between {game_class.default_size} and {game_class.sizes.stop - 1} "
            f"for {game_class.title}, not {largest}."
        )
    check_deals("--deals", deals)
    seed = Dice(seed).seed
    sizes = [size for size in game_class.sizes if game_class.default_size <= size <= largest]
    for size in sizes:
        start = game_class(size).deal(seed)
        if Solver(start).value(start).winner is None:
            raise OptionError(
                f"--largest must be a solved size, not {largest}: {game_class.title} is not solved at size {size}."
            )
    return Balance(tuple(one for size in sizes for one in variants(game_class, size)), deals, seed)


def check_deals(option: str, deals: int) -> None:
    """Raise `OptionError` unless so many deals can be compared."""
    if not 10 <= deals <= MOST_DEALS:
        raise OptionError(f"{option} must be between 10 and {MOST_DEALS:,} for a comparison, not {deals}.")


def plan_final(balance: Balance, rows: Sequence[Standing], deals: int) -> Balance:
    """The most even ways at the default size, and the rules as written, on fresh deals."""
    usual = [row.variant for row in rows if row.variant.game.size == row.variant.game.default_size]
    chosen = [variant for rank, variant in enumerate(usual) if rank < FINALISTS or not variant.options]
    return Balance(tuple(one for one in balance.variants if one in chosen), deals, balance.seed, FRESH)


def variants(game_class: type[Game], size: int) -> Iterator[Variant]:
    """Every combination of options at one size; those that make no difference at this size are left out.

    Besides no komi there are three: the one that makes the deals even under perfect play, the one that is most even
    over all levels, and the one that is fair for each deal by itself.
    """
    offered = [rule for rule in game_class.offered_rules if rule.reader is None]
    seen = set()
    for values in product(*(rule.values for rule in offered)):
        rules = dict(zip((rule.name for rule in offered), values, strict=True))
        try:
            game = game_class(size, **rules)
        except OptionError:  # options that make no sense together
            continue
        others = tuple(rules[rule.name] for rule in offered if not rule.only_turns)
        key = tuple(each.sides[: each.most_turns] for each in game.tossed()), others
        if key in seen:
            continue
        seen.add(key)
        yield Variant(game)
        if game.has_points:
            for komi in even_komis(type(game)(size, **{**rules, "pie": "off"})):
                yield Variant(game_class(size, **rules, komi=komi))
            yield Variant(game, fair=True)


def on_arrays(game: Game) -> bool:
    """Are many deals of the game solved and played at once?"""
    return has_part(game.name, "worths")


@lru_cache
def even_komis(game: Game) -> list[str]:
    """The komi that makes deals even under perfect play, and the one that is most even between equals of all levels."""
    deals = KOMI_DEALS if on_arrays(game) else PLAIN_DEALS
    perfect = perfect_tally(Deals(game, KOMI_SEED), False, 0, deals if game.has_numbers else 1)
    equal = [games_tally(Variant(game), pair, KOMI_SEED, 0, deals) for pair in PAIRINGS[: len(LEVELS)]]
    return sorted({even_komi(game, [perfect]), even_komi(game, equal)} - {"0"}, key=float)


def even_komi(game: Game, tallies: Sequence[Tally]) -> str:
    """The one komi that is most even: the share of wins that is furthest from a half is as near to it as can be."""
    margins = sorted(number_of(margin) for tally in tallies for margin in tally.of(MARGIN))

    def unevenness(halves: int) -> tuple[float, int]:
        return max(abs(share(tally, halves) - 0.5) for tally in tallies), abs(halves)

    def share(tally: Tally, halves: int) -> float:
        counts = tally.of(MARGIN)
        points = [(count, game.winner_by(number_of(margin) - halves / 2) == 1) for margin, count in counts.items()]
        before = sum(count for margin, count in counts.items() if game.winner_by(number_of(margin)) == 1)
        other = tally.of(WINNER)["1"] - before  # what was not decided by points
        return (other + sum(count for count, wins in points if wins)) / tally.deals

    best = min((0, *range(round(2 * margins[0]) - 1, round(2 * margins[-1]) + 2)), key=unevenness)
    return f"{best / 2:g}"


class Share(NamedTuple):
    """How often seat 1 wins, with its 95 % interval; the interval is the share itself where that is known exactly."""

    share: float
    low: float
    high: float

    @classmethod
    def of(cls, tally: Tally, exact: bool = False) -> Share:
        """The share in the games of a tally."""
        wins = tally.of(WINNER)["1"]
        share = wins / tally.deals
        return cls(share, *((share, share) if exact else interval(wins, tally.deals)))

    @property
    def exact(self) -> bool:
        """Is it known, not sampled?"""
        return self.low == self.high

    @property
    def off(self) -> tuple[float, float]:
        """The least and the most that it may be away from a half."""
        ends = abs(self.low - 0.5), abs(self.high - 0.5)
        return 0.0 if self.low <= 0.5 <= self.high else min(ends), max(ends)


@lru_cache(maxsize=256)
def perfect_share(variant: Variant, seed: int) -> Share:
    """How often seat 1 wins between perfect players: sampled only where there are too many deals and no proof."""
    game = variant.game
    proven = proven_share(game, variant.fair)
    if proven is not None:
        return Share(proven, proven, proven)
    everything = Deals(game, seed, everything=True)
    if not on_arrays(game):
        return Share.of(perfect_tally(Deals(game, seed), False, 0, PLAIN_DEALS))
    count = everything.count_all()
    if count <= COUNTED_DEALS:
        return Share.of(perfect_tally(everything, False, 0, count), exact=True)
    return Share.of(perfect_tally(Deals(game, seed), False, 0, PERFECT_DEALS))


class Standing(NamedTuple):
    """How even a variant is, and how much skill decides in it."""

    variant: Variant
    perfect: Share
    """Seat 1's wins between perfect players."""
    levels: tuple[Share, ...]
    """Seat 1's wins between equal players, of each level."""
    skill: float
    """How often the strong player beats the weak one, from both seats together."""
    turns: float
    """The average number of turns between equal players of the middle level."""

    @property
    def worst(self) -> Share:
        """The share that is furthest from a half, of all levels."""
        return max(self.levels, key=lambda share: abs(share.share - 0.5))

    @property
    def unevenness(self) -> float:
        """How far from a half that is."""
        return abs(self.worst.share - 0.5)

    @property
    def fair(self) -> bool:
        """True if the shares of all levels are close enough to a half."""
        return self.unevenness <= TOLERANCE


def standings(balance: Balance, tally: Tally) -> list[Standing]:
    """The variants, the most even over all levels first."""
    rows = []
    for number, variant in enumerate(balance.variants):
        tallies = [
            Tally({WINNER: tally.of(f"{number * len(PAIRINGS) + pairing} {WINNER}")})
            for pairing in range(len(PAIRINGS))
        ]
        shares = [Share.of(each) for each in tallies]
        middle = number * len(PAIRINGS) + MIDDLE
        turns = tally.of(f"{middle} {TURNS[1]}") + tally.of(f"{middle} {TURNS[2]}")
        skill = (shares[-2].share + 1 - shares[-1].share) / 2
        perfect = perfect_share(variant, balance.seed)
        rows.append(Standing(variant, perfect, tuple(shares[: len(LEVELS)]), skill, mean(turns)))
    return sorted(rows, key=lambda row: row.unevenness)


def about_equal(rows: Sequence[Standing]) -> list[Standing]:
    """The most even, and those whose 95 % interval (of the worst level's distance from a half) meets its own.

    The simplest first: the one with the fewest options, and of several the first by its name.
    """
    most = min(rows, key=lambda row: row.unevenness).worst.off[1]
    alike = [row for row in rows if row.worst.off[0] <= most]
    return sorted(alike, key=lambda row: (len(row.variant.options.split()), row.variant.options))

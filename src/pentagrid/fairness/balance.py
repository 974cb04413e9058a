"""All ways to play a game, compared: which is fair, and does skill still decide?

Every combination of a game's options, over the same deals. Each is counted under four pairings: perfect play, two equal
players of middling strength, and a strong and a weak player from either seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import sqrt
from typing import NamedTuple

from pentagrid.analysis.komi import chosen_rules
from pentagrid.analysis.solver import Solver
from pentagrid.core.game import Game
from pentagrid.core.rng import Dice
from pentagrid.core.scoring import ScoringGame
from pentagrid.errors import OptionError
from pentagrid.fairness.census import MOST_DEALS, CensusPlan
from pentagrid.fairness.deals import Deals
from pentagrid.fairness.tally import MARGIN, TURNS, WINNER, Tally, mean, number_of

EQUAL, STRONG, WEAK = "level:5", "level:7", "level:3"
PAIRINGS: tuple[tuple[str, str] | None, ...] = (None, (EQUAL, EQUAL), (STRONG, WEAK), (WEAK, STRONG))
"""Who sits in seat 1 and in seat 2; None is perfect play."""
AS_WRITTEN = "as written"
CHUNK_GAMES = 50
"""Games in a chunk: so few that a chunk of the slowest games does not take long."""
KOMI_GAMES = 400
"""Games of equal players that are played to find the komi that makes them even."""
BAND = 0.025
"""Differences in evenness below this do not count in the ranking: the samples are too small for them."""
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
    """The work of a comparison: for each variant and each pairing as many games as there are deals."""

    variants: tuple[Variant, ...]
    deals: int
    seed: int

    @property
    def total(self) -> int:
        return len(self.variants) * len(PAIRINGS) * self.deals

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
            "deals": self.deals, "seed": self.seed,
        }  # fmt: skip

    def chunk_size(self) -> int:
        """How many games make a chunk."""
        return CHUNK_GAMES

    def tally(self, first: int, last: int) -> Tally:
        """The counts of a range of games; each measure's name begins with the number of its variant and pairing."""
        tally = Tally()
        while first < last:
            part, start = divmod(first, self.deals)
            end = min(self.deals, start + last - first)
            for measure, counts in self._part_tally(part, start, end).counts.items():
                tally.counts[f"{part} {measure}"] = counts
            first += end - start
        return tally

    def _part_tally(self, part: int, start: int, end: int) -> Tally:
        """Some of the games of one variant and pairing."""
        variant, players = self.variants[part // len(PAIRINGS)], PAIRINGS[part % len(PAIRINGS)]
        if players is None and not variant.game.has_numbers:  # there is a single deal: it stands for all
            plan = CensusPlan(Deals(variant.game, self.seed, everything=True), 1, variant.fair)
            return repeated_tally(plan, end - start)
        return CensusPlan(Deals(variant.game, self.seed), self.deals, variant.fair, players).tally(start, end)


def repeated_tally(plan: CensusPlan, times: int) -> Tally:
    """The counts of a plan's first deal, so many times."""
    tally = plan.tally(0, 1)
    for counts in tally.counts.values():
        for value in counts:
            counts[value] *= times
    return tally


def plan_balance(game_class: type[Game], largest: int | None, deals: int, seed: int) -> Balance:
    """Every way to play a game, up to a size that is at least its default. Raises `OptionError`."""
    largest = game_class.default_size if largest is None else largest
    if not game_class.default_size <= largest < game_class.sizes.stop:
        raise OptionError(
            f"--largest must be between {game_class.default_size} and {game_class.sizes.stop - 1} "
            f"for {game_class.title}, not {largest}."
        )
    if not 10 <= deals <= MOST_DEALS:
        raise OptionError(f"--deals must be between 10 and {MOST_DEALS:,} for a comparison, not {deals}.")
    seed = Dice(seed).seed
    sizes = [size for size in game_class.sizes if size <= largest]
    for size in sizes:
        start = game_class(size).deal(seed)
        if Solver(start).value(start).winner is None:
            raise OptionError(
                f"--largest must be a solved size, not {largest}: {game_class.title} is not solved at size {size}."
            )
    return Balance(tuple(one for size in sizes for one in variants(game_class, size, deals, seed)), deals, seed)


def variants(game_class: type[Game], size: int, deals: int, seed: int) -> Iterator[Variant]:
    """Every combination of options at one size; those that make no difference at this size are left out.

    Besides no komi there are three: the one that makes the deals even under perfect play, the one that does so between
    equal players, and the one that is fair for each deal by itself.
    """
    offered = [rule for rule in game_class.offered_rules if rule.reader is None]
    seen = set()
    for values in product(*(rule.values for rule in offered)):
        rules = dict(zip((rule.name for rule in offered), values, strict=True))
        game = game_class(size, **rules)
        others = tuple(rules[rule.name] for rule in offered if not rule.only_turns)
        key = game.sides[: game.most_turns], others
        if key in seen:
            continue
        seen.add(key)
        yield Variant(game)
        if isinstance(game, ScoringGame):
            for komi in even_komis(type(game)(size, **{**rules, "pie": "off"}), deals, seed):
                yield Variant(game_class(size, **rules, komi=komi))
            yield Variant(game, fair=True)


@lru_cache
def even_komis(game: ScoringGame, deals: int, seed: int) -> list[str]:
    """The komi that makes the deals even under perfect play, and the one that does so between equal players."""
    games = min(deals, KOMI_GAMES)
    perfect = even_komi(game, CensusPlan(Deals(game, seed), deals).tally(0, deals))
    equal = even_komi(game, CensusPlan(Deals(game, seed), games, players=(EQUAL, EQUAL)).tally(0, games))
    return sorted({perfect, equal} - {"0"}, key=float)


def even_komi(game: ScoringGame, tally: Tally) -> str:
    """The one komi for all deals with which each player wins as nearly half of these games as possible."""
    counts = tally.of(MARGIN)
    margins = sorted(map(number_of, counts))

    def unevenness(halves: int) -> tuple[float, int]:
        wins = sum(count for margin, count in counts.items() if game.winner_by(number_of(margin) - halves / 2) == 1)
        return abs(wins / tally.deals - 0.5), abs(halves)

    best = min((0, *range(round(2 * margins[0]) - 1, round(2 * margins[-1]) + 2)), key=unevenness)
    return f"{best / 2:g}"


class Standing(NamedTuple):
    """How even a variant is, and how much skill decides in it."""

    variant: Variant
    perfect: float
    """The share of wins of seat 1 under perfect play."""
    equal: float
    """The share of wins of seat 1 between equal players."""
    skill: float
    """How often the strong player beats the weak one, from both seats together."""
    turns: float
    """The average number of turns between equal players."""

    @property
    def unevenness(self) -> float:
        """How far from a half the worse of the two shares is."""
        return max(abs(self.perfect - 0.5), abs(self.equal - 0.5))

    @property
    def fair(self) -> bool:
        """True if both shares are close enough to a half."""
        return self.unevenness <= TOLERANCE


def standings(balance: Balance, tally: Tally) -> list[Standing]:
    """The variants, the most even first; among those about as even, where skill matters most; then the shortest."""

    def share(part: int, seat: str) -> float:
        wins = tally.of(f"{part} {WINNER}")
        return wins[seat] / wins.total()

    rows = []
    for number, variant in enumerate(balance.variants):
        perfect, equal, strong, weak = range(len(PAIRINGS) * number, len(PAIRINGS) * (number + 1))
        turns = tally.of(f"{equal} {TURNS[1]}") + tally.of(f"{equal} {TURNS[2]}")
        skill = (share(strong, "1") + share(weak, "2")) / 2
        rows.append(Standing(variant, share(perfect, "1"), share(equal, "1"), skill, mean(turns)))
    return sorted(rows, key=lambda row: (round(row.unevenness / BAND), -row.skill, row.turns))

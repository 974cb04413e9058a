"""The ways to play a game, compared: which is fair, and does skill still decide?

Every combination of a game's options, over the same deals. Each is looked at in four ways: under perfect play, between
two equal players of middling strength, and between a strong and a weak one from either seat.
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
WAYS: tuple[tuple[str, str] | None, ...] = (None, (EQUAL, EQUAL), (STRONG, WEAK), (WEAK, STRONG))
"""Who meets whom; None is perfect play."""
AS_WRITTEN = "as written"
CHUNK = 50
KOMI_GAMES = 400
"""Of equal players, for the komi that makes their games even."""
BAND = 0.025
"""Differences in evenness below this do not count in the ranking: the samples are not so large."""
TOLERANCE = 0.05
"""So far from a half a share may be and still be called fair."""


class Variant(NamedTuple):
    """One way to play a game."""

    game: Game
    fair: bool = False
    """Is the komi of each deal the one that is fair for it?"""

    @property
    def options(self) -> str:
        """The options of the command line that ask for it; empty for the rules as written."""
        rules = chosen_rules(self.game, self.fair)
        words = [f"--size {self.game.size}"] if self.game.size != self.game.default_size else []
        words += [f"--komi {value}" if name == "komi" else f"--rule {name}={value}" for name, value in rules.items()]
        return " ".join(words)

    @property
    def name(self) -> str:
        """The same for a table."""
        return self.options.replace("--rule ", "").replace("--size ", "size=").replace("--komi ", "komi=") or AS_WRITTEN


class Balance(NamedTuple):
    """The work of a comparison: for each variant and each way as many games as there are deals."""

    variants: tuple[Variant, ...]
    deals: int
    seed: int

    @property
    def total(self) -> int:
        return len(self.variants) * len(WAYS) * self.deals

    @property
    def within(self) -> float:
        """How far a share of so many games may be off, 19 times of 20."""
        return 0.98 / sqrt(self.deals)

    def described(self) -> dict[str, object]:
        """What it is, as JSON."""
        return {
            "game": self.variants[0].game.name, "balance": [variant.options for variant in self.variants],
            "deals": self.deals, "seed": self.seed,
        }  # fmt: skip

    def chunk(self) -> int:
        """So few that a chunk of the slowest games does not take long."""
        return CHUNK

    def tally(self, first: int, last: int) -> Tally:
        """All that is in a range of games; a measure's name tells the variant and the way too."""
        found = Tally()
        while first < last:
            part, start = divmod(first, self.deals)
            end = min(self.deals, start + last - first)
            for measure, counts in self._part(part, start, end).counts.items():
                found.counts[f"{part} {measure}"] = counts
            first += end - start
        return found

    def _part(self, part: int, start: int, end: int) -> Tally:
        variant, way = self.variants[part // len(WAYS)], WAYS[part % len(WAYS)]
        if way is None and not variant.game.has_numbers:  # there is but one deal: it stands for all
            return exact_once(CensusPlan(Deals(variant.game, self.seed, everything=True), 1, variant.fair), end - start)
        return CensusPlan(Deals(variant.game, self.seed), self.deals, variant.fair, way).tally(start, end)


def exact_once(plan: CensusPlan, times: int) -> Tally:
    """A single deal, counted so many times."""
    found = plan.tally(0, 1)
    for counts in found.counts.values():
        for value in counts:
            counts[value] *= times
    return found


def make_balance(kind: type[Game], largest: int | None, deals: int, seed: int) -> Balance:
    """Every way to play a game, up to a size that is at least its own. Raises `OptionError`."""
    largest = kind.default_size if largest is None else largest
    if not kind.default_size <= largest < kind.sizes.stop:
        raise OptionError(
            f"--largest {largest} cannot be; for {kind.title} it is {kind.default_size} to {kind.sizes.stop - 1}."
        )
    if not 10 <= deals <= MOST_DEALS:
        raise OptionError(f"--deals {deals} cannot be; a comparison takes at least 10.")
    seed = Dice(seed).seed
    sizes = [size for size in kind.sizes if size <= largest]
    for size in sizes:
        start = kind(size).deal(seed)
        if Solver(start).value(start).winner is None:
            raise OptionError(f"--largest {largest} cannot be: {kind.title} is not solved at size {size}.")
    return Balance(tuple(variant for size in sizes for variant in variants(kind, size, deals, seed)), deals, seed)


def variants(kind: type[Game], size: int, deals: int, seed: int) -> Iterator[Variant]:
    """Every combination of options at one size; those that make no difference at this size are left out.

    As komi there are, beside none: what makes the deals even under perfect play, what does so between equal players,
    and what is fair for each deal by itself.
    """
    offered = [rule for rule in kind.offered_rules if rule.reader is None]
    seen = set()
    for values in product(*(rule.values for rule in offered)):
        rules = dict(zip((rule.name for rule in offered), values, strict=True))
        game = kind(size, **rules)
        others = tuple(rules[rule.name] for rule in offered if not rule.only_turns)
        looks = game.sides[: game.most_turns], others
        if looks in seen:
            continue
        seen.add(looks)
        yield Variant(game)
        if isinstance(game, ScoringGame):
            for komi in even_komis(type(game)(size, **{**rules, "pie": "off"}), deals, seed):
                yield Variant(kind(size, **rules, komi=komi))
            yield Variant(game, fair=True)


@lru_cache
def even_komis(game: ScoringGame, deals: int, seed: int) -> list[str]:
    """The komi that makes the deals even under perfect play, and the one that does so between equal players."""
    games = min(deals, KOMI_GAMES)
    perfect = even_komi(game, CensusPlan(Deals(game, seed), deals).tally(0, deals))
    equal = even_komi(game, CensusPlan(Deals(game, seed), games, players=(EQUAL, EQUAL)).tally(0, games))
    return sorted({perfect, equal} - {"0"}, key=float)


def even_komi(game: ScoringGame, found: Tally) -> str:
    """The one komi for all deals that lets either player win as nearly half of these games as can be."""
    counts = found.of(MARGIN)
    margins = sorted(map(number_of, counts))

    def unevenness(halves: int) -> tuple[float, int]:
        wins = sum(count for margin, count in counts.items() if game.winner_by(number_of(margin) - halves / 2) == 1)
        return abs(wins / found.deals - 0.5), abs(halves)

    best = min((0, *range(round(2 * margins[0]) - 1, round(2 * margins[-1]) + 2)), key=unevenness)
    return f"{best / 2:g}"


class Standing(NamedTuple):
    """How one variant did."""

    variant: Variant
    perfect: float
    """Player 1's share of wins under perfect play."""
    equal: float
    """Player 1's share of wins between equal players."""
    skill: float
    """How often the strong player beats the weak one, from both seats together."""
    turns: float
    """How long a game between equal players is."""

    @property
    def unevenness(self) -> float:
        """How far from a half the worse of the two shares is."""
        return max(abs(self.perfect - 0.5), abs(self.equal - 0.5))

    @property
    def fair(self) -> bool:
        """Are both shares as good as a half?"""
        return self.unevenness <= TOLERANCE


def standings(balance: Balance, found: Tally) -> list[Standing]:
    """The variants, the most even first; among those about as even, where skill matters most; then the shortest."""

    def share(part: int, player: str) -> float:
        wins = found.of(f"{part} {WINNER}")
        return wins[player] / wins.total()

    table = []
    for number, variant in enumerate(balance.variants):
        perfect, equal, strong, weak = range(len(WAYS) * number, len(WAYS) * (number + 1))
        turns = found.of(f"{equal} {TURNS[1]}") + found.of(f"{equal} {TURNS[2]}")
        skill = (share(strong, "1") + share(weak, "2")) / 2
        table.append(Standing(variant, share(perfect, "1"), share(equal, "1"), skill, mean(turns)))
    return sorted(table, key=lambda row: (round(row.unevenness / BAND), -row.skill, row.turns))

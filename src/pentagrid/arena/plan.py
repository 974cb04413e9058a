"""The plan of a tournament: every pair of players meets on the same deals, from both seats."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple
from zlib import crc32

from pentagrid.analysis.exact_sizes import check_exact
from pentagrid.analysis.komi import FAIR, load_fair
from pentagrid.analysis.komi import deal as dealt
from pentagrid.core.catalog import find, game_names
from pentagrid.core.game import Game
from pentagrid.core.options import SWAP_PLY
from pentagrid.core.payoff import Payoff, read_payoff
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.streams import OLD_KOMI_TOSS, Stream
from pentagrid.errors import OptionError, UnreadableError, shown
from pentagrid.play import players
from pentagrid.play.match import check_turn_seconds

FORMAT = 1
MOST_GAMES = 1_000_000
SHORTEST, LONGEST = 2, 4
"""Moves of the random openings of a game that has a single deal."""
OPTIONAL = ("size", "rules", "toss", "payoff")
"""Fields that are not written down where nothing was chosen."""


class TournamentPlan(NamedTuple):
    """Everything that settles a tournament's games."""

    players: tuple[str, ...]
    games: tuple[str, ...]
    per_pair: int
    """How many times each pair plays each game; half of them from either seat."""
    seed: int
    turn_seconds: float | None = None
    size: int | None = None
    """Rows and columns; None for each game's default."""
    rules: tuple[str, ...] = ()
    """The rule options that are not at their default, as `pie=on`; the komi may be `fair`, set for each deal."""
    toss: int | None = None
    """The stream of the tosses of the fair komis; None where no komi is fair."""
    payoff: Payoff = "win"
    """What the games are played for: the score counts it."""

    @property
    def fair(self) -> bool:
        """True if each deal has the komi that is fair for it."""
        return f"komi={FAIR}" in self.rules

    @property
    def options(self) -> list[str]:
        """The size and the rule options that were chosen, as text."""
        paid = [f"payoff={self.payoff}"] if self.payoff != "win" else []
        return [*([f"size={self.size}"] if self.size is not None else []), *self.rules, *paid]

    def game(self, name: str) -> Game:
        """One of the games as it is played; a fair komi is 0 before there is a deal."""
        return _game(name, self.size, self.rules)[0]

    @property
    def deals(self) -> int:
        """How many deals of each game are played."""
        return self.per_pair // 2

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """All pairs of players."""
        return tuple(combinations(self.players, 2))

    @property
    def total(self) -> int:
        """How many games are played in all."""
        return len(self.games) * len(self.pairs) * self.per_pair

    def data(self) -> dict[str, Any]:
        """The plan as plain data."""
        return {name: value for name, value in self._asdict().items() if name != "toss" or value is not None}

    def header(self) -> str:
        """The plan as the first line of the results."""
        fields = {
            name: value
            for name, value in self._asdict().items()
            if name not in OPTIONAL or value not in (None, (), "win")
        }
        return json.dumps({"pentagrid-arena": FORMAT, **fields}, ensure_ascii=False)

    def name(self) -> str:
        """A short name that differs where what was asked for does."""
        return f"arena-{crc32(self._replace(toss=None).header().encode()):08x}"


@lru_cache(maxsize=64)
def _game(name: str, size: int | None, rules: tuple[str, ...]) -> tuple[Game, bool]:
    return load_fair(name, size, dict(rule.split("=", 1) for rule in rules))


def chosen_games(games: list[str]) -> tuple[str, ...]:
    """The names of the games that are asked for, which may be just `all`. Raises `OptionError`."""
    return game_names() if games == ["all"] else tuple(dict.fromkeys(find(name).name for name in games))


def plan_tournament(
    kinds: list[str],
    games: list[str],
    count: int,
    seed: int,
    turn_seconds: float | None = None,
    size: int | None = None,
    rules: Mapping[str, str] | None = None,
    payoff: str = "win",
) -> TournamentPlan:
    """A checked plan. `games` may be just `all`; size, rules and payoff must fit every game. Raises `OptionError`."""
    names = chosen_games(games)
    if len(kinds) < 2:
        raise OptionError(f"A tournament must have at least two players, not {len(kinds)}.")
    for kind in kinds:
        if kinds.count(kind) > 1:
            raise OptionError(f"Each player must be named once; {shown(kind)} is named twice.")
        if players.make_player(kind, programs=True) is None:
            raise OptionError(
                f"A person cannot play in the arena; there are {players.usages(people=False)}, {players.OUTSIDE_USAGE}."
            )
    if count % 2 or not 2 <= count <= MOST_GAMES:
        raise OptionError(f"--games must be an even number between 2 and {MOST_GAMES}, not {count}.")
    seconds = None if turn_seconds is None else check_turn_seconds(turn_seconds)
    chosen: list[str] = []
    paid_for: Payoff = "win"
    for name in names:
        game, fair = load_fair(name, size, rules or {})
        check_exact(game)
        paid_for = read_payoff(payoff, game)
        for kind in kinds:
            players.check_plays(kind, game)
        chosen = sorted([*(f"{rule}={value}" for rule, value in game.chosen_rules.items()), *[f"komi={FAIR}"] * fair])
    if all(find(name).default_size == size for name in names):
        size = None
    toss = Stream.KOMI_TOSS if f"komi={FAIR}" in chosen else None
    return TournamentPlan(tuple(kinds), names, count, Dice(seed).seed, seconds, size, tuple(chosen), toss, paid_for)


def read_header(line: str) -> TournamentPlan:
    """The plan in the first line of a results file. Raises `UnreadableError`."""
    try:
        header: dict[str, Any] = json.loads(line)
        if header.pop("pentagrid-arena") != FORMAT:
            raise UnreadableError("another version wrote it; choose another file.")
        fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in header.items()}
        plan = TournamentPlan(**fields)
    except UnreadableError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableError(f"it is not a results file of the arena ({error}).") from None
    return plan._replace(toss=OLD_KOMI_TOSS) if plan.fair and plan.toss is None else plan


class Round(NamedTuple):
    """One deal of one game, on which all pairs meet from both seats."""

    game: str
    deal: int


def all_rounds(plan: TournamentPlan) -> Iterator[Round]:
    """All rounds, in their order."""
    return (Round(game, deal) for game in plan.games for deal in range(plan.deals))


def meetings(plan: TournamentPlan) -> Iterator[tuple[str, str]]:
    """The games of a round, in their order: who sits in seat 1 and in seat 2."""
    for one, two in plan.pairs:
        yield one, two
        yield two, one


def deal_of(plan: TournamentPlan, round_: Round) -> tuple[Position, tuple[int, ...]]:
    """The deal of a round, and the opening moves that are made for the players where there is only one deal.

    Under the pie rule that is a single move, so that the second player chooses whether to swap.
    """
    game, fair = _game(round_.game, plan.size, plan.rules)
    path = crc32(round_.game.encode()), round_.deal
    seed = Dice(plan.seed, Stream.ARENA_DEAL, *path).next() >> 1
    start = dealt(game, seed, fair, toss=plan.toss or Stream.KOMI_TOSS)
    if game.has_numbers:
        return start, ()
    dice = Dice(plan.seed, Stream.ARENA_OPENING, *path)
    position, opening = start, []
    for _ in range(SWAP_PLY if game.pie else SHORTEST + dice.below(LONGEST - SHORTEST + 1)):
        opening.append(dice.choice(position.actions()))
        position = position.play(opening[-1])
    return start, tuple(opening)


def match_seed(plan: TournamentPlan, round_: Round, one: str, two: str) -> int:
    """The seed of one game: it does not depend on who else takes part."""
    names = crc32(one.encode()), crc32(two.encode())
    return Dice(plan.seed, Stream.ARENA_MATCH, crc32(round_.game.encode()), round_.deal, *names).next() >> 1

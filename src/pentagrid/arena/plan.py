"""What a tournament plays: every pair of players, on the same deals, from both seats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple
from zlib import crc32

from pentagrid import players
from pentagrid.catalogue import find, game_names, load
from pentagrid.core import Game, Position
from pentagrid.dice import Dice
from pentagrid.errors import OptionError, UnreadableError, shown
from pentagrid.match import check_turn_seconds

FORMAT = 1
MOST_GAMES = 1_000_000
SHORTEST, LONGEST = 2, 4
"""Moves of the random openings of a game that has a single deal."""
DEAL, OPENING, MATCH = 1, 2, 3
"""The streams of the tournament's seed."""


class Plan(NamedTuple):
    """Everything that settles a tournament's games."""

    players: tuple[str, ...]
    games: tuple[str, ...]
    per_pair: int
    """Games of each pair in each game: half of them from either seat."""
    seed: int
    turn_seconds: float | None = None

    @property
    def deals(self) -> int:
        """Deals of each game."""
        return self.per_pair // 2

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Who meets whom."""
        return tuple(combinations(self.players, 2))

    @property
    def total(self) -> int:
        """All games."""
        return len(self.games) * len(self.pairs) * self.per_pair

    def header(self) -> str:
        """The first line of the results."""
        return json.dumps({"pentagrid-arena": FORMAT, **self._asdict()}, ensure_ascii=False)

    def name(self) -> str:
        """A short name that differs where the plan does."""
        return f"arena-{crc32(self.header().encode()):08x}"


def make_plan(kinds: list[str], games: list[str], count: int, seed: int, turn_seconds: float | None = None) -> Plan:
    """A plan, checked. `games` may be just `all`. Raises `OptionError`."""
    names = game_names() if games == ["all"] else tuple(dict.fromkeys(find(name).name for name in games))
    if len(kinds) < 2:
        raise OptionError("A tournament needs at least two players.")
    for kind in kinds:
        if kinds.count(kind) > 1:
            raise OptionError(f"The player {shown(kind)} is named twice; once is enough to meet all the others.")
        if players.make(kind, programs=True) is None:
            raise OptionError(
                f"A person cannot play in the arena; there are {players.usages(people=False)} and exec:COMMAND."
            )
    if count % 2 or not 2 <= count <= MOST_GAMES:
        raise OptionError(f"{count} games for each pair cannot be: an even number from 2 to {MOST_GAMES}.")
    seconds = None if turn_seconds is None else check_turn_seconds(turn_seconds)
    return Plan(tuple(kinds), names, count, Dice(seed).seed, seconds)


def read_header(line: str) -> Plan:
    """The plan in the first line of a results file. Raises `UnreadableError`."""
    try:
        told: dict[str, Any] = json.loads(line)
        if told.pop("pentagrid-arena") != FORMAT:
            raise UnreadableError("it was written by another version.")
        fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in told.items()}
        return Plan(**fields)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableError(f"it is not a results file of the arena ({error}).") from None


class Round(NamedTuple):
    """One deal of one game, on which all pairs meet from both seats."""

    game: str
    deal: int


def rounds(plan: Plan) -> Iterator[Round]:
    """All rounds, in their order."""
    return (Round(game, deal) for game in plan.games for deal in range(plan.deals))


def meetings(plan: Plan) -> Iterator[tuple[str, str]]:
    """The games of a round as Player 1 and Player 2, in their order."""
    for one, two in plan.pairs:
        yield one, two
        yield two, one


def deal_of(plan: Plan, which: Round) -> tuple[Position, tuple[int, ...]]:
    """The deal of a round, and the opening moves that are made for the players where there is only one deal."""
    game: Game = load(which.game)
    path = crc32(which.game.encode()), which.deal
    start = game.deal(seed=Dice(plan.seed, DEAL, *path).next() >> 1)
    if game.has_numbers:
        return start, ()
    dice = Dice(plan.seed, OPENING, *path)
    position, opening = start, []
    for _ in range(SHORTEST + dice.below(LONGEST - SHORTEST + 1)):
        opening.append(dice.choice(position.actions()))
        position = position.play(opening[-1])
    return start, tuple(opening)


def match_seed(plan: Plan, which: Round, one: str, two: str) -> int:
    """The chance of one game: it does not depend on who else takes part."""
    names = crc32(one.encode()), crc32(two.encode())
    return Dice(plan.seed, MATCH, crc32(which.game.encode()), which.deal, *names).next() >> 1

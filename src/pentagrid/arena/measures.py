"""How well each player of a tournament plays, whatever the seats."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pentagrid.analysis.solver import Solver
from pentagrid.arena.plan import TournamentPlan
from pentagrid.arena.ratings import RatedGame, Rating, rate_players
from pentagrid.arena.rounds import PlayedGame
from pentagrid.core.deal_solver import Loss
from pentagrid.core.game import Game
from pentagrid.core.options import SWAP, SWAP_PLY
from pentagrid.core.rng import Dice
from pentagrid.util.intervals import (
    Interval,
    Sums,
    cost_interval,
    difference_interval,
    mean_interval,
    share_interval,
)

GREED_DEALS = 40
"""Random games in which greedy moves are checked; a quarter of them on boards larger than the default."""


class Measures(NamedTuple):
    """One player in one game, or in several together, with 95 % intervals over deals. What is not known is None."""

    player: str
    games: int
    rating: Rating
    wins: tuple[float | None, float | None]
    """The share of games won from seat 1 and from seat 2."""
    score: Interval | None
    """The seat-normalized score: what a game paid, minus what the seat would have received under perfect play. Under
    the payoff `win` it counts games won."""
    points: Interval | None
    """The same in points, of games decided on the board."""
    regret: Interval | None
    """What a move gives away on average, in points (in a game without points: in won games)."""
    kept: Interval | None
    """Of the moves where some possible move changed who wins, the share of those that kept the result."""
    thrown: Interval | None
    """The share of moves in won positions that throw the win away."""
    optimal: Interval | None
    """The share of best moves, where the possible moves differ."""
    matter: float | None
    """The share of decisions in which moves differ under the payoff."""
    illegal: int
    """Games lost by not making a legal move."""
    time: int
    """Games lost on time."""


class Blunder(NamedTuple):
    """A move that gave something away."""

    row: PlayedGame
    number: int
    """The number of the move in the game, from 0."""
    player: str
    loss: Loss


def measure(plan: TournamentPlan, rows: Sequence[PlayedGame], names: Sequence[str]) -> list[Measures]:
    """The measures of all players in these games together, the strongest first."""
    rows = [row for row in rows if row.game in names]
    results = [RatedGame(row.one, row.two, row.game, row.deal, row.winner == 1) for row in rows]
    ratings = rate_players(results, plan.players, plan.seed & 0xFFFFFFFF)
    errors = [regret for row in rows for regret in row.regrets if regret]
    typical = sum(errors) / len(errors) if errors else 1.0
    players = [_measure_player(plan, name, rows, ratings[name], typical) for name in plan.players]
    if len({row.par is None for row in rows}) > 1:  # points and games given away have no common average
        players = [one._replace(regret=None, points=None) for one in players]
    return sorted(players, key=lambda one: -one.rating.elo)


class _Tally:
    """Sums by deal."""

    def __init__(self) -> None:
        self._deals: dict[tuple[str, int], Sums] = {}

    def add(self, row: PlayedGame, value: float) -> None:
        top, bottom = self._deals.get((row.game, row.deal), (0.0, 0.0))
        self._deals[row.game, row.deal] = top + value, bottom + 1

    @property
    def sums(self) -> list[Sums]:
        return list(self._deals.values())

    def share(self) -> Interval | None:
        return share_interval(self.sums) if self._deals else None

    def mean(self) -> Interval | None:
        return mean_interval(self.sums) if self._deals else None


def _measure_player(
    plan: TournamentPlan, name: str, rows: Sequence[PlayedGame], rating: Rating, typical: float
) -> Measures:
    won: tuple[list[bool], list[bool]] = ([], [])
    beyond, below, paid_beyond, points, regrets, errs, kept, thrown, best, matter = (_Tally() for _ in range(10))
    lost = {"illegal": 0, "time": 0}
    for row in rows:
        for seat, who in ((1, row.one), (2, row.two)):
            if who != name:
                continue
            win, due, sign = row.winner == seat, row.should[0] == seat, 1 if seat == 1 else -1
            won[seat - 1].append(win)
            beyond.add(row, win and not due)
            below.add(row, due and not win)
            if row.margin is not None and row.par is not None:
                points.add(row, (row.margin - row.par) * sign)
            paid_beyond.add(row, _points(row, win, sign))
            if not win and row.reason in lost:
                lost[row.reason] += 1
            for i in moves_of(plan, row, seat):
                regrets.add(row, row.regrets[i])
                errs.add(row, bool(row.regrets[i]))
                if row.should[i] == seat:
                    thrown.add(row, row.should[i + 1] != seat)
                if row.real[i]:
                    best.add(row, not row.loss(i))
                if row.stake:
                    matter.add(row, row.real[i] if plan.payoff == "points" else row.stake[i])
                    if row.stake[i]:
                        kept.add(row, not row.loss(i).win_regret)
    games = len(won[0]) + len(won[1])
    score = paid_beyond.mean() if plan.payoff == "points" else _difference(beyond, below)
    regret = cost_interval(regrets.sums, errs.sums, typical) if regrets.sums else None
    mattered = matter.mean()
    return Measures(
        name, games, rating, (_mean(won[0]), _mean(won[1])), score, points.mean(), regret,
        kept.share(), thrown.share(), best.share(), mattered.value if mattered else None, lost["illegal"], lost["time"],
    )  # fmt: skip


def _points(row: PlayedGame, win: bool, sign: int) -> float:
    """The points that a game paid a player beyond what their seat is worth; one lost away from the board costs all."""
    par = (row.par or 0.0) * sign
    if row.margin is not None:
        return row.margin * sign - par
    return (1 if win else -1) * (row.most or 0.0) - par


def _difference(beyond: _Tally, below: _Tally) -> Interval | None:
    """Games won beyond what was due, less those lost below it, per game."""
    plus, minus = beyond.share(), below.share()
    if plus is None or minus is None:
        return None
    both = [(top - bottom, games) for (top, games), (bottom, _) in zip(beyond.sums, below.sums, strict=True)]
    return difference_interval(plus, minus, mean_interval(both))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def moves_of(plan: TournamentPlan, row: PlayedGame, seat: int) -> list[int]:
    """The indices of a seat's moves in the lists of a row."""
    mover_at, first = plan.game(row.game).mover_at, row.opening
    swapped = row.moves[SWAP_PLY : SWAP_PLY + 1] == [SWAP]
    return [i for i in range(len(row.regrets)) if mover_at(first + i, swapped and first + i > SWAP_PLY) == seat]


def regret_by_move(
    plan: TournamentPlan, rows: Sequence[PlayedGame], game: str, player: str, fewest: int = 1
) -> list[tuple[int, float]]:
    """The average regret at each move number that came up at least so many times."""
    by_number: dict[int, list[float]] = {}
    for row in rows:
        for seat, who in ((1, row.one), (2, row.two)):
            if row.game == game and who == player:
                for i in moves_of(plan, row, seat):
                    by_number.setdefault(row.opening + i + 1, []).append(row.regrets[i])
    return [(number, sum(all_) / len(all_)) for number, all_ in sorted(by_number.items()) if len(all_) >= fewest]


def cross_table(plan: TournamentPlan, rows: Sequence[PlayedGame], game: str) -> dict[tuple[str, str], tuple[int, int]]:
    """For each two players, how many games the first has won against the second, and how many they played."""
    cells: dict[tuple[str, str], tuple[int, int]] = {}
    for row in rows:
        if row.game == game:
            for me, other, seat in ((row.one, row.two, 1), (row.two, row.one, 2)):
                won, played = cells.get((me, other), (0, 0))
                cells[me, other] = won + (row.winner == seat), played + 1
    return cells


def worst_blunders(plan: TournamentPlan, rows: Sequence[PlayedGame], game: str, count: int = 3) -> list[Blunder]:
    """The worst moves of a game: those that lose a won game first, then by what they give away; no player twice."""
    blunders = []
    for row in rows:
        if row.game != game:
            continue
        for seat, who in ((1, row.one), (2, row.two)):
            for i in moves_of(plan, row, seat):
                if loss := row.loss(i):
                    blunders.append(Blunder(row, row.opening + i, who, loss))
    blunders.sort(key=lambda one: (-(one.loss.win_regret or 0), -(one.loss.regret or 0), one.row.deal))
    first: dict[str, Blunder] = {}
    for blunder in blunders:
        first.setdefault(blunder.player, blunder)
    return list(first.values())[:count]


@lru_cache(maxsize=32)
def greed_errs(game: Game) -> float:
    """The share of positions of random play in which a greedy move gives something away."""
    wrong = positions = 0
    for number in range(GREED_DEALS if game.size <= game.default_size else GREED_DEALS // 4):
        dice = Dice(number)
        position = game.deal(seed=number)
        solver = Solver(position)
        while position.turn:
            losses = solver.losses(position)
            positions += 1
            wrong += any(losses[action] for action in game.heuristics.greedy_actions(position))
            position = position.play(dice.choice(position.actions()))
    return wrong / positions


def game_groups(plan: TournamentPlan) -> list[tuple[str, list[str]]]:
    """The games that need looking ahead, and separately those that greed already plays perfectly, with a title."""
    deep = [name for name in plan.games if greed_errs(plan.game(name))]
    flat = [name for name in plan.games if name not in deep]
    named = [("Games that need looking ahead", deep), ("Games that greed already plays perfectly", flat)]
    return [(title, names) for title, names in named if names]


def _plain(value: Any) -> Any:
    """A measure as plain data; an end of an interval that is not known is None."""
    if not isinstance(value, Interval | Rating):
        return value
    return {name: None if number != number else number for name, number in value._asdict().items()}


def tournament_data(plan: TournamentPlan, rows: Sequence[PlayedGame]) -> dict[str, Any]:
    """Everything in the report, as plain data."""

    def players_data(names: list[str]) -> list[dict[str, Any]]:
        return [{name: _plain(value) for name, value in one._asdict().items()} for one in measure(plan, rows, names)]

    return {
        "plan": plan.data(),
        "played": len(rows),
        "groups": [
            {"title": title, "games": names, "players": players_data(names)} for title, names in game_groups(plan)
        ],
        "games": {
            name: {
                "greed_errs": greed_errs(plan.game(name)),
                "players": players_data([name]),
                "cross_table": [
                    {"player": me, "against": other, "won": won, "played": played}
                    for (me, other), (won, played) in cross_table(plan, rows, name).items()
                ],
                "regret_by_move": {who: regret_by_move(plan, rows, name, who) for who in plan.players},
            }
            for name in plan.games
        },
    }

"""The games of a tournament, round by round; every move is compared with the exact values."""

from __future__ import annotations

from typing import NamedTuple, cast

from pentagrid.analysis.solver import solver_of
from pentagrid.arena.plan import Round, TournamentPlan, deal_of, match_seed, meetings
from pentagrid.core.deal_solver import Loss
from pentagrid.core.payoff import decision_matters, most_paid
from pentagrid.core.position import Position
from pentagrid.errors import GameOverError
from pentagrid.play.match import Forfeit, Match, Seat


class PlayedGame(NamedTuple):
    """One game as the results file has it. Lists about moves begin after the opening."""

    game: str
    deal: int
    one: str
    """The player in seat 1."""
    two: str
    """The player in seat 2."""
    winner: int
    reason: str
    opening: int
    """How many moves were made before the players began."""
    moves: list[str]
    regrets: list[float]
    """The points that each move gave away, from the side of whoever made it; in a game without points, games."""
    real: list[int]
    """For each move: 1 if the possible moves differed in what they give away (in points, where those are paid)."""
    should: list[int]
    """The seat that wins under best play before each move, and at the end."""
    par: float | None
    """The margin under best play after the opening, from the side of seat 1."""
    margin: float | None
    """The margin at the end from the side of seat 1, komi counted, if the game was decided on the board."""
    why: str = ""
    """What a program did that lost the game away from the board."""
    stake: list[int] | None = None
    """For each move: 1 if some possible move changed who wins, else 0; None in results from before it was noted."""
    most: float | None = None
    """The most points that the deal can pay: what a game lost away from the board costs where points are paid."""

    def loss(self, i: int) -> Loss:
        """All that a move gave away, by its place in the lists."""
        return Loss(self.regrets[i], int(self.should[i] != self.should[i + 1]))


def play_round(plan: TournamentPlan, round_: Round) -> list[PlayedGame]:
    """All games on one deal."""
    start, opening = deal_of(plan, round_)
    return [play_game(plan, round_, start, opening, one, two) for one, two in meetings(plan)]


def play_game(
    plan: TournamentPlan, round_: Round, start: Position, opening: tuple[int, ...], one: str, two: str
) -> PlayedGame:
    """One game, and what every move in it gave away."""
    match = match_of(plan, round_, start, opening, one, two)
    solver = solver_of(start)
    regrets: list[float] = []
    real: list[int] = []
    stake: list[int] = []
    should: list[int] = []
    par = solver.value(match.position).margin
    try:
        while match.outcome is None:
            position = match.position
            try:
                action = match.think()
                match.play(action)
            except GameOverError:
                break  # a program has lost away from the board
            possible = solver.losses(position)
            regrets.append(possible[action].regret or 0)
            real.append(int(decision_matters(possible.values(), "points" if plan.payoff == "points" else None)))
            stake.append(int(any(loss.win_regret for loss in possible.values())))
            should.append(solver.value(position).winner or 0)
    finally:
        match.close()
    outcome, final = match.outcome, match.position
    assert outcome is not None
    should.append(solver.value(final).winner or 0)
    game, margin = final.game, None
    if final.outcome() is not None and game.has_points:
        margin = game.margin(final)
    return PlayedGame(
        round_.game, round_.deal, one, two, *outcome, len(opening), match.moves, regrets, real, should, par,
        margin, match.notes.get(len(match.actions), ""), stake,
        most_paid(final) if game.has_points else None,
    )  # fmt: skip


def match_of(
    plan: TournamentPlan, round_: Round, start: Position, opening: tuple[int, ...], one: str, two: str
) -> Match:
    """A match with its opening made."""
    match = Match(
        start,
        (Seat(kind=one), Seat(kind=two)),
        seed=match_seed(plan, round_, one, two),
        turn_seconds=plan.turn_seconds,
        programs=True,
    )
    for action in opening:
        match.play(action)
    return match


def match_of_row(plan: TournamentPlan, row: PlayedGame) -> Match:
    """The match of a game in the results, made again from its moves."""
    round_ = Round(row.game, row.deal)
    start, _ = deal_of(plan, round_)
    match = match_of(plan, round_, start, (), row.one, row.two)
    match.programs = False
    for move in row.moves:
        match.play(move)
    if match.outcome is None:
        match.notes[len(match.actions)] = row.why
        match.forfeit(3 - row.winner, cast("Forfeit", row.reason))
    return match

"""The games of a tournament, each move measured against the exact values."""

from __future__ import annotations

from typing import NamedTuple, cast

from pentagrid.analysis.solver import solver_of
from pentagrid.arena.plan import Round, TournamentPlan, deal_of, match_seed, meetings
from pentagrid.core.deal_solver import margin_now
from pentagrid.core.position import Position
from pentagrid.core.scoring import ScoringGame
from pentagrid.errors import GameOverError
from pentagrid.play.match import Forfeit, Match, Seat


class PlayedGame(NamedTuple):
    """One game as the results file keeps it. Lists about moves begin behind the opening."""

    game: str
    deal: int
    one: str
    two: str
    winner: int
    reason: str
    opening: int
    """How many moves were made before the players began."""
    moves: list[str]
    regrets: list[float]
    real: list[int]
    """For each move: did the possible moves differ in what they give away?"""
    should: list[int]
    """Who wins under best play before each move, and at the end."""
    par: float | None
    """The margin under best play where the players began."""
    margin: float | None
    """The margin at the end, komi counted, if the game was decided on the board."""
    why: str = ""
    """How a program lost the game away from the board."""


def play_round(plan: TournamentPlan, which: Round) -> list[PlayedGame]:
    """All games on one deal."""
    start, opening = deal_of(plan, which)
    return [play(plan, which, start, opening, one, two) for one, two in meetings(plan)]


def play(
    plan: TournamentPlan, which: Round, start: Position, opening: tuple[int, ...], one: str, two: str
) -> PlayedGame:
    """One game, and the exact worth of every move in it."""
    match = match_of(plan, which, start, opening, one, two)
    solver = solver_of(start)
    regrets: list[float] = []
    real: list[int] = []
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
            known = solver.regrets(position)
            regrets.append(known[action])
            real.append(int(len(set(known.values())) > 1))
            should.append(solver.value(position).winner or 0)
    finally:
        match.close()
    outcome, final = match.outcome, match.position
    assert outcome is not None
    should.append(solver.value(final).winner or 0)
    game, margin = final.game, None
    if final.outcome() is not None and isinstance(game, ScoringGame):
        margin = game.with_komi(margin_now(final), final.swapped)
    return PlayedGame(
        which.game, which.deal, one, two, *outcome, len(opening), match.moves, regrets, real, should, par,
        margin, match.notes.get(len(match.actions), ""),
    )  # fmt: skip


def match_of(
    plan: TournamentPlan, which: Round, start: Position, opening: tuple[int, ...], one: str, two: str
) -> Match:
    """The match with its opening made."""
    match = Match(
        start,
        (Seat(kind=one), Seat(kind=two)),
        seed=match_seed(plan, which, one, two),
        turn_seconds=plan.turn_seconds,
        programs=True,
    )
    for action in opening:
        match.play(action)
    return match


def match_of_row(plan: TournamentPlan, row: PlayedGame) -> Match:
    """A game played before, once more: from its moves alone."""
    which = Round(row.game, row.deal)
    start, _ = deal_of(plan, which)
    match = match_of(plan, which, start, (), row.one, row.two)
    match.programs = False
    for move in row.moves:
        match.play(move)
    if match.outcome is None:
        match.notes[len(match.actions)] = row.why
        match.forfeit(3 - row.winner, cast("Forfeit", row.reason))
    return match

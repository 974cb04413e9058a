"""What a game pays: for winning or by points, on the board and away from it."""

from __future__ import annotations

import pytest

import pentagrid as pg
from pentagrid import envs
from pentagrid.analysis.solver import solver_of
from pentagrid.arena.plan import plan_tournament
from pentagrid.arena.rounds import Round, match_of_row, play_round
from pentagrid.core.deal_solver import Loss
from pentagrid.core.payoff import decision_matters, most_paid, paid, read_payoff
from pentagrid.core.position import Outcome
from pentagrid.core.rng import Dice
from pentagrid.errors import GameOverError, OptionError


def played(position, seed):
    dice = Dice(seed)
    while position.turn:
        position = position.play(dice.choice(position.actions()))
    return position


@pytest.mark.parametrize("name", pg.game_names())
def test_winning_pays_one_and_losing_costs_one(name):
    for seed in range(10):
        final = played(pg.load(name).deal(seed=seed), seed)
        winner = final.outcome().winner
        assert paid(final, winner) == 1 and paid(final, 3 - winner) == -1


def test_points_are_the_margin_with_komi_also_after_a_swap():
    game = pg.load("number-cross", komi="2.5", pie="on")
    start = game.deal(seed=3)
    stayed, swapped = played(start.play("Row1").play("Row2"), 1), played(start.play("Row1").play("swap"), 1)
    one, two = stayed.scores
    assert paid(stayed, 1, "points") == one - two - 2.5 == -paid(stayed, 2, "points")
    one, two = swapped.scores
    assert paid(swapped, 1, "points") == one - two + 2.5


@pytest.mark.parametrize("name", [name for name in pg.game_names() if name != "capture-square"])
def test_no_game_pays_more_than_all_points_of_its_deal(name):
    for seed in range(20):
        final = played(pg.load(name, komi="3").deal(seed=seed), seed)
        assert abs(paid(final, 1, "points")) <= most_paid(final)


def test_a_game_lost_away_from_the_board_costs_all_points():
    position = pg.load("number-grid-battle").deal(seed=1).play(0)
    lost = Outcome(2, "time")
    assert paid(position, 1, "points", lost) == -45 and paid(position, 2, "points", lost) == 45
    assert paid(position, 1, "win", lost) == -1
    with pytest.raises(GameOverError, match="not over"):
        paid(position, 1)


def test_what_cannot_be_played_for_is_refused():
    with pytest.raises(OptionError, match="payoff must be win or points, not 'money'"):
        read_payoff("money", pg.load("number-cross"))
    with pytest.raises(OptionError, match="payoff must be win in Capture Square, not points"):
        read_payoff("points", pg.load("capture-square"))
    assert read_payoff("points", pg.load("number-cross")) == "points"


def test_a_decision_matters_where_moves_differ_in_what_is_paid():
    right, slow, lost, other_tie = Loss(0, 0), Loss(2, 0), Loss(4, 1), Loss(0, 1)
    assert not decision_matters([right, slow], "win") and decision_matters([right, slow], "points")
    assert decision_matters([right, lost], "win") and decision_matters([right, lost], "points")
    assert decision_matters([right, other_tie], "win") and not decision_matters([right, other_tie], "points")
    assert decision_matters([right, other_tie]) and not decision_matters([slow, slow])


def test_who_wins_a_tie_is_no_difference_in_points():
    """Player 2 may stay and win the tie, or swap and lose it: under `points` both pay nothing."""
    for payoff, matters in (("win", True), ("points", False)):
        for action in (3, 4):  # R2C2, swap
            env = envs.SingleEnv(
                "matrix-capture", size=2, pie="on", seat=2, payoff=payoff, oracle=True, opponent=First()
            )
            env.reset(options={"board": "5 5/5 5"})
            *_, info = env.step(action)
            assert info["mattered"] is matters and info["win_regret"] == (action == 4)


def test_the_arena_counts_decisions_by_points_where_points_are_paid():
    plan = plan_tournament(
        ["random", "perfect"], ["matrix-capture"], 100, seed=1, size=2, rules={"pie": "on"}, payoff="points"
    )
    ties = 0
    for deal in range(50):
        for row in play_round(plan, Round("matrix-capture", deal)):
            match = match_of_row(plan, row)
            position = match.start
            for action in match.actions[: row.opening]:
                position = position.play(action)
            for real, action in zip(row.real, match.actions[row.opening :], strict=True):
                losses = solver_of(position).losses(position).values()
                position = position.play(action)
                assert real == (len({loss.regret for loss in losses}) > 1)
                ties += len(set(losses)) > 1 and not real
    assert ties


class First:
    """Plays the first legal action."""

    def choose(self, position, dice):
        return position.actions()[0]

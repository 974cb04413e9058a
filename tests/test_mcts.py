"""The player `mcts:N`: legal, the same by the same dice, and the stronger the more it plays out."""

from __future__ import annotations

import pytest

import pentagrid as pg
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError
from pentagrid.play.mcts import MonteCarlo
from pentagrid.play.players import make_player


@pytest.mark.parametrize("name", pg.game_names())
@pytest.mark.parametrize("rules", [{}, {"pie": "on"}])
def test_whole_games_are_legal_and_follow_from_the_seed(name, rules):
    def moves(seed):
        match = pg.Match(
            pg.load(name, **rules).deal(seed=3), (pg.Seat("A", "mcts:10"), pg.Seat("B", "mcts:5")), seed=seed
        )
        while match.outcome is None:
            match.play(match.think())
        return match.actions

    assert moves(1) == moves(1)


def test_a_win_that_is_there_is_taken_and_a_loss_is_stopped():
    game = pg.load("capture-square")
    position = game.deal()
    for cell in (0, 15, 1, 12, 4, 10):
        position = position.play(cell)
    assert MonteCarlo(200).choose(position, Dice(1)) == 5
    position = position.play(8)  # it was not taken: now the other must stop it
    assert MonteCarlo(600).choose(position, Dice(1)) == 5


def test_more_playouts_give_less_away():
    def regret(playouts):
        total = 0.0
        for seed in range(40):
            position = pg.load("number-cross").deal(seed=seed)
            action = MonteCarlo(playouts).choose(position, Dice(seed))
            total += next(option.regret for option in pg.analyze(position).options if option.action == action)
        return total

    one, many = regret(1), regret(300)
    assert many < one / 3


@pytest.mark.parametrize(
    "asked", ["mcts", "mcts:", "mcts:0", "mcts:-5", "mcts:1e3", "mcts:10001", "mcts:007", "level:10"]
)
def test_what_cannot_be_asked_for(asked):
    with pytest.raises(OptionError, match=r"mcts:N \(N up to 10,000\)"):
        make_player(asked)


def test_any_number_of_playouts_can_be_asked_for():
    player = make_player("mcts:37")
    assert isinstance(player, MonteCarlo) and player.playouts == 37

"""The games in OpenSpiel: its own simulation test, its algorithms, and its alpha-beta against our values."""

from __future__ import annotations

import random

import pytest

import pentagrid as pg
from pentagrid.errors import OptionError

pyspiel = pytest.importorskip("pyspiel", reason='needs the extra "spiel": pip install "pentagrid[spiel]"')
pytest.importorskip("gymnasium", reason='needs the extra "spiel": pip install "pentagrid[spiel]"')

from open_spiel.python.algorithms import mcts, minimax  # noqa: E402

from pentagrid.envs.openspiel import openspiel_name  # noqa: E402

GAMES = pg.game_names()


def spiel(name, **params):
    return pyspiel.load_game(openspiel_name(name), params)


@pytest.mark.parametrize("name", GAMES)
def test_its_random_simulation_test_passes(name, capfd):
    pyspiel.random_sim_test(spiel(name, seed=3), num_sims=5, serialize=True, verbose=False)


def test_it_knows_all_five_and_their_options(capfd):
    assert {openspiel_name(name) for name in GAMES} <= set(pyspiel.registered_names())
    game = pyspiel.load_game("pentagrid_capture_square(sudden_death=exchange)")
    assert game.num_distinct_actions() == 272
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    board = spiel("matrix-capture", board="5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1").new_initial_state()
    assert board.position == pg.load("matrix-capture").read_board("5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1")
    assert spiel("number-cross", size=2).num_distinct_actions() == 4


@pytest.mark.parametrize("name", GAMES)
def test_random_games_keep_to_the_rules(name):
    chance = random.Random(1)
    for seed in range(40):
        state, position = spiel(name, seed=seed).new_initial_state(), pg.load(name).deal(seed=seed)
        while not state.is_terminal():
            assert state.current_player() == position.turn - 1
            assert tuple(state.legal_actions()) == position.actions()
            assert state.action_to_string(position.actions()[0]) == position.moves()[0]
            action = chance.choice(position.actions())
            state.apply_action(action)
            position = position.play(action)
            assert str(state) == position.text
        gained = 1 if position.outcome().winner == 1 else -1
        assert position.turn is None and state.returns() == [gained, -gained]


@pytest.mark.parametrize(("name", "left"), [("matrix-capture", 3), ("number-cross", 4), ("number-grid-battle", 5),
                                            ("capture-squares", 5)])  # fmt: skip
def test_its_alpha_beta_agrees_on_deals_late_in_the_game(name, left):
    chance = random.Random(2)
    for seed in range(4):
        game = spiel(name, seed=seed, payoff="points")
        state, position = game.new_initial_state(), pg.load(name).deal(seed=seed)
        total = 4 if name == "matrix-capture" else len(position.actions())
        while total - position.ply > left:
            action = chance.choice(position.actions())
            state.apply_action(action)
            position = position.play(action)
        value, action = minimax.alpha_beta_search(game, state=state, maximizing_player_id=0)
        analysis = pg.analyze(position)
        assert value == analysis.value.margin
        assert next(option.regret for option in analysis.options if option.action == action) == 0


@pytest.mark.parametrize(("name", "params"), [("number-cross", {}), ("matrix-capture", {"size": 3}),
                                              ("capture-squares", {"size": 2})])  # fmt: skip
def test_its_alpha_beta_agrees_on_whole_deals(name, params):
    for seed in range(2):
        game = spiel(name, seed=seed, payoff="points", **params)
        value, _ = minimax.alpha_beta_search(game)
        assert value == pg.analyze(pg.load(name, **params).deal(seed=seed)).value.margin


def test_its_alpha_beta_agrees_near_the_end_of_a_game_without_points():
    chance, looked = random.Random(5), 0
    while looked < 6:
        game = spiel("capture-square")
        state, position = game.new_initial_state(), pg.load("capture-square").deal()
        while position.turn and position.ply < 27:
            action = chance.choice(position.actions())
            state.apply_action(action)
            position = position.play(action)
        if position.turn:
            value, _ = minimax.alpha_beta_search(game, state=state, maximizing_player_id=0)
            assert value == (1 if pg.analyze(position).value.winner == 1 else -1)
            looked += 1


def test_its_tree_search_runs_and_its_observation_is_ours():
    game = spiel("matrix-capture", seed=1)
    bot = mcts.MCTSBot(game, 1.4, 50, mcts.RandomRolloutEvaluator(1))
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    observer = game.make_py_observer()
    start = game.new_initial_state()
    observer.set_from(start, 0)
    assert list(observer.tensor[:16]) == list(start.position.numbers) and observer.tensor.sum() == sum(
        start.position.numbers
    )


@pytest.mark.parametrize("params", [{"payoff": "money"}, {"size": 99}, {"board": "1 2"}])
def test_parameters_that_cannot_be(params):
    with pytest.raises(ValueError, match=r"payoff|size|board"):
        spiel("matrix-capture", **params)
    with pytest.raises(ValueError, match="payoff"):
        spiel("capture-square", payoff="points")


def test_komi_and_who_begins_sudden_death_survive_as_parameters():
    game = pyspiel.load_game("pentagrid_number_cross", {"seed": 3, "komi": 2.5, "payoff": "points"})
    state = pyspiel.load_game(str(game)).new_initial_state()
    position = pg.load("number-cross", komi="2.5").deal(seed=3)
    while not state.is_terminal():
        action = state.legal_actions()[0]
        position = position.play(action)
        state.apply_action(action)
    margin = position.scores[0] - position.scores[1] - 2.5
    assert state.returns() == [margin, -margin]
    late = pyspiel.load_game("pentagrid_capture_square", {"sudden_death_first": "player2"})
    assert "player2" in str(late)


def deals_below(state):
    """Every deal that chance leads to, with its probability."""
    if not state.is_chance_node():
        return {state.position.numbers: 1.0}
    found = {}
    for fall, chance in state.chance_outcomes():
        for numbers, share in deals_below(state.child(fall)).items():
            found[numbers] = found.get(numbers, 0) + chance * share
    return found


@pytest.mark.parametrize(("name", "count"), [("number-cross", 24), ("matrix-capture", 9**4), ("capture-squares", 24)])
def test_chance_nodes_deal_every_board_as_often(name, count):
    game = spiel(name, size=2, chance=True)
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    deals = deals_below(game.new_initial_state())
    assert len(deals) == count and all(abs(share * count - 1) < 1e-9 for share in deals.values())
    for numbers in deals:
        pg.load(name, size=2).check_numbers(numbers)


def test_policy_algorithms_see_the_whole_game():
    """Nobody can exploit perfect play of it, and it is worth what all deals are worth together."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import expected_game_score, exploitability

    class Perfect(policy.Policy):
        def action_probabilities(self, state, player_id=None):
            return {pg.analyze(state.position).best[0].action: 1.0}

    game, plain = spiel("number-cross", size=2, chance=True), pg.load("number-cross", size=2)
    perfect, deals = Perfect(game, [0, 1]), deals_below(game.new_initial_state())
    exact = [1 if pg.analyze(plain.opening(numbers)).value.winner == 1 else -1 for numbers in deals]
    value = expected_game_score.policy_value(game.new_initial_state(), [perfect, perfect])
    assert abs(value[0] - sum(exact) / len(exact)) < 1e-9
    assert abs(exploitability.nash_conv(game, perfect)) < 1e-9
    assert exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) > 1


@pytest.mark.parametrize("name", [name for name in GAMES if pg.load(name).has_numbers])
def test_large_deals_are_drawn_one_number_at_a_time(name, capfd):
    game = spiel(name, chance=True, payoff="points")
    assert game.max_chance_outcomes() <= 16
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_where_there_is_nothing_to_deal_chance_is_refused(capfd):
    with pytest.raises(OptionError, match="chance must be False here, not True: Capture Square has a single deal"):
        spiel("capture-square", chance=True)
    with pytest.raises(OptionError, match="board gives the deal"):
        spiel("number-cross", chance=True, size=2, board="1 2/3 4")
    with pytest.raises(pyspiel.SpielError, match="komi"):
        spiel("number-cross", komi="fair")

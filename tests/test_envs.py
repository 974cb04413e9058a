"""The environments: their ecosystems' own checkers, and thousands of random games against the rules."""

from __future__ import annotations

import pickle
import warnings
from itertools import product

import numpy as np
import pytest

import pentagrid as pg
from pentagrid.core.batch import refill
from pentagrid.core.rng import MAX_SEED, Dice
from pentagrid.core.streams import Stream
from pentagrid.errors import GameOverError, NotAllowedError, OptionError, UnreadableError

gym = pytest.importorskip("gymnasium", reason='needs the extra "envs": pip install "pentagrid[envs]"')
pytest.importorskip("pettingzoo", reason='needs the extra "envs": pip install "pentagrid[envs]"')

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402

from pentagrid import envs  # noqa: E402
from pentagrid.envs.observation import observer_of  # noqa: E402

GAMES = pg.game_names()
VARIANTS = [
    *((name, {}) for name in GAMES),
    ("capture-square", {"sudden_death": "exchange"}),
    ("capture-square", {"sudden_death_first": "toss"}),
    ("capture-square", {"ending": "blocks"}),
    ("capture-squares", {"size": 3}),
    ("matrix-capture", {"size": 5}),
    ("number-cross", {"size": 2}),
]


def combinations(name):
    """Every choice of a game's rule options but the plain game."""
    offered = pg.load(name).offered_rules
    values = [("0", "2.5", "-3") if rule.name == "komi" else rule.values for rule in offered]
    names = [rule.name.replace("-", "_") for rule in offered]
    return [rules for chosen in product(*values) if possible(name, rules := dict(zip(names, chosen, strict=True)))][1:]


def possible(name, rules):
    """Do these rule options make sense together?"""
    try:
        pg.load(name, **rules)
    except OptionError:
        return False
    return True


def some(name):
    """A few of them, with every value of every option among them."""
    chosen = combinations(name)
    return [*chosen[:: max(1, len(chosen) // 6)], chosen[-1]]


def later_deals(game, seed):
    """The deals that follow from a seed, by the plain dice."""
    dice = Dice(seed, Stream.LATER_DEALS)
    while True:
        yield game.deal(seed=dice.next() & MAX_SEED)


def expected_observation(position, seat, game=None):
    """The documented layout, written out plainly; `game` is what was asked for, perhaps with a toss in it."""
    toss = next((name for name, value in (game or position.game).rules.items() if value == "toss"), None)
    claims = range(sum(position.game.claim_rows()))
    row = [*position.numbers]
    row += [int(position.owner(i) == seat) for i in claims] + [int(position.owner(i) == 3 - seat) for i in claims]
    if position.scores is not None:
        row += [position.scores[seat - 1], position.scores[2 - seat]]
    return [*row, position.ply, *([] if toss is None else [int(position.game.rules[toss])])]


class TestSingle:
    @pytest.mark.parametrize("name", GAMES)
    def test_gymnasiums_own_checker(self, name):
        env = gym.make(envs.gymnasium_id(name), render_mode="ansi")
        check_env(env.unwrapped)
        check_env(gym.make(envs.gymnasium_id(name), oracle=True, render_mode="rgb_array").unwrapped)

    @pytest.mark.parametrize(
        ("name", "options"), [*((name, {}) for name in GAMES), ("number-cross", {"order": "snake"})]
    )
    def test_gymnasiums_checker_from_the_second_seat(self, name, options):
        for seat in (2, "random"):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                check_env(envs.SingleEnv(name, seat=seat, **options), skip_render_check=True)

    @pytest.mark.parametrize("seat", [1, 2])
    def test_the_agent_never_moves_for_the_opponent(self, seat):
        """Under `snake` the opponent has two turns running, and so has the agent."""
        env = envs.SingleEnv("number-cross", seat=seat, order="snake")
        for seed in range(20):
            _, info = env.reset(seed=seed)
            over, turns = False, 0
            while not over:
                assert env.position.mover == seat
                over, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))[2::2]
                turns += 1
            assert turns == 3

    def test_the_names_gymnasium_knows(self):
        assert "pentagrid/MatrixCapture-v0" in gym.registry and "pentagrid/CaptureSquare-v0" in gym.registry
        assert gym.make("pentagrid/NumberCross-v0", opponent="greedy").unwrapped.game == pg.load("number-cross")

    @pytest.mark.parametrize(("name", "options"), VARIANTS)
    def test_hundreds_of_games_keep_to_the_rules(self, name, options):
        """The opponent's answers are those of the same player with the same dice, so every position is foreseen."""
        env, game, chance = envs.SingleEnv(name, seat="random", **options), pg.load(name, **options), Dice(1)
        deals, stream = later_deals(game, 3), Dice(3, Stream.LATER_DEALS)
        for episode in range(300):
            obs, info = env.reset(seed=3) if episode == 0 else env.reset()
            seed = 3 if episode == 0 else stream.next() & MAX_SEED
            position = game.deal(seed=3) if episode == 0 else next(deals)
            dice, seat = Dice(seed, Stream.ENV_OPPONENT), 1 + Dice(seed, Stream.ENV_SEAT).below(2)
            assert env.agent == seat
            done = False
            while True:
                while position.turn not in (None, seat):
                    position = position.play(dice.choice(position.actions()))
                assert env.position == position and list(obs) == expected_observation(position, seat, game)
                assert env.observation_space.contains(obs)
                assert tuple(np.flatnonzero(info["action_mask"])) == position.actions()
                assert done == (position.turn is None)
                if done:
                    break
                action = chance.choice(position.actions())
                position = position.play(action)
                obs, reward, done, truncated, info = env.step(np.int64(action))
                assert not truncated
            outcome = position.outcome()
            assert (info["winner"], info["reason"]) == outcome and reward == (1 if outcome.winner == seat else -1)

    @pytest.mark.parametrize("name", GAMES)
    @pytest.mark.parametrize("opponent", ["random", "greedy", "level:3", "perfect"])
    def test_a_seed_settles_everything(self, name, opponent):
        def run():
            env = envs.SingleEnv(name, opponent=opponent, seat=2, oracle=True)
            rows = []
            for episode in range(2):
                obs, info = env.reset(seed=11 if episode == 0 else None)
                done = False
                while not done:
                    obs, reward, done, _, info = env.step(np.flatnonzero(info["action_mask"])[-1])
                    rows.append((obs.tolist(), reward, done, info["regret"], info["value"]))
            return rows

        assert run() == run()
        assert envs.SingleEnv(name).reset(seed=12)[0].tolist() == expected_observation(pg.load(name).deal(seed=12), 1)

    def test_the_oracle_tells_value_and_regret(self):
        env = envs.SingleEnv("matrix-capture", oracle=True)
        env.reset(seed=1, options={"board": "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"})
        analysis = pg.analyze(env.position)
        for option in analysis.options:
            env.reset(seed=1, options={"board": "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"})
            info = env.step(option.action)[4]
            assert info["regret"] == option.regret and info["best_value"] == 1
            assert info["value"] == (1 if option.winner == 1 else -1) and info["mattered"]
            assert info["win_regret"] == (option.winner == 2)

    def test_numbers_are_from_the_agents_side(self):
        """The board is won by Player 1: in seat 2 the agent is losing whatever they do, by the same points."""
        for seat in (1, 2):
            env = envs.SingleEnv("matrix-capture", oracle=True, seat=seat, opponent="perfect", payoff="points")
            env.reset(seed=1, options={"board": "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"})
            best = pg.analyze(env.position).best[0]
            _, reward, over, _, info = env.step(best.action)
            assert info["value"] == info["best_value"] == (5 if seat == 1 else -5) and info["regret"] == 0
            while not over:
                _, reward, over, _, info = env.step(pg.analyze(env.position).best[0].action)
            assert reward == (5 if seat == 1 else -5) == info["value"]

    def test_a_perfect_agent_has_no_regret_and_the_info_is_exact_in_every_game(self):
        for name in GAMES:
            env, total = envs.SingleEnv(name, opponent="level:2", oracle=True), 0
            for seed in range(5):
                _, info = env.reset(seed=seed)
                done = False
                while not done:
                    before = env.position
                    action = next(option.action for option in pg.analyze(before).options if option.best)
                    _, reward, done, _, info = env.step(action)
                    total += info["regret"]
                assert reward == (1 if pg.analyze(pg.load(name).deal(seed=seed)).value.winner == 1 else reward)
            assert total == 0

    def test_illegal_actions_are_refused_and_change_nothing(self):
        env = envs.SingleEnv("matrix-capture", illegal="raise")
        env.reset(seed=1)
        env.step(0)
        before = env.position
        for wrong, error in ((0, NotAllowedError), (16, UnreadableError), (-1, UnreadableError)):
            with pytest.raises(error):
                env.step(wrong)
            assert env.position is before
        with pytest.raises(TypeError):
            env.step(1.5)
        while env.position.turn:
            env.step(env.position.actions()[0])
        with pytest.raises(GameOverError):
            env.step(0)

    def test_an_illegal_action_loses_the_game_unless_it_shall_raise(self):
        for payoff, paid in (("win", -1), ("points", -73)):
            env = envs.SingleEnv("matrix-capture", payoff=payoff)
            env.reset(seed=1, options={"board": "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"})
            env.step(0)
            before = env.position
            for wrong in (16, -1):
                with pytest.raises(UnreadableError):
                    env.step(wrong)
            seen, reward, over, _, info = env.step(0)
            assert (reward, over, info["winner"], info["reason"]) == (paid, True, 2, "illegal")
            assert env.position is before and list(seen) == expected_observation(before, 1)
            assert not info["action_mask"].any()

    @pytest.mark.parametrize(
        "options",
        [
            {"illegal": "forgive"},
            {"payoff": "fame"},
            {"seat": 3},
            {"opponent": "human"},
            {"opponent": "nobody"},
            {"render_mode": "film"},
            {"size": 99},
        ],
    )
    def test_options_that_cannot_be(self, options):
        with pytest.raises(OptionError):
            envs.SingleEnv("matrix-capture", **options)

    def test_reset_options_that_cannot_be_change_nothing(self):
        env = envs.SingleEnv("matrix-capture")
        env.reset(seed=1)
        before = env.position
        for options in ({"seats": 1}, {"seat": 0}, {"board": "1 2/3 4"}):
            with pytest.raises(ValueError):
                env.reset(seed=2, options=options)
        assert env.position is before
        with pytest.raises(gym.error.ResetNeeded):
            envs.SingleEnv("matrix-capture").step(0)

    def test_the_text_calls_players_what_the_game_calls_them(self):
        env = envs.SingleEnv("capture-squares", render_mode="ansi")
        env.reset(seed=1)
        assert "It is Player A's turn." in env.render()
        while env.position.turn:
            env.step(env.position.actions()[0])
        assert "has won (" in env.render() and not any(f"Player {seat}" in env.render() for seat in (1, 2))

    def test_text_and_pixels(self):
        env = envs.SingleEnv("number-cross", render_mode="ansi")
        env.reset(seed=1)
        env.step(0)
        text = env.render()
        assert "Row 1 (P1)" in text and "It is Player 1's turn." in text and "sum so far" in text
        for name in GAMES:
            env = envs.SingleEnv(name, render_mode="rgb_array")
            env.reset(seed=1)
            blank = env.render()
            env.step(0)
            assert blank.dtype == np.uint8 and blank.shape == env.render().shape and (blank != env.render()).any()


class TestAec:
    @pytest.mark.parametrize("name", GAMES)
    def test_pettingzoos_own_checkers(self, name, capsys):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what it merely recommends: a screen, a shorter observation
            api_test(envs.aec_env(name), num_cycles=100)
            seed_test(lambda: envs.aec_env(name), num_cycles=50)
            render_test(lambda render_mode: envs.RawAecEnv(name, render_mode=render_mode))

    @pytest.mark.parametrize(("name", "options"), VARIANTS)
    def test_hundreds_of_games_keep_to_the_rules(self, name, options):
        env, game, chance = envs.aec_env(name, **options), pg.load(name, **options), Dice(2)
        deals = later_deals(game, 5)
        for episode in range(200):
            env.reset(seed=5 if episode == 0 else None)
            position = game.deal(seed=5) if episode == 0 else next(deals)
            paid = {"player_1": 0, "player_2": 0}
            for agent in env.agent_iter():
                observation, reward, done, _, info = env.last()
                paid[agent] += reward
                if done:
                    env.step(None)
                    continue
                seat = int(agent[-1])
                assert seat == position.turn
                for each in (1, 2):
                    seen = env.observe(f"player_{each}")
                    assert list(seen["observation"]) == expected_observation(position, each, game)
                    legal = position.actions() if each == seat else ()
                    assert tuple(np.flatnonzero(seen["action_mask"])) == legal
                assert (observation["action_mask"] == env.observe(agent)["action_mask"]).all()
                action = chance.choice(position.actions())
                position = position.play(action)
                env.step(action)
            outcome = position.outcome()
            assert paid[f"player_{outcome.winner}"] == 1 and paid[f"player_{3 - outcome.winner}"] == -1
            assert info == outcome._asdict()

    @pytest.mark.parametrize("name", ["matrix-capture", "number-cross"])
    def test_points_and_exact_numbers(self, name):
        env = envs.aec_env(name, payoff="points", oracle=True, komi="2.5")
        for seed in range(10):
            env.reset(seed=seed)
            paid, chance = {"player_1": 0.0, "player_2": 0.0}, Dice(seed)
            for agent in env.agent_iter():
                _, reward, done, _, _ = env.last()
                paid[agent] += reward
                before = env.unwrapped.position
                env.step(None if done else chance.choice(before.actions()))
                if not done:
                    made, seat = env.unwrapped.position, int(agent[-1])
                    info, value = env.unwrapped.infos[agent], pg.Solver(before).value(made)
                    assert info["value"] == (value.margin if seat == 1 else -value.margin)
                    assert info["best_value"] - info["value"] == info["regret"] >= 0
            margin = made.scores[0] - made.scores[1] - 2.5
            assert paid == {"player_1": margin, "player_2": -margin}

    def test_an_illegal_move_ends_the_game_as_pettingzoo_has_it(self, capsys):
        for payoff, paid in (("win", -1), ("points", -73)):
            env = envs.aec_env("matrix-capture", payoff=payoff)
            env.reset(options={"board": "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"})
            env.step(0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                env.step(0)
            assert env.terminations == {"player_1": True, "player_2": True}
            assert env.rewards == {"player_1": 0, "player_2": paid}

    def test_without_the_wrappers_it_raises_and_changes_nothing(self):
        env = envs.RawAecEnv("matrix-capture")
        env.reset(seed=1)
        env.step(0)
        before = env.position
        with pytest.raises(NotAllowedError):
            env.step(0)
        with pytest.raises(OptionError):
            env.step(None)
        assert env.position is before and env.agent_selection == "player_2"

    def test_it_is_pickled_and_made_again(self):
        again = pickle.loads(pickle.dumps(envs.RawAecEnv("capture-square", sudden_death="exchange")))
        assert again.game == pg.load("capture-square", sudden_death="exchange")


class TestVectorized:
    """A game is that of a `SingleEnv` of the same seed, whoever the opponent is."""

    @pytest.mark.parametrize("opponent", ["random", "greedy", "level:3", "perfect"])
    @pytest.mark.parametrize(("name", "options"), [*VARIANTS, ("number-cross", {"order": "snake", "pie": "on"})])
    def test_games_are_those_of_single_environments(self, name, options, opponent):
        shared = {"opponent": opponent, "seat": "random", "oracle": opponent == "random", **options}
        count = 24 if opponent == "random" else 5
        env, singles = envs.VectorizedEnv(name, count, **shared), [envs.SingleEnv(name, **shared) for _ in range(count)]
        obs, info = env.reset(seed=7)
        expected = [single.reset(seed=7 + i) for i, single in enumerate(singles)]
        finished = 0
        for _ in range(40 if opponent == "random" else 9):
            for i, (seen, about) in enumerate(expected):
                assert (obs[i] == seen).all() and (info["action_mask"][i] == about["action_mask"]).all()
                assert env.position(i) == singles[i].position and env.seats[i] == singles[i].agent
            assert obs.flags.c_contiguous and (env.action_masks() == info["action_mask"]).all()
            actions = env.sample_actions()
            obs, rewards, over, cut, info = env.step(actions)
            expected = []
            for i, single in enumerate(singles):
                seen, reward, ended, _, about = single.step(actions[i])
                assert (reward, ended, False) == (rewards[i], over[i], cut[i])
                for key in ("value", "best_value", "regret", "win_regret", "mattered") if shared["oracle"] else ():
                    assert about[key] == info[key][i]
                if ended:
                    assert (info["final_obs"][i] == seen).all() and info["_final_obs"][i]
                    assert info["winner"][i] == about["winner"]
                    seen, about = single.reset()
                    finished += 1
                expected.append((seen, about))
        assert finished >= count // 2

    def test_it_is_what_gymnasium_makes_of_the_same_id(self):
        env = gym.make_vec("pentagrid/MatrixCapture-v0", num_envs=5, opponent="greedy", seat=2, oracle=True)
        assert isinstance(env.unwrapped, envs.VectorizedEnv)
        obs, _ = env.reset(seed=1)
        assert env.observation_space.contains(obs) and env.unwrapped.seats.tolist() == [2] * 5

    def test_points_are_paid_to_the_agent(self):
        env = envs.VectorizedEnv("number-grid-battle", 50, payoff="points", seat="random", komi="1.5")
        env.reset(seed=2)
        ended = 0
        for _ in range(12):
            _, rewards, over, _, info = env.step(env.sample_actions())
            for i in np.flatnonzero(over):
                seat, (own, other) = (
                    info["winner"][i] if rewards[i] > 0 else 3 - info["winner"][i],
                    info["final_obs"][i][-3:-1],
                )
                assert rewards[i] == own - other + (1.5 if seat == 2 else -1.5)
                ended += 1
        assert ended >= 100


class TestSelfPlay:
    @pytest.mark.parametrize(("name", "options"), VARIANTS)
    def test_thousands_of_games_keep_to_the_rules(self, name, options):
        assert self.compared(name, options, count=64, steps=120) > 200

    @pytest.mark.parametrize(("name", "options"), [(name, rules) for name in GAMES for rules in combinations(name)])
    def test_every_combination_of_rule_options(self, name, options):
        """On even and on odd boards, because who moves last depends on it."""
        for size in (3, 4):
            assert self.compared(name, {"size": size, **options}, count=24, steps=60) > 24

    def compared(self, name, options, count, steps):
        """Play so many steps, everything beside the rules; how many games came to their end."""
        game, chance = pg.load(name, **options), np.random.default_rng(1)
        env, observer = envs.SelfPlayEnv(name, num_envs=count, **options), observer_of(game)
        obs, info = env.reset(seed=7)
        positions = [game.deal(seed=7 + i) for i in range(count)]
        deals, finished, swaps = [later_deals(game, 7 + i) for i in range(count)], 0, 0
        for _ in range(steps):
            assert env.movers.tolist() == [position.mover for position in positions]
            for i, position in enumerate(positions):
                assert env.position(i) == position
                assert tuple(np.flatnonzero(info["action_mask"][i])) == position.actions()
                assert (obs[i] == observer.observe(position, position.mover)).all()
            wish = chance.random(info["action_mask"].shape)
            if game.pie:
                wish[:, game.swap_action] *= 4  # often enough to matter
            actions = (wish * info["action_mask"]).argmax(axis=1)
            obs, rewards, over, cut, info = env.step(actions)
            assert not cut.any()
            for i, position in enumerate(positions):
                after = position.play(int(actions[i]))
                outcome = after.outcome()
                assert over[i] == (outcome is not None)
                if outcome is None:
                    assert rewards[i] == 0
                    positions[i] = after
                    continue
                finished += 1
                swaps += after.swapped
                assert rewards[i] == (1 if outcome.winner == position.mover else -1)
                assert info["_final_obs"][i] and info["winner"][i] == outcome.winner
                assert list(info["final_obs"][i]) == expected_observation(after, after.mover, game)
                positions[i] = next(deals[i])
        assert env.observation_space.contains(np.ascontiguousarray(obs))
        assert finished // 10 < swaps < finished if game.pie else swaps == 0
        return finished

    def test_gymnasium_makes_it_under_an_id_of_its_own(self):
        env = gym.make_vec("pentagrid/MatrixCaptureSelfPlay-v0", num_envs=5)
        assert isinstance(env.unwrapped, envs.SelfPlayEnv)
        obs, info = env.reset(seed=1)
        assert obs.shape == (5, env.single_observation_space.shape[0])
        assert obs.flags.c_contiguous and info["action_mask"].flags.c_contiguous

    def test_it_draws_legal_actions_each_as_likely_by_the_seed_alone(self):
        env, again = (envs.SelfPlayEnv("matrix-capture", num_envs=4000) for _ in range(2))
        with pytest.raises(gym.error.ResetNeeded):
            env.sample_actions()
        for each in (env, again):
            each.reset(seed=1)
        for _ in range(6):
            actions = env.sample_actions()
            assert (actions == again.sample_actions()).all()
            legal = int(env.mask()[0].sum())
            counts = np.bincount(actions, minlength=16)
            if legal == 16:
                assert abs(counts - 250).max() < 80  # five standard deviations
            env.step(actions)  # which refuses what is not legal
            again.step(actions)

    def test_a_draw_picks_what_the_dice_pick(self):
        env = envs.SelfPlayEnv("matrix-capture", num_envs=50)
        env.reset(seed=3)
        dice = [Dice(3 + i, Stream.ENV_ACTIONS) for i in range(50)]
        for _ in range(10):
            expected = [dice[i].choice(env.position(i).actions()) for i in range(50)]
            actions = env.sample_actions()
            assert actions.tolist() == expected
            env.step(actions)

    @pytest.mark.parametrize("order", ["alternate", "snake", "thue-morse"])
    @pytest.mark.parametrize("name", ["matrix-capture", "number-cross"])
    def test_points_are_paid_with_komi(self, name, order):
        options = {"order": order, "komi": "2.5", "pie": "on", "payoff": "points"}
        env = envs.SelfPlayEnv(name, num_envs=40, **options)
        env.reset(seed=1)
        for _ in range(20):
            before, actions = [env.position(i) for i in range(40)], env.sample_actions()
            _, rewards, over, _, _ = env.step(actions)
            for i in np.flatnonzero(over):
                after = before[i].play(int(actions[i]))
                margin = after.game.with_komi(  # type: ignore[attr-defined]
                    after.scores[0] - after.scores[1], after.swapped
                )
                assert rewards[i] == (margin if before[i].mover == 1 else -margin)
        with pytest.raises(OptionError, match="payoff must be win in Capture Square, not points"):
            envs.SelfPlayEnv("capture-square", payoff="points")

    def test_a_fair_komi_is_refused_in_a_sentence(self):
        for kind in (envs.SelfPlayEnv, envs.VectorizedEnv):
            with pytest.raises(OptionError, match="komi must be a number in vectorized environments, not fair"):
                kind("number-cross", komi="fair")

    @pytest.mark.parametrize(
        ("name", "options"), [*VARIANTS, *((name, {"size": 3, **rules}) for name in GAMES for rules in some(name))]
    )
    def test_what_the_oracle_says_is_what_analysis_says(self, name, options):
        payoffs = ("win",) if name == "capture-square" else ("win", "points")
        for payoff in payoffs:
            env = envs.SelfPlayEnv(name, num_envs=40, oracle=True, payoff=payoff, **options)
            env.reset(seed=5)
            for step in range(20 if name == "capture-square" else 10):
                before, actions = [env.position(i) for i in range(40)], env.sample_actions()
                info = env.step(actions)[4]
                for i in range(step % 4, 40, 8):
                    self.compare_with_analysis(before[i], int(actions[i]), {k: v[i] for k, v in info.items()}, payoff)

    def compare_with_analysis(self, position, action, info, payoff):
        analysis, sign = pg.analyze(position), 3 - 2 * position.mover
        made = next(option for option in analysis.options if option.action == action)
        winners, margins = ({getattr(o, n) for o in analysis.options} for n in ("winner", "margin"))
        assert info["regret"] == made.regret
        assert info["win_regret"] == (analysis.value.winner == position.mover != made.winner)
        assert info["mattered"] == (len(winners if payoff == "win" else margins) > 1)
        if payoff == "points":
            assert (info["value"], info["best_value"]) == (sign * made.margin, sign * analysis.value.margin)
        else:
            assert info["value"] == (1 if made.winner == position.mover else -1)
            assert info["best_value"] == (1 if analysis.value.winner == position.mover else -1)

    def test_a_swap_is_refused_but_in_answer_to_the_first_move(self):
        env = envs.SelfPlayEnv("matrix-capture", num_envs=2, pie="on")
        env.reset(seed=1)
        for wrong in ([16, 0], [0, 16]):
            with pytest.raises(NotAllowedError, match="only by Player 2"):
                env.step(np.array(wrong))
        env.step(np.array([0, 0]))
        env.step(np.array([16, 5]))
        assert [env.position(i).swapped for i in (0, 1)] == [True, False] and env.movers.tolist() == [1, 1]
        with pytest.raises(NotAllowedError, match=r"Game 0: .*only by Player 2"):
            env.step(np.array([16, 10]))

    def test_one_illegal_action_and_nothing_changes(self):
        env = envs.SelfPlayEnv("matrix-capture", num_envs=3)
        with pytest.raises(gym.error.ResetNeeded):
            env.step(np.zeros(3, int))
        env.reset(seed=1)
        env.step(np.zeros(3, int))
        before = [env.position(i) for i in range(3)]
        for wrong in ([5, 0, 5], [5, 16, 5], [5, -1, 5]):
            with pytest.raises(NotAllowedError, match="Game 1: "):
                env.step(np.array(wrong))
        for wrong in ([5, 5], [5.0, 5.0, 5.0]):
            with pytest.raises(OptionError):
                env.step(np.array(wrong))
        assert [env.position(i) for i in range(3)] == before

    def test_what_is_returned_is_the_callers_own(self):
        env = envs.SelfPlayEnv("capture-square", num_envs=2)
        obs, info = env.reset(seed=1)
        obs[:], info["action_mask"][:] = 99, 0
        assert env.position(0) == pg.load("capture-square").deal() and env.batch.legal.all()

    def test_seeds_that_cannot_be(self):
        env = envs.SelfPlayEnv("matrix-capture", num_envs=2)
        for wrong in (-1, [1], MAX_SEED):
            with pytest.raises(OptionError):
                env.reset(seed=wrong)


@pytest.mark.parametrize("rules", [{"pie": "on"}, {"komi": "2.5"}, {"order": "snake"}])
def test_rule_options_hold_over_many_episodes(rules):
    env = gym.make("pentagrid/NumberCross-v0", opponent="random", render_mode="ansi", **rules)
    chance = np.random.default_rng(1)
    for episode in range(6):
        _, info = env.reset(seed=1 if episode == 0 else None)
        over = False
        while not over:
            action = int(chance.choice(np.flatnonzero(info["action_mask"])))
            _, reward, over, _, info = env.step(action)
        assert reward in (1, -1)
    assert ("Komi for Player 2: 2.5" in env.render()) == ("komi" in rules)


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("ended", [1, 50, 300])
def test_few_and_many_games_are_filled_alike(ended, value):
    flags = np.random.default_rng(ended).integers(0, 2, (2, 5, 300)).astype(np.int8)
    which = np.sort(np.random.default_rng(1).permutation(300)[:ended])
    expected = flags.copy()
    expected[..., which] = value
    refill(flags, which, value)
    assert (flags == expected).all()


class TestFairKomi:
    """With `komi="fair"` each deal has the komi that is fair for it, by the toss of its seed; it is observed."""

    def test_every_episode_has_the_komi_of_its_deal(self):
        env = envs.SingleEnv("number-cross", komi="fair")
        seen = set()
        env.reset(seed=5)
        for _, (seed, deal) in zip(range(30), fair_deals("number-cross", 5), strict=False):
            assert env.position == deal
            observation = env._observer.observe(env.position, 1)
            assert env.observation_space.contains(observation)
            assert observation[-1] == 2 * deal.game.komi and seed is not None
            seen.add(deal.game.komi)
            env.reset()
        assert len(seen) > 3

    def test_the_winner_is_the_one_by_that_komi(self):
        env = envs.SingleEnv("matrix-capture", komi="fair", oracle=True)
        for seed in range(20):
            env.reset(seed=seed)
            while env.position.turn:
                _, reward, *_, info = env.step(pg.analyze(env.position).best[0].action)
            final = env.position
            margin = final.scores[0] - final.scores[1] - final.game.komi  # type: ignore[attr-defined]
            assert margin % 1 == 0.5 and info["winner"] == (1 if margin > 0 else 2) == (1 if reward > 0 else 2)

    def test_the_checkers_of_the_packages_take_it(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_env(envs.SingleEnv("number-cross", komi="fair"), skip_render_check=True)
            api_test(envs.aec_env("number-cross", komi="fair"), num_cycles=100)

    def test_a_board_of_ones_own_has_its_komi_too(self):
        for env in (
            envs.RawAecEnv("number-cross", size=2, komi="fair"),
            envs.SingleEnv("number-cross", size=2, komi="fair"),
        ):
            env.reset(seed=1, options={"board": "1 2/3 4"})
            value = pg.analyze(pg.load("number-cross", size=2).read_board("1 2/3 4")).value.margin
            assert abs(env.position.game.komi - value) == 0.5  # type: ignore[attr-defined]
            pickle.loads(pickle.dumps(env)).reset(seed=1)

    def test_a_game_without_points_has_none(self):
        with pytest.raises(OptionError, match="komi"):
            envs.SingleEnv("capture-square", komi="fair")


def fair_deals(name, seed):
    """What the episodes after `reset(seed)` are dealt, worked out by hand."""
    from pentagrid.analysis.komi import deal

    game, dice = pg.load(name), Dice(seed, Stream.LATER_DEALS)
    yield seed, deal(game, seed, True)
    while True:
        later = dice.next() & MAX_SEED
        yield later, deal(game, later, True)

"""The environments: their ecosystems' own checkers, and thousands of random games against the rules."""

from __future__ import annotations

import pickle
import warnings
from itertools import product

import numpy as np
import pytest

import pentagrid as pg
from pentagrid.core.deal_solver import Value
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
    ("capture-squares", {"size": 3}),
    ("matrix-capture", {"size": 5}),
    ("number-cross", {"size": 2}),
]


def combinations(name):
    """Every choice of a game's rule options but the plain game."""
    offered = pg.load(name).offered_rules
    values = [("0", "2.5", "-3") if rule.name == "komi" else rule.values for rule in offered]
    names = [rule.name.replace("-", "_") for rule in offered]
    return [dict(zip(names, chosen, strict=True)) for chosen in product(*values)][1:]


def later_deals(game, seed):
    """The deals that follow from a seed, by the plain dice."""
    dice = Dice(seed, Stream.LATER_DEALS)
    while True:
        yield game.deal(seed=dice.next() & MAX_SEED)


def expected_observation(position, seat):
    """The documented layout, written out plainly."""
    claims = range(sum(position.game.claim_rows()))
    row = [*position.numbers]
    row += [int(position.owner(i) == seat) for i in claims] + [int(position.owner(i) == 3 - seat) for i in claims]
    if position.scores is not None:
        row += [position.scores[seat - 1], position.scores[2 - seat]]
    return [*row, position.ply]


class TestSingle:
    @pytest.mark.parametrize("name", GAMES)
    def test_gymnasiums_own_checker(self, name):
        env = gym.make(envs.gymnasium_id(name), render_mode="ansi")
        check_env(env.unwrapped)
        check_env(gym.make(envs.gymnasium_id(name), oracle=True, render_mode="rgb_array").unwrapped)

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
                if position.turn not in (None, seat):
                    position = position.play(dice.choice(position.actions()))
                assert env.position == position and list(obs) == expected_observation(position, seat)
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
            assert info["regret"] == option.regret and info["best_value"] == analysis.value
            assert info["value"] == Value(option.winner, option.margin, None)

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
        env = envs.SingleEnv("matrix-capture")
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

    @pytest.mark.parametrize(
        "options", [{"seat": 3}, {"opponent": "human"}, {"opponent": "nobody"}, {"render_mode": "film"}, {"size": 99}]
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
                    assert list(seen["observation"]) == expected_observation(position, each)
                    legal = position.actions() if each == seat else ()
                    assert tuple(np.flatnonzero(seen["action_mask"])) == legal
                assert (observation["action_mask"] == env.observe(agent)["action_mask"]).all()
                action = chance.choice(position.actions())
                position = position.play(action)
                env.step(action)
            outcome = position.outcome()
            assert paid[f"player_{outcome.winner}"] == 1 and paid[f"player_{3 - outcome.winner}"] == -1
            assert info == outcome._asdict()

    def test_an_illegal_move_ends_the_game_as_pettingzoo_has_it(self, capsys):
        env = envs.aec_env("matrix-capture")
        env.reset(seed=1)
        env.step(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            env.step(0)
        assert env.terminations == {"player_1": True, "player_2": True} and env.rewards["player_2"] == -1

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
        env, observer = envs.VectorizedEnv(name, num_envs=count, **options), observer_of(game)
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
                assert list(info["final_obs"][i]) == expected_observation(after, after.mover)
                positions[i] = next(deals[i])
        assert env.observation_space.contains(np.ascontiguousarray(obs))
        assert finished // 10 < swaps < finished if game.pie else swaps == 0
        return finished

    def test_it_is_what_gymnasium_makes_vectorized(self):
        env = gym.make_vec("pentagrid/MatrixCapture-v0", num_envs=5)
        assert isinstance(env.unwrapped, envs.VectorizedEnv)
        obs, _ = env.reset(seed=1)
        assert obs.shape == (5, env.single_observation_space.shape[0])

    @pytest.mark.parametrize(
        ("name", "options"), [*((name, {}) for name in GAMES), ("number-cross", {"pie": "on", "order": "snake"})]
    )
    def test_regret_on_request_is_exact(self, name, options):
        env, chance = envs.VectorizedEnv(name, num_envs=3, regret=True, **options), np.random.default_rng(4)
        _, info = env.reset(seed=[5, 6, 7])
        for _ in range(20):
            before = [env.position(i) for i in range(3)]
            actions = (chance.random(info["action_mask"].shape) * info["action_mask"]).argmax(axis=1)
            info = env.step(actions)[4]
            for position, action, regret in zip(before, actions, info["regret"], strict=True):
                options = pg.analyze(position).options
                assert regret == next(option.regret for option in options if option.action == action)

    def test_a_swap_is_refused_but_in_answer_to_the_first_move(self):
        env = envs.VectorizedEnv("matrix-capture", num_envs=2, pie="on")
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
        env = envs.VectorizedEnv("matrix-capture", num_envs=3)
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
        env = envs.VectorizedEnv("capture-square", num_envs=2)
        obs, info = env.reset(seed=1)
        obs[:], info["action_mask"][:] = 99, 0
        assert env.position(0) == pg.load("capture-square").deal() and env.batch.legal.all()

    def test_seeds_that_cannot_be(self):
        env = envs.VectorizedEnv("matrix-capture", num_envs=2)
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

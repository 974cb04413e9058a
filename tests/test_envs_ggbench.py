"""The drop-ins for users of gg-bench: the originals' interface and layouts, with sound rules; and the docs' code."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest

import pentagrid as pg
from pentagrid.core.rng import Dice
from pentagrid.errors import GameOverError

gym = pytest.importorskip("gymnasium", reason='needs the extra "envs": pip install "pentagrid[envs]"')

from gymnasium.utils.env_checker import check_env  # noqa: E402

from pentagrid.envs import ggbench  # noqa: E402

GAMES = pg.game_names()


class TestDropIns:
    @pytest.mark.parametrize("name", GAMES)
    def test_gymnasiums_checker_passes(self, name):
        gym.register(f"test/{name}-v0", entry_point=ggbench.drop_in(name))
        check_env(gym.make(f"test/{name}-v0").unwrapped)

    @pytest.mark.parametrize(
        ("name", "shape", "board", "moves", "expected"),
        [
            ("MatrixCapture", (4, 4), "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1", [5],
             [5, 0, 6, 2, 0, 0, 0, 0, 9, 0, 5, 3, 6, 0, 7, 1]),
            ("CaptureSquares", (16, 2), "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 16", [0, 4],
             [-1, 1, 0, 2, 0, 3, 0, 4, -1, 5] + [v for n in range(6, 17) for v in (0, n)]),
            ("NumberGridBattle", (9, 2), "1 2 3/4 5 6/7 8 9", [8, 0],
             [1, -1, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 9, 1]),
            ("NumberCross", (15,), "1 2 3/4 5 6/7 8 9", [2, 3], [*range(1, 10), 0, 0, 1, -1, 0, 0]),
            ("CaptureSquare", (16,), None, [0, 5], [1, 0, 0, 0, 0, -1] + [0] * 10),
        ],
    )  # fmt: skip
    def test_the_layouts_of_the_originals(self, name, shape, board, moves, expected):
        env = getattr(ggbench, name)()
        if board:
            env.position = env.game.read_board(board)
        for move in moves:
            obs = env.step(move)[0]
        assert obs.shape == shape == env.observation_space.shape and obs.dtype == env.observation_space.dtype
        assert obs.ravel().tolist() == expected and env.observation_space.contains(obs)

    @pytest.mark.parametrize("name", GAMES)
    def test_a_win_pays_one_and_a_loss_minus_one_to_the_mover(self, name):
        env, chance, paid = ggbench.drop_in(name)(), Dice(1), set()
        for seed in range(300):
            env.reset(seed=seed)
            done = False
            while not done:
                mover = env.current_player
                assert env.valid_moves() == list(env.position.actions())
                _, reward, done, _, info = env.step(chance.choice(env.valid_moves()))
            assert info["winner"] == {1: 1, 2: -1}[env.position.outcome().winner]
            assert reward == info["winner"] * mover and info["reason"] == env.position.outcome().reason
            paid.add(reward)
            assert env.valid_moves() == [] and env.done
        assert paid == ({1} if name == "capture-square" else {1, -1})  # there the last move always wins

    def test_an_illegal_action_loses_by_the_originals_convention(self):
        env = ggbench.MatrixCapture()
        env.reset(seed=1)
        env.step(0)
        before = env.position
        _, reward, done, _, info = env.step(0)
        assert (reward, done, info["winner"], info["reason"]) == (-10, True, 1, "illegal")
        assert "R1C1" in info["error"] and env.position is before and env.valid_moves() == []
        with pytest.raises(GameOverError):
            env.step(5)

    def test_render_shows_whose_turn_it_is_and_the_scores(self):
        env = ggbench.NumberGridBattle()
        env.reset(seed=1)
        env.step(0)
        assert "It is Player 2's turn." in env.render() and str(env.position.numbers[0]) in env.render()

    def test_render_names_the_marks_where_no_scores_do_and_tells_of_a_forfeit(self):
        env = ggbench.CaptureSquare()
        env.reset()
        env.step(0)
        assert env.render().endswith("It is Player 2's turn (O).")
        env.step(0)
        assert env.render().endswith("Player 1 (X) has won (illegal).")

    @pytest.mark.parametrize("name", GAMES)
    def test_flat_observations_are_in_their_flat_space(self, name):
        env, usual = ggbench.drop_in(name)(flat=True), ggbench.drop_in(name)()
        flat, board = env.reset(7)[0], usual.reset(seed=7)[0]
        assert flat.shape == env.observation_space.shape == (board.size,) and env.observation_space.contains(flat)
        assert flat.tolist() == board.ravel().tolist()

    def test_a_loss_may_pay_nothing(self):
        env, chance, paid = ggbench.MatrixCapture(loser_reward=0), Dice(1), set()
        for seed in range(50):
            env.reset(seed)
            while not env.done:
                _, reward, _, _, _ = env.step(chance.choice(env.valid_moves()))
            paid.add(reward)
        assert paid == {0.0, 1.0}
        with pytest.raises(pg.PentagridError, match="loser_reward must be -1 or 0, not 5"):
            ggbench.MatrixCapture(loser_reward=5)

    def test_a_tolerant_step_after_the_end_changes_and_pays_nothing(self):
        env = ggbench.NumberCross(tolerant=True)
        env.reset(seed=1)
        while not env.done:
            env.step(env.valid_moves()[0])
        before = env.position
        obs, reward, done, cut, info = env.step(0)
        assert (reward, done, cut) == (0.0, True, False) and "over" in info["error"] and env.position is before
        assert env.observation_space.contains(obs)

    def test_pettingzoo_is_not_needed(self):
        code = (
            "import sys; sys.modules['pettingzoo'] = None\n"
            "from pentagrid.envs.ggbench import MatrixCapture; MatrixCapture().reset(7)\n"
            "import pentagrid.envs, gymnasium; gymnasium.make('pentagrid/NumberCross-v0').reset(seed=1)\n"
        )
        subprocess.run([sys.executable, "-c", code], check=True)

    def test_copies_are_cheap_and_go_their_own_way(self):
        env = ggbench.CaptureSquares()
        env.reset(seed=1)
        other = copy.deepcopy(env)
        other.step(3)
        assert env.position.ply == 0 and other.position.ply == 1
        assert [env.reset()[0].tolist() for _ in range(3)] == [other.reset()[0].tolist() for _ in range(3)]
        assert other.game is env.game and copy.deepcopy(env).position is env.position  # shared, not copied
        assert pickle.loads(pickle.dumps(env)).position == env.position

    def test_there_is_no_other(self):
        with pytest.raises(AttributeError):
            ggbench.Chess  # noqa: B018
        assert "MatrixCapture" in dir(ggbench)

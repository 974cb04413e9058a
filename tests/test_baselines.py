"""Training with sb3-contrib: the examples of the pages as they are written, and what they learn."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import pentagrid as pg

NEEDED = 'needs the extra "baselines": pip install "pentagrid[baselines]", or make baselines-test'
pytest.importorskip("stable_baselines3", reason=NEEDED)
contrib = pytest.importorskip("sb3_contrib", reason=NEEDED)

from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3.common.env_checker import check_env  # noqa: E402

from pentagrid import envs  # noqa: E402
from pentagrid.envs.sb3 import Sb3VecEnv  # noqa: E402

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", pg.game_names())
def test_masks_are_where_sb3_contrib_looks(name):
    single = envs.SingleEnv(name, seat=2)
    single.reset(seed=1)
    assert is_masking_supported(single)
    assert tuple(np.flatnonzero(get_action_masks(single))) == single.position.actions()
    games = Sb3VecEnv(name, 5, seat="random")
    games.seed(3)
    games.reset()
    assert is_masking_supported(games)
    for row, number in zip(get_action_masks(games), range(5), strict=True):
        assert tuple(np.flatnonzero(row)) == games.env.position(number).actions()


@pytest.mark.parametrize("name", pg.game_names())
def test_stable_baselines_own_checker(name):
    for seat in (1, 2):
        check_env(envs.SingleEnv(name, seat=seat), warn=False)


def test_the_games_are_those_of_the_vectorized_environment():
    games, env = Sb3VecEnv("matrix-capture", 20, seat="random"), envs.VectorizedEnv("matrix-capture", 20, seat="random")
    games.seed(9)
    seen, (expected, _) = games.reset(), env.reset(seed=9)
    for _ in range(12):
        assert seen.dtype == np.float32 and np.allclose(seen, games.scaled(expected))
        assert games.observation_space.contains(seen[0])
        actions = env.sample_actions()
        seen, rewards, over, infos = games.step(actions)
        expected, paid, ended, _, info = env.step(actions)
        assert (rewards == paid).all() and (over == ended).all()
        for i in range(20):
            assert ("terminal_observation" in infos[i]) == ended[i]
            if ended[i]:
                assert np.allclose(infos[i]["terminal_observation"], games.scaled(info["final_obs"][i]))


def example(text, folder):
    """Run the example of the page that has this in it; what it has defined."""
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    script = folder / "example.py"
    script.write_text(next(code for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if text in code))
    return runpy.run_path(str(script))


@pytest.mark.timeout(600)
def test_the_example_of_the_page_runs_as_written_and_learns(tmp_path, capsys):
    example("evaluate_policy", tmp_path)
    assert int(re.search(r"(\d+)%", capsys.readouterr().out).group(1)) >= 88


@pytest.mark.timeout(600)
def test_the_pettingzoo_example_learns_both_sides(tmp_path):
    agent = example("BothSides", tmp_path)["agent"]
    for seat in (1, 2):
        env = envs.VectorizedEnv("number-cross", 1000, seat=seat)
        seen, info = env.reset(seed=10**6)
        for _ in range(3):
            actions, _ = agent.predict(seen, action_masks=info["action_mask"].astype(bool), deterministic=True)
            seen, rewards, over, _, info = env.step(actions)
        assert over.all() and (rewards > 0).mean() >= 0.85

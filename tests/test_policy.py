"""Policies in files: read without running anything, and played in NumPy."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

import pentagrid as pg
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError
from pentagrid.play.match import Match, Seat
from pentagrid.play.policy import Policy, observe, read_policy


def taking_the_largest(name="number-grid-battle", **rules):
    """A policy whose number for a cell is the number on it."""
    game = pg.load(name, **rules)
    width = observe(game.deal(seed=0), 1).size
    layers = [(np.eye(width, game.action_count), np.zeros(game.action_count))]
    return Policy(game, layers, "relu", np.zeros(width), np.ones(width))


def test_a_policy_is_written_read_and_plays(tmp_path):
    path = tmp_path / "largest.npz"
    policy = taking_the_largest()
    policy.write(path)
    again = read_policy(path)
    assert again.game == policy.game and all((a == b).all() for a, b in zip(again.layers[0], policy.layers[0]))  # noqa: B905
    start = policy.game.deal(seed=4)
    match = Match(start, (Seat(kind=f"policy:{path}"), Seat(kind="random")), seed=1, programs=True)
    while match.outcome is None:
        before, seat = match.position, match.position.mover
        match.play(match.think())
        if seat == 1:
            assert start.numbers[match.actions[-1]] == max(start.numbers[action] for action in before.actions())
    assert match.outcome.winner == 1


def test_layers_are_a_multilayer_perceptron():
    game, chance = pg.load("number-cross"), np.random.default_rng(1)
    width = observe(game.deal(seed=0), 1).size
    first, second = (chance.normal(size=shape) for shape in ((width, 5), (5, game.action_count)))
    ones, twos, mean, scale = (
        chance.normal(size=5),
        chance.normal(size=6),
        chance.normal(size=width),
        np.full(width, 3.0),
    )
    position = game.deal(seed=2).play("Row1")
    for activation, function in (("tanh", np.tanh), ("relu", lambda x: np.where(x > 0, x, 0))):
        policy = Policy(game, [(first, ones), (second, twos)], activation, mean, scale)
        seen = (observe(position, 2) - mean) / scale
        assert policy.logits(position) == pytest.approx(function(seen @ first + ones) @ second + twos)
        assert policy.choose(position, Dice(1)) in position.actions()


@pytest.mark.parametrize("name", pg.game_names())
def test_it_sees_what_the_environments_observe(name):
    observation = pytest.importorskip("pentagrid.envs.observation", reason='needs the extra "envs"')
    game = pg.load(name)
    position, dice = game.deal(seed=3), Dice(3)
    while position.turn:
        for seat in (1, 2):
            assert (observe(position, seat) == observation.observer_of(game).observe(position, seat)).all()
        position = position.play(dice.choice(position.actions()))


def test_files_that_are_no_policies(tmp_path):
    path = tmp_path / "p.npz"
    policy = taking_the_largest()
    policy.write(path)
    with np.load(path) as file:
        good = {name: file[name] for name in file.files}

    def written(**changes):
        arrays = {name: array for name, array in (good | changes).items() if array is not None}
        np.savez(path, **arrays)
        return path

    for changes, words in (
        ({"format": np.array("other")}, "format must be pentagrid-policy-1"), ({"w0": None}, "must be a layer"),
        ({"b0": None}, "must have numbers called b0"), ({"mean": np.zeros(3)}, "mean and scale must have"),
        ({"scale": np.zeros(30)}, "none 0"), ({"w0": np.ones((30, 4)), "b0": np.ones(4)}, "The last layer must have 9"),
        ({"b0": np.full(9, np.nan)}, "finite"), ({"game": np.array("chess")}, "chess"),
        ({"activation": np.array("sin")}, "activation must be tanh or relu"), ({"size": np.array("x")}, "called size"),
    ):  # fmt: skip
        with pytest.raises(OptionError, match=words):
            read_policy(written(**changes))
    np.savez(path, **(good | {"w0": np.array([print], dtype=object)}))
    with pytest.raises(OptionError, match="not a policy"):
        read_policy(path)
    path.write_bytes(b"nothing")
    with pytest.raises(OptionError, match="not a policy"):
        read_policy(path)
    with pytest.raises(OptionError, match="cannot be read"):
        read_policy(tmp_path / "none.npz")
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("w0.npy", bytes(1 << 28) + b"1")
    path.write_bytes(bomb.getvalue())
    with pytest.raises(OptionError, match="too large once it is unpacked"):
        read_policy(path)


def test_a_policy_for_another_game_is_refused(tmp_path):
    taking_the_largest().write(tmp_path / "p.npz")
    seats = (Seat(kind=f"policy:{tmp_path}/p.npz"), Seat())
    match = Match(pg.load("matrix-capture").deal(seed=1), seats, programs=True)
    with pytest.raises(OptionError, match=r"is a policy for .*number-grid-battle.* cannot play"):
        match.think()

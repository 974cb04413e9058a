"""The games in JAX: the same as the other rules step by step, and what code written for pgx expects."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pentagrid as pg
from pentagrid.core.catalog import built_in_names, part
from pentagrid.core.payoff import most_paid
from pentagrid.envs.observation import observer_of
from pentagrid.errors import OptionError

jax = pytest.importorskip("jax", reason="needs JAX: make jax, or pip install 'pentagrid[jax]'")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:(jax|pgx|jaxlib).*"),
    pytest.mark.xdist_group("jax"),
]
import jax.numpy as jnp  # noqa: E402

from pentagrid.envs.jax import auto_reset, make, seed_halves  # noqa: E402

CHOICES = [
    ("number-grid-battle", {}),
    ("number-grid-battle", {"size": 4, "order": "snake", "komi": "2.5", "pie": "on"}),
    ("number-cross", {}),
    ("number-cross", {"size": 4, "order": "thue-morse", "komi": "-3", "pie": "on"}),
    ("matrix-capture", {}),
    ("matrix-capture", {"size": 5, "order": "snake", "pie": "on"}),
    ("capture-squares", {}),
    ("capture-squares", {"size": 3, "komi": "0.5", "pie": "on"}),
    ("capture-square", {}),
    ("capture-square", {"size": 3, "sudden_death": "exchange", "sudden_death_first": "1", "pie": "on"}),
    ("capture-square", {"sudden_death_first": "2", "size": 5}),
    ("capture-square", {"ending": "blocks", "komi": "0.5", "pie": "on"}),
    ("capture-square", {"sudden_death_first": "toss", "pie": "on"}),
    ("capture-square", {"sudden_death_first": "toss", "sudden_death": "exchange", "size": 3}),
]
IDS = [f"{game} {options}" for game, options in CHOICES]


def opened(env, seeds):
    return jax.jit(jax.vmap(env.init_from_seed))(*seed_halves(seeds))


@pytest.mark.parametrize(("game", "options"), CHOICES, ids=IDS)
def test_every_step_is_as_the_rules_say(game, options):
    env = make(game, **options)
    observer = observer_of(env.game)
    state = opened(env, list(range(100)))
    positions = [env.game.deal(seed=seed) for seed in range(100)]
    step = jax.jit(jax.vmap(env.step))
    chance = random.Random(4)
    while any(position.outcome() is None for position in positions):
        masks, seen, players = map(np.asarray, (state.legal_action_mask, state.observation, state.current_player))
        live = [i for i, position in enumerate(positions) if position.outcome() is None]
        actions = np.zeros(100, int)
        for i in live:
            assert tuple(np.flatnonzero(masks[i])) == tuple(positions[i].actions())
            assert (seen[i] == observer.observe(positions[i], positions[i].mover)).all()
            assert players[i] == positions[i].mover - 1
            actions[i] = chance.choice(positions[i].actions())
            positions[i] = positions[i].play(int(actions[i]))
        assert state.position(live[0]).play(int(actions[live[0]])) == positions[live[0]]
        state = step(state, actions)
        ended, rewards = np.asarray(state.terminated), np.asarray(state.rewards)
        for i in live:
            outcome = positions[i].outcome()
            assert ended[i] == (outcome is not None)
            assert rewards[i].tolist() == ([0, 0] if outcome is None else [1, -1] if outcome.winner == 1 else [-1, 1])
    assert np.asarray(step(state, np.zeros(100, int)).rewards).any() == np.False_  # after the end nothing is paid


@pytest.mark.parametrize(("game", "options"), CHOICES, ids=IDS)
def test_a_hundred_thousand_games_are_as_the_vectorized_rules_play_them(game, options):
    count = 100_000
    env = make(game, **options)
    batch = part(game, "batch").BATCH(env.game, count)
    seeds = np.arange(count, dtype=np.uint64)
    batch.deal(slice(None), seeds)
    halves = jnp.zeros(count, jnp.uint32), jnp.arange(count, dtype=jnp.uint32)
    state = jax.jit(jax.vmap(env.init_from_seed))(*halves)
    step = jax.jit(jax.vmap(env.step))
    noise = np.random.default_rng(7)
    live = np.ones(count, bool)
    while live.any():
        legal = batch.legal.T
        assert (np.asarray(state.legal_action_mask)[live] == legal[live]).all()
        weights = noise.random(legal.shape, np.float32) * np.where(live[:, None], legal, True)
        actions = weights.argmax(axis=1)
        actions[~live] = np.where(legal[~live].any(axis=1), legal[~live].argmax(axis=1), 0)
        movers = batch.movers.astype(int) - 1
        assert (np.asarray(state.current_player)[live] == movers[live]).all()
        state = step(state, actions)
        over, won = batch.play(actions)
        rewards = np.asarray(state.rewards)[np.arange(count), movers]
        assert (np.asarray(state.terminated)[live] == over[live]).all()
        assert (rewards[live] == np.where(over, np.where(won, 1, -1), 0)[live]).all()
        live &= ~over
        if over.any():  # finished games are played on by nobody: deal them again to keep the arrays in order
            batch.deal(np.flatnonzero(over), seeds[over])


def legal_choice(key, mask):
    return jnp.where(mask, jax.random.uniform(key, mask.shape), -1).argmax(axis=-1)


def test_what_pgx_itself_checks_holds_but_for_the_closed_list_of_names(monkeypatch):
    pytest.importorskip("pgx", reason="needs pgx: make jax")
    from pgx._src import api_test

    names = built_in_names()
    monkeypatch.setattr(api_test, "get_args", lambda closed_list: names)  # the one exception: our names are not in it
    monkeypatch.setattr(api_test, "act_randomly", legal_choice)  # its own asks for an axis that one game does not have
    for name in names:
        api_test.api_test(make(name), 5)


@pytest.mark.parametrize("game", built_in_names())
def test_deals_from_keys_are_deals_and_differ(game):
    env = make(game)
    numbers = np.asarray(jax.vmap(env.init)(jax.random.split(jax.random.key(1), 200))._board.numbers)
    for row in numbers[:20].tolist() if env.game.has_numbers else ():
        env.game.check_numbers(tuple(row))
    if env.game.has_numbers:
        assert len({tuple(row) for row in numbers.tolist()}) > 190
        assert abs(numbers.mean(axis=0) - numbers.mean()).max() < 1.5


def test_tosses_from_keys_are_even():
    env = make("capture-square", sudden_death_first="toss")
    state = jax.vmap(env.init)(jax.random.split(jax.random.key(1), 2000))
    assert abs(np.asarray(state._board.toss).mean() - 0.5) < 0.05
    assert {state.position(i).game.rules["sudden-death-first"] for i in range(20)} == {"1", "2"}


@pytest.mark.parametrize("game", built_in_names())
def test_games_are_dealt_again_in_a_scan_that_is_compiled_once(game):
    env = make(game)
    step = auto_reset(env)
    compiled = 0

    def turn(state, key):
        nonlocal compiled
        compiled += 1
        action = legal_choice(key, state.legal_action_mask)
        state = jax.vmap(step)(state, action, jax.random.split(key, 64))
        return state, (state.terminated.sum(), state.rewards.sum(), state._step_count.max())

    state = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 64))
    with jax.checking_leaks():
        _, (ended, paid, steps) = jax.jit(lambda s, k: jax.lax.scan(turn, s, k))(
            state, jax.random.split(jax.random.key(2), 70)
        )
    assert ended.sum() >= 64
    assert (paid == 0).all()
    assert steps.max() <= env.game.most_turns
    assert compiled <= 2


@pytest.mark.parametrize(
    ("game", "options", "axis"),
    [
        ("capture-square", {}, 0),
        ("capture-square", {"sudden_death_first": "toss"}, 0),
        ("matrix-capture", {}, 0),
        ("number-cross", {}, None),
    ],
)
def test_games_that_end_at_different_times_are_dealt_as_init_deals(game, options, axis):
    env = make(game, size=3, **options)

    def plainly(state, action, key):
        state = env.step(state.replace(terminated=jnp.bool_(False)), action)
        fresh = env.init(key).replace(terminated=state.terminated, rewards=state.rewards)
        return jax.tree.map(lambda new, old: jnp.where(state.terminated, new, old), fresh, state)

    @jax.jit
    def both(state, action, key):
        plain, chosen = (
            jax.vmap(each, in_axes=(0, 0, axis))(state, action, key) for each in (plainly, auto_reset(env))
        )
        nested = jax.vmap(jax.vmap(auto_reset(env), in_axes=(0, 0, axis)), in_axes=(0, 0, None))
        twice = jax.tree.map(lambda array: array[0], nested(*jax.tree.map(lambda a: a[None], (state, action)), key))
        return plain, chosen, twice

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), 32))
    noise, apart = np.random.default_rng(1), 0
    for turn in range(20):
        action = noise.integers(0, env.num_actions, 32)  # often not legal, which ends a game
        key = jax.random.split(jax.random.key(turn), 32) if axis == 0 else jax.random.key(turn)
        plain, state, twice = both(state, action, key)
        for one, other, third in zip(*map(jax.tree.leaves, (plain, state, twice)), strict=True):
            assert (np.asarray(one) == np.asarray(other)).all() and (np.asarray(other) == np.asarray(third)).all()
        ended = np.asarray(state.terminated)
        apart += bool(ended.any() and not ended.all())
    assert apart > 5


def test_an_illegal_action_loses_the_game():
    env = make("number-cross")
    state = env.init_from_seed(*(half[0] for half in seed_halves([3])))
    state = env.step(env.step(state, 0), 0)
    assert bool(state.terminated)
    assert state.rewards.tolist() == [1, -1]  # player 1 took what was taken
    assert state.legal_action_mask.all()


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("number-cross", {"komi": "2.5"}),
        ("capture-squares", {}),
        ("capture-square", {"ending": "blocks", "komi": "0.5"}),
    ],
)
def test_under_points_an_illegal_action_costs_all_points_of_the_deal(game, options):
    env = make(game, payoff="points", **options)
    state = env.init_from_seed(*(half[0] for half in seed_halves([3])))
    state = env.step(env.step(state, 0), 0)
    stake = most_paid(env.game.deal(seed=3))
    assert state.rewards.tolist() == [stake, -stake]


def test_points_are_the_margin_with_komi_and_refused_where_there_are_none():
    env = make("number-grid-battle", payoff="points", komi="2.5")
    state, position = env.init_from_seed(*(half[0] for half in seed_halves([5]))), env.game.deal(seed=5)
    while position.outcome() is None:
        state, position = env.step(state, position.actions()[0]), position.play(position.actions()[0])
    one, two = position.scores
    assert state.rewards.tolist() == [one - two - 2.5, two + 2.5 - one]
    with pytest.raises(OptionError, match="points"):
        make("capture-square", payoff="points")


def test_seeds_and_names_that_are_not_there_are_refused():
    with pytest.raises(OptionError, match="-1"):
        seed_halves([-1])
    with pytest.raises(pg.PentagridError):
        make("chess")


def test_the_code_of_the_docs_runs():
    page = (Path(__file__).parent.parent / "docs" / "agents.md").read_text(encoding="utf-8")
    codes = [code for code in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S) if "import jax" in code]
    done = subprocess.run([sys.executable, "-c", "\n".join(codes)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == re.findall(r"# → (.*)", "\n".join(codes)) == ["(64, 1024, 2)", "(1024,)"]


TWO_DEVICES = """
import jax, numpy as np
from functools import partial
from jax.sharding import Mesh, PartitionSpec
from pentagrid.envs.jax import auto_reset, make

assert jax.device_count() == 2
env = make("capture-squares")
keys = jax.random.split(jax.random.key(0), 8)

def rollout(keys):
    state = jax.vmap(env.init)(keys)
    def turn(state, _):
        action = state.legal_action_mask.argmax(axis=1)
        return jax.vmap(auto_reset(env))(state, action, keys), state.rewards
    state, rewards = jax.lax.scan(turn, state, None, 20)
    return state.observation, rewards.sum(axis=0)

one = jax.jit(rollout)(keys)
split = jax.pmap(rollout)(keys.reshape(2, 4))
for whole, parts in zip(one, split, strict=True):
    assert (np.asarray(whole) == np.asarray(parts).reshape(whole.shape)).all()
mesh = Mesh(np.array(jax.devices()), ("games",))
spec = PartitionSpec("games")
shared = jax.jit(jax.shard_map(rollout, mesh=mesh, in_specs=spec, out_specs=(spec, spec), check_vma=False))(keys)
for whole, sharded in zip(one, shared, strict=True):
    assert (np.asarray(whole) == np.asarray(sharded)).all() and len(sharded.sharding.device_set) == 2
print("the same on two devices")
"""


def test_games_are_shared_out_over_devices():
    """Two devices of the host stand for two accelerators: `pmap` and `shard_map` give what one device gives."""
    flags = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    done = subprocess.run([sys.executable, "-c", TWO_DEVICES], capture_output=True, text=True, env=flags, timeout=110)
    assert done.stdout.strip() == "the same on two devices", done.stderr

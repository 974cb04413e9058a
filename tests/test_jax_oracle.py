"""Exact values and players in JAX: equal to the solvers' and players', inside `jit`, `vmap` and `scan`."""

from __future__ import annotations

import random

import numpy as np
import pytest

import pentagrid as pg
from pentagrid.analysis.solver import solver_of
from pentagrid.core.catalog import built_in_names, part
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError
from pentagrid.play.levels import Level
from pentagrid.play.players import make_player

jax = pytest.importorskip("jax", reason="needs JAX: make jax, or pip install 'pentagrid[jax]'")
pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning:(jax|jaxlib).*"), pytest.mark.xdist_group("jax")]
import jax.numpy as jnp  # noqa: E402

from pentagrid.core.jax_solver import NEVER  # noqa: E402
from pentagrid.envs.jax import auto_reset, make, seed_halves  # noqa: E402
from pentagrid.envs.jax_player import level_logits, random_choice  # noqa: E402

CHOICES = [
    ("number-grid-battle", {}),
    ("number-grid-battle", {"size": 4, "order": "snake", "komi": "2.5", "pie": "on"}),
    ("number-cross", {"size": 4}),
    ("number-cross", {"order": "thue-morse", "komi": "-3", "pie": "on"}),
    ("matrix-capture", {}),
    ("matrix-capture", {"size": 5, "order": "snake", "komi": "1", "pie": "on"}),
    ("capture-squares", {}),
    ("capture-squares", {"size": 3, "komi": "0.5", "pie": "on"}),
    ("capture-square", {}),
    ("capture-square", {"size": 3, "sudden_death": "exchange", "sudden_death_first": "1", "pie": "on"}),
    ("capture-square", {"size": 3, "sudden_death_first": "2", "pie": "on"}),
    ("capture-square", {"sudden_death": "exchange"}),
    ("capture-square", {"ending": "blocks", "komi": "0.5", "pie": "on"}),
    ("capture-square", {"ending": "blocks", "size": 3}),
    ("capture-square", {"sudden_death_first": "toss", "pie": "on"}),
    ("capture-square", {"sudden_death_first": "toss", "sudden_death": "exchange", "size": 3}),
]
IDS = [f"{game} {options}" for game, options in CHOICES]
LEVEL = 3


def opened(env, seeds):
    return jax.jit(jax.vmap(env.init_from_seed))(*seed_halves(seeds))


def played(env, seeds, see, choose):
    """Play games to the end and yield every position with what `see` says of it; `choose` picks an action of one."""
    state = opened(env, seeds)
    tables = jax.jit(jax.vmap(env.tables))(state)
    step, see = jax.jit(jax.vmap(env.step)), jax.jit(jax.vmap(see))
    while not np.asarray(state.terminated).all():
        seen, actions = jax.tree.map(np.asarray, see(state, tables)), np.zeros(len(seeds), int)
        for i in range(len(seeds)):
            position = state.position(i)
            if position.outcome() is None:
                yield position, jax.tree.map(lambda array, i=i: array[i], seen)
                actions[i] = choose(position)
        state = step(state, actions)
    assert (np.asarray(see(state, tables)[0]) == NEVER).all()  # nothing is legal once a game is over


def lasting(chance):
    """Random moves that end the game only where all do: so that Sudden Death is reached."""

    def choose(position):
        quiet = [action for action in position.actions() if position.play(action).outcome() is None]
        return chance.choice(quiet or position.actions())

    return choose


def paid(option, position):
    """What an option is paid, seen by whoever moves."""
    sign = 1 if option.winner == position.mover else -1
    if option.margin is not None:
        return option.margin if position.mover == 1 else -option.margin
    return sign * (len(position.game.quads) if position.game.has_points else 1)


@pytest.mark.parametrize(("game", "options"), CHOICES, ids=IDS)
def test_values_regrets_and_levels_are_those_of_the_solver(game, options):
    env = make(game, **options)
    scale, warmth = solver_of(env.game.deal(seed=0)).scale, Level(LEVEL).warmth

    def see(state, tables):
        judged = (env.worths, env.values, env.regrets, env.win_regrets)
        likely = jax.nn.softmax(level_logits(env.solver, state._board, tables, scale, warmth))
        return (*(each(state, tables) for each in judged), likely, env.solver.greed(state._board))

    turns = set()
    for position, seen in played(env, list(range(8)), see, lasting(random.Random(5))):
        worths, values, regrets, win_regrets, likely, greed = seen
        solver, turn = solver_of(position), position.ply
        turns.add(turn)
        legal = np.zeros(env.num_actions, bool)
        weights, heuristics = Level(LEVEL).weights(position), env.game.heuristics
        for option in pg.analyze(position).options:
            action = option.action
            legal[action] = True
            low, high = solver.bounds(position.play(action))
            assert low == high == (worths[action] if position.mover == 1 else -worths[action])
            assert values[action] == paid(option, position)
            assert (regrets[action], win_regrets[action]) == (option.regret, option.win_regret)
            assert abs(likely[action] - weights[action] / sum(weights.values())) < 1e-5
        assert (worths[~legal] == NEVER).all()
        assert not regrets[~legal].any() and not win_regrets[~legal].any() and not values[~legal].any()
        assert not likely[~legal].any()
        best = np.flatnonzero(legal & (greed == greed[legal].max()))
        assert best.tolist() == heuristics.greedy_actions(position)
    assert max(turns) >= env.game.size - 1
    if game == "capture-square" and not env.game.has_points:
        assert max(turns) > env.game.cell_count, "Sudden Death was not reached"


@pytest.mark.parametrize(("game", "count"), [(game, 128 if "squares" in game else 5000) for game in built_in_names()])
def test_thousands_of_games_are_judged_as_the_vectorized_solver_does(game, count):
    env = make(game)
    batch, solver = part(game, "batch").BATCH(env.game, count), part(game, "batch_solver").BATCH_SOLVER(env.game, count)
    batch.deal(slice(None), np.arange(count, dtype=np.uint64))
    solver.deal(slice(None), batch)
    state = jax.jit(jax.vmap(env.init_from_seed))(jnp.zeros(count, jnp.uint32), jnp.arange(count, dtype=jnp.uint32))
    tables = jax.jit(jax.vmap(env.tables))(state)
    judge, step = jax.jit(jax.vmap(env.worths)), jax.jit(jax.vmap(env.step))
    noise, live = np.random.default_rng(7), np.ones(count, bool)
    while live.any():
        worths = np.asarray(judge(state, tables))
        assert (worths[live] == solver.worths(batch).T[live]).all()
        legal = batch.legal.T
        actions = (noise.random(legal.shape) * (legal + 1e-9)).argmax(axis=1)
        state = step(state, actions)
        over, _ = batch.play(actions)
        live &= ~over


@pytest.mark.parametrize("game", built_in_names())
def test_a_scan_of_perfect_play_is_compiled_once_and_gives_nothing_away(game):
    env = make(game, size=3)
    perfect, level = env.player("perfect"), env.player("level:1")
    compiled = 0

    def whole_game(key):
        nonlocal compiled
        compiled += 1
        for_deal, for_play = jax.random.split(key)
        state = env.init(for_deal)
        tables = env.tables(state)

        def turn(state, key):
            careful, careless = perfect(key, state, tables), level(key, state, tables)
            action = jnp.where(state.current_player == 0, careful, careless)
            lost = env.regrets(state, tables)[action] + env.win_regrets(state, tables)[action]
            return env.step(state, action), jnp.where(jnp.arange(2) == state.current_player, lost, 0)

        _, lost = jax.lax.scan(turn, state, jax.random.split(for_play, env.game.most_turns))
        return lost.sum(axis=0)

    play = jax.jit(jax.vmap(whole_game))
    with jax.checking_leaks():
        lost = np.asarray(play(jax.random.split(jax.random.key(0), 200)))
    play(jax.random.split(jax.random.key(1), 200))
    assert compiled == 1
    assert not lost[:, 0].any()
    assert lost[:, 1].sum() > 20


def middle(env, count, turns=3):
    """Games some random turns from their start."""

    @jax.jit
    @jax.vmap
    def turn(key, state):
        return env.step(state, random_choice(key, state.legal_action_mask))

    state = opened(env, list(range(count)))
    for number in range(turns):
        state = turn(jax.random.split(jax.random.key(number), count), state)
    return state


@pytest.mark.parametrize(
    ("game", "turns", "traps"),
    [
        ("capture-square", 4, True), ("capture-squares", 3, False), ("matrix-capture", 1, False),
        ("number-cross", 2, True), ("number-grid-battle", 3, False),
    ],
)  # fmt: skip
def test_players_choose_what_the_others_do(game, turns, traps):
    """Where there are `traps`, a perfect player prefers some of the best moves to others."""
    env, names = make(game, size=3, pie="on"), ("random", "greedy", "perfect")
    states, policies = middle(env, 16, turns), [env.player(asked) for asked in names]
    positions = {i: states.position(i) for i in range(16) if states.position(i).outcome() is None}

    @jax.jit
    def choose(keys, states):
        each = jax.vmap(lambda key, state: [policy(key, state, None) for policy in policies], in_axes=(0, None))
        return jax.vmap(each, in_axes=(None, 0))(keys, states)

    chosen = choose(jax.random.split(jax.random.key(4), 400), states)
    for asked, actions in zip(names, map(np.asarray, chosen), strict=True):
        player = make_player(asked)
        for i, position in positions.items():
            assert set(actions[i].tolist()) == {player.choose(position, Dice(seed)) for seed in range(100)}
    perfect = np.asarray(chosen[-1])
    left_alone = [i for i, at in positions.items() if {*solver_of(at).best(at)} - {*perfect[i].tolist()}]
    assert bool(left_alone) or not traps


def test_levels_and_random_players_draw_as_often_as_they_should():
    env, count = make("matrix-capture"), 40_000
    state = jax.tree.map(lambda array: array[0], opened(env, [11]))
    keys = jax.random.split(jax.random.key(0), count)
    weights = Level(1).weights(state.position())
    for asked, likely in (("level:1", weights), ("random", dict.fromkeys(weights, 1))):
        chosen = np.asarray(jax.jit(jax.vmap(env.player(asked), in_axes=(0, None, None)))(keys, state, None))
        for action, weight in likely.items():
            share = weight / sum(likely.values())
            assert abs((chosen == action).mean() - share) < 5 * (share * (1 - share) / count) ** 0.5


def test_the_resident_tables_can_be_given_instead_of_compiled_in():
    env = make("capture-square")
    state = middle(env, 50)
    given = jax.jit(jax.vmap(env.regrets, in_axes=(0, None)))
    resident = env.resident_tables()
    assert len(given.lower(state, resident).as_text()) < 100_000
    assert (given(state, resident) == jax.jit(jax.vmap(env.regrets))(state)).all()


def test_values_after_an_automatic_reset_are_those_of_the_new_deal():
    env = make("number-grid-battle")
    state, step = opened(env, [1]), jax.jit(jax.vmap(auto_reset(env)))
    for turn in range(9):
        action = state.legal_action_mask.argmax(axis=1)
        state = step(state, action, jax.random.split(jax.random.key(turn), 1))
    assert bool(state.terminated[0])
    wanted = [option.regret for option in pg.analyze(state.position(0)).options]
    assert jax.jit(jax.vmap(env.regrets))(state)[0].tolist() == wanted


def test_a_loss_over_a_rollout_has_gradients():
    env = make("number-cross", size=3)

    def loss(weights, key):
        def turn(state, key):
            logits = jnp.where(state.legal_action_mask, state.observation @ weights, -jnp.inf)
            action = jax.random.categorical(key, logits)
            gained = jax.nn.log_softmax(logits)[action] * env.regrets(state)[action]
            return env.step_or_deal(state, action, key), gained

        return jax.lax.scan(turn, env.init(key), jax.random.split(key, 12))[1].sum()

    keys = jax.random.split(jax.random.key(3), 32)
    weights = jnp.zeros((*env.observation_shape, env.num_actions))
    slope = jax.jit(jax.grad(lambda weights: jax.vmap(loss, in_axes=(None, 0))(weights, keys).mean()))(weights)
    assert np.isfinite(slope).all() and np.asarray(slope).any()


def test_what_is_not_there_is_refused_in_words():
    large = make("capture-square", size=5)
    state = large.init(jax.random.key(0))
    for asked in (large.tables, large.regrets, lambda _: large.player("perfect"), lambda _: large.player("level:4")):
        with pytest.raises(OptionError, match="Capture Square in JAX at size 5"):
            asked(state)
    assert 0 <= int(large.player("greedy")(jax.random.key(0), state, None)) < 25
    for asked in ("level:0", "level:10", "mcts:10", ""):
        with pytest.raises(OptionError, match="there are random, greedy, level:1 to level:9"):
            make("number-cross").player(asked)

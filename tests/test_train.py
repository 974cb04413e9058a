"""Agents that teach themselves: shared weights, what is learned from, the command, its files, what it reaches."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

import pentagrid as pg
from pentagrid.core.rng import Dice
from pentagrid.core.symmetry import cell_exchanges, generators_of, line_exchanges, quarter_turn_and_mirror, turns
from pentagrid.errors import OptionError
from pentagrid.play.policy import observe, read_policy

jax = pytest.importorskip("jax", reason="needs JAX: make jax, or pip install 'pentagrid[train]'")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:(jax|jaxlib).*"),
    pytest.mark.xdist_group("train"),
]
import jax.numpy as jnp  # noqa: E402

from pentagrid.envs.jax import JaxEnv, make  # noqa: E402
from pentagrid.train import ppo  # noqa: E402
from pentagrid.train.adam import adam_step, fresh_memory  # noqa: E402
from pentagrid.train.held_out import is_held_out  # noqa: E402
from pentagrid.train.measurement import Measurement, held_out_numbers  # noqa: E402
from pentagrid.train.network import outputs, policy_network, value_network  # noqa: E402
from pentagrid.train.shared_weights import Layout  # noqa: E402
from pentagrid.train.training import MOVES_A_ROUND, Budget, TrainingPlan, TrainingRun, usual_plan  # noqa: E402

GAMES = pg.game_names()


def moved(cells, values, size):
    """Values of cells, or of lines, of a board whose cells have been moved."""
    if len(values) == size * size:
        return [values[cell] for cell in cells]
    grid = np.arange(size * size).reshape(size, size)
    lines = [set(map(int, line)) for line in (*grid, *grid.T)]
    return [values[lines.index({cells[cell] for cell in line})] for line in map(sorted, lines)]


def closed(generators, count):
    """All permutations that some make up."""
    found, fresh = set(), {tuple(range(count))}
    while fresh:
        found |= fresh
        fresh = {tuple(one[i] for i in other) for one in fresh for other in generators} - found
    return found


def test_generators_make_up_all_symmetries():
    assert closed(quarter_turn_and_mirror(4), 16) == set(turns(4))
    assert len(closed(line_exchanges(3), 9)) == 2 * 6 * 6
    assert len(closed(cell_exchanges(2), 4)) == 24


def test_weights_of_a_small_board_are_shared_as_drawn():
    layout = Layout(pg.load("capture-square", 3))
    assert len(np.unique(layout.sharing(layout.hidden(1), layout.hidden(1)).weights)) == 15  # 81 pairs of cells
    drawn = Layout.__new__(Layout)
    drawn._orbits = __import__("pentagrid.train.shared_weights", fromlist=["_orbits"])._orbits(
        [np.array(cells) for cells in quarter_turn_and_mirror(2)], 4
    )
    a, b, c = drawn._orbits[0, 0], drawn._orbits[0, 1], drawn._orbits[0, 3]
    assert len({a, b, c}) == 3
    assert drawn._orbits.tolist() == [[a, b, b, c], [b, a, c, b], [b, c, a, b], [c, b, b, a]]


@pytest.mark.parametrize("name", GAMES)
def test_a_network_knows_a_board_in_all_its_forms(name):
    game = pg.load(name)
    for network in (policy_network(game, (3, 2)), value_network(game, (3, 2))):
        layers = network.layers(network.fresh(jax.random.key(1), 1.0))
        values = np.random.default_rng(3).normal(size=(len(observe(game.deal(seed=0), 1)),))
        before = np.asarray(outputs(layers, jnp.asarray(values)))
        for cells in generators_of(game):
            parts, at = [], 0
            for length in [game.cell_count] * game.has_numbers + [game.claim_count] * 2:
                parts += moved(cells, values[at : at + length], game.size)
                at += length
            after = np.asarray(outputs(layers, jnp.asarray([*parts, *values[at:]])))
            expected = before if before.size == 1 else moved(cells, before, game.size)
            np.testing.assert_allclose(after, expected, rtol=2e-4, atol=2e-5)


def test_moves_that_name_pairs_have_weights_of_their_own():
    game = pg.load("capture-square", 3, sudden_death="exchange")
    sharing = Layout(game).sharing(Layout(game).seen, Layout(game).actions)
    assert sharing.weights.max() + 1 == sharing.weights.size


@pytest.mark.parametrize("name", ["number-cross", "capture-squares"])
def test_one_deal_in_sixteen_is_never_learned_from_in_any_form(name):
    env = make(name)
    numbers = np.asarray(jax.vmap(env.rules.deal)(jax.random.split(jax.random.key(2), 20_000)))
    kept = np.asarray(jax.vmap(is_held_out)(numbers))
    assert 0.05 < kept.mean() < 0.08
    for cells in generators_of(env.game):
        assert (np.asarray(jax.vmap(is_held_out)(numbers[:500, list(cells)])) == kept[:500]).all()
    found = held_out_numbers(env, 700, jax.random.key(4))
    assert found.shape == (700, env.game.cell_count) and np.asarray(jax.vmap(is_held_out)(found)).all()
    self_play = ppo.SelfPlay(env, ppo.PpoSettings(games=256, channels=(2,)))
    moves = jax.jit(self_play.played)(self_play.fresh_learner(jax.random.key(0)), jax.random.key(1))
    kept = np.asarray(jax.vmap(is_held_out)(moves.seen[:, : env.game.cell_count]))
    assert kept.any() and not np.asarray(moves.weight)[kept].any() and np.asarray(moves.weight).any()


def test_gains_are_told_back_with_the_sign_of_the_mover():
    """Two games of three moves, worked by hand: players alternate; in the second game move 2 was made at random."""
    paid = jnp.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0]])
    value = jnp.array([[0.5, 0.5], [0.25, 0.25], [0.5, 0.5]])
    sign = jnp.array([[-1.0, -1.0], [-1.0, -1.0], [0.0, 0.0]])
    stray = jnp.array([[False, False], [False, True], [False, False]])
    gains = np.asarray(ppo._gains(paid, value, sign, stray, jnp.zeros(2)))
    third = 1 - 0.5
    second = -(0.5 + ppo.TRACE * third) - 0.25
    np.testing.assert_allclose(gains[:, 0], [-(0.25 + ppo.TRACE * second) - 0.5, second, third], rtol=1e-6)
    np.testing.assert_allclose(gains[:, 1], [-0.25 - 0.5, second, third], rtol=1e-6)


def test_moves_that_are_all_not_learned_from_change_nothing():
    self_play = ppo.SelfPlay(make("number-cross"), ppo.PpoSettings(games=16, channels=(2,)))
    learner = self_play.fresh_learner(jax.random.key(0))
    moves = self_play.played(learner, jax.random.key(1))
    nothing = moves._replace(weight=jnp.zeros_like(moves.weight))
    gradient = jax.grad(self_play._loss)((learner.policy, learner.value), learner.normal, nothing, 0.01)
    assert all((np.asarray(part) == 0).all() for part in jax.tree.leaves(gradient))


def test_adam_finds_the_bottom():
    parameters, memory = jnp.array([3.0, -2.0]), fresh_memory(jnp.zeros(2))
    for _ in range(400):
        parameters, memory = adam_step(parameters, 2 * (parameters - 1), memory, 0.05)
    np.testing.assert_allclose(np.asarray(parameters), [1, 1], atol=0.01)


def test_perfect_play_measures_as_perfect_and_the_first_legal_move_does_not():
    env = make("matrix-capture")

    def best(_, state):
        return jax.vmap(env.worths)(state).argmax(axis=1)

    for found in Measurement(env.game, best, 300).measure(()).values():
        assert found.regret.value == 0 and found.kept.value == 1 and found.won.low < found.won.value < found.won.high
    first = Measurement(env.game, lambda _, state: state.legal_action_mask.argmax(axis=1), 300).measure(())
    assert first["random"].regret.low > 2 and first["perfect"].won.high < 0.3 < first["random"].won.low


def test_what_is_measured_is_what_the_solver_says(monkeypatch):
    """Every decision of whoever makes the last legal move, against the first, judged one by one by `pg.analyze`."""
    game, deals = pg.load("number-cross"), 40
    first_legal = lambda env, asked: lambda key, state, tables: state.legal_action_mask.argmax()  # noqa: E731
    monkeypatch.setattr(JaxEnv, "player", first_legal)
    last = game.action_count - 1
    measurement = Measurement(game, lambda _, state: last - state.legal_action_mask[:, ::-1].argmax(axis=1), deals)
    found = measurement.measure(())["random"]
    regret = moves = kept = mattered = won = 0
    for numbers in np.asarray(measurement._numbers).tolist():
        board = "/".join(" ".join(map(str, numbers[row : row + 3])) for row in (0, 3, 6))
        for seat in (1, 2):
            position = game.read_board(board)
            while position.outcome() is None:
                action = position.actions()[-1 if position.mover == seat else 0]
                if position.mover == seat:
                    options = pg.analyze(position).options
                    option = next(option for option in options if option.action == action)
                    regret, moves = regret + option.regret, moves + 1
                    if any(option.win_regret for option in options):
                        mattered, kept = mattered + 1, kept + (option.win_regret == 0)
                position = position.play(action)
            won += position.outcome().winner == seat
    assert found.regret.value == pytest.approx(regret / moves)
    assert found.kept.value == pytest.approx(kept / mattered)
    assert found.won.value == pytest.approx(won / (2 * deals))


def small_plan(name="number-cross", **changes):
    game = pg.load(name)
    settings = ppo.PpoSettings(games=128, channels=(4, 4), parts=4)
    payoff = "points" if game.has_points else "win"
    return TrainingPlan(game, payoff, settings, seed=3, deals=50)._replace(**changes)


def test_a_paused_run_goes_on_as_if_nothing_had_happened(tmp_path):
    whole = TrainingRun(small_plan())
    rounds = 128 * whole.plan.game.most_turns * 8
    assert whole.train(Budget(steps=4 * rounds), lambda: None)
    first = TrainingRun(small_plan())
    stops = iter([False, False, True])
    assert not first.train(
        Budget(steps=4 * rounds), lambda: first.write(tmp_path / "run.npz"), stop=lambda: next(stops)
    )
    second = TrainingRun(small_plan())
    second.read(tmp_path / "run.npz")
    assert second.steps == 2 * rounds and second.curve == first.curve
    assert second.train(Budget(steps=4 * rounds), lambda: None)
    for one, other in zip(jax.tree.leaves(whole.learner), jax.tree.leaves(second.learner), strict=True):
        assert (np.asarray(one) == np.asarray(other)).all()
    assert whole.curve[-1].measures == second.curve[-1].measures
    other = TrainingRun(small_plan(seed=4))
    with pytest.raises(OptionError, match="is a run with seed 3, not 4"):
        other.read(tmp_path / "run.npz")
    data = (tmp_path / "run.npz").read_bytes()
    middle = len(data) // 2
    for damaged in (b"PK", data[:middle], data[:middle] + bytes(60) + data[middle + 60 :]):
        (tmp_path / "run.npz").write_bytes(damaged)
        with pytest.raises(OptionError, match="is not a training run"):
            second.read(tmp_path / "run.npz")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A short run of the command: its folder and what it printed."""
    folder = tmp_path_factory.mktemp("trained")
    words = ["train", "number-cross", "--steps", "400000", "--deals", "200", "--seed", "1", "--games", "512"]
    done = subprocess.run(
        [sys.executable, "-m", "pentagrid", *words], cwd=folder, capture_output=True, text=True, timeout=110
    )
    assert done.returncode == 0, done.stderr
    return folder, done.stdout, words


def test_a_short_run_beats_random_clearly_and_nearly_never_errs(trained):
    folder, printed, _ = trained
    assert "Number Cross 3x3 teaches itself for 400,000 moves" in printed and "policy:number-cross.npz" in printed
    assert all(len(line) <= 79 for line in printed.splitlines() if "," in line and "%" in line)
    with np.load(folder / "number-cross.training.npz", allow_pickle=False) as file:
        curve = json.loads(str(file["facts"]))["curve"]
    first, last = curve[0]["measures"], curve[-1]["measures"]
    assert first["random"]["regret"][0] > 1 > 0.05 > last["random"]["regret"][0]
    assert last["random"]["won"][0] > 0.8 and last["perfect"]["kept"][0] > 0.95


def test_a_policy_file_plays_the_same_moves_in_numpy_as_in_jax(trained):
    folder, _, _ = trained
    policy = read_policy(folder / "number-cross.npz")
    assert re.fullmatch("taught itself in [0-9]+ (seconds|minutes)", policy.note)
    run = TrainingRun(small_plan(settings=ppo.PpoSettings(games=512), seed=1, deals=200))
    run.read(folder / "number-cross.training.npz")
    state = jax.vmap(run.env.init)(jax.random.split(jax.random.key(8), 256))
    for _ in range(run.plan.game.most_turns):
        chosen = np.asarray(run.chosen(run.learner, state))
        for number in range(256):
            assert policy.choose(run.env.position(state, number), Dice(0)) == chosen[number]
        state = jax.vmap(run.env.step)(state, chosen)


def test_the_policy_plays_in_the_arena_and_at_the_terminal_without_jax(trained):
    folder, _, _ = trained
    without = (
        "import sys; sys.modules['jax'] = None; from pentagrid.terminal.main import main; sys.exit(main(sys.argv[1:]))"
    )
    words = [
        "arena",
        "--game",
        "number-cross",
        "--players",
        "random",
        "policy:number-cross.npz",
        "--games",
        "60",
        "--json",
    ]
    done = subprocess.run(
        [sys.executable, "-c", without, *words], cwd=folder, capture_output=True, text=True, timeout=110
    )
    assert done.returncode == 0, done.stderr
    players = {row["player"]: row for row in json.loads(done.stdout)["games"]["number-cross"]["players"]}
    assert players["policy:number-cross.npz"]["score"]["value"] > 0.3
    words = ["play", "number-cross", "--p1", "policy:number-cross.npz", "--p2", "random", "--seed", "5"]
    done = subprocess.run(
        [sys.executable, "-c", without, *words], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0 and "wins" in done.stdout.splitlines()[-1] + done.stdout


def test_the_same_command_says_that_it_is_done_and_more_steps_go_on(trained):
    folder, _, words = trained
    again = subprocess.run([sys.executable, "-m", "pentagrid", *words], cwd=folder, capture_output=True, text=True)
    assert again.returncode == 0 and "is trained as asked" in again.stdout
    other = [*words[:-1], "256"]
    refused = subprocess.run([sys.executable, "-m", "pentagrid", *other], cwd=folder, capture_output=True, text=True)
    assert refused.returncode == 2 and "is a run with games 512, not 256" in refused.stderr


def test_ctrl_c_pauses_and_what_was_learned_is_kept(tmp_path):
    words = ["train", "number-grid-battle", "--minutes", "30", "--deals", "50", "--games", "64"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pentagrid", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in process.stdout:
        if re.match(r" +0 ", line):  # measured for the first time: it learns now
            break
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=100)
    assert process.returncode == 130 and "the same command goes on" in rest, errors
    assert read_policy(tmp_path / "number-grid-battle.npz").game.name == "number-grid-battle"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "number-grid-battle.npz",
        "number-grid-battle.training.npz",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["number-cross", "--minutes", "0"], "--minutes must be between 0.01 and 10000, not 0.0"),
        (["number-cross", "--steps", "0"], "--steps must be between 1 and"),
        (["number-cross", "--games", "3"], "--games must be between 16 and"),
        (["number-cross", "--deals", "1"], "--deals must be between 10 and 100000, not 1"),
        (["number-cross", "--channels", "16", "500"], "--channels must be between 1 and 128, not 500"),
        (["capture-square", "--payoff", "points"], "payoff must be win in Capture Square"),
        (["capture-square", "--size", "5"], "There are no exact values of Capture Square in JAX at size 5"),
        (["number-cross", "--out", "no/such/folder.npz"], "There is no folder"),
        (["number-cross", "--out", "there.npz"], "there.npz is there already, without there.training.npz beside it"),
        (["number-cross", "--out", "."], "--out must name a file, such as number-cross.npz, not '.'"),
        (["number-crosss"], "Did you mean number-cross"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(words, said, tmp_path, monkeypatch, capsys):
    from pentagrid.terminal.main import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.npz").write_bytes(b"mine")
    assert main(["train", *words]) == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["there.npz"] and (
        tmp_path / "there.npz"
    ).read_bytes() == b"mine"


def test_a_plan_says_what_is_usual_where_nothing_is_asked():
    plan = usual_plan(pg.load("capture-squares"))
    assert plan.settings.games * 16 == MOVES_A_ROUND["cpu"] and plan.payoff == "points"
    assert usual_plan(pg.load("capture-square"), games=32).settings.games == 32
    with pytest.raises(OptionError, match="toss"):
        usual_plan(pg.load("capture-square", sudden_death_first="toss"))

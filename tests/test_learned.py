"""The player `learned`: it comes with every game, plays well, always the same, and refuses what it never learned."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import pentagrid as pg
from pentagrid.core.catalog import find
from pentagrid.errors import OptionError
from pentagrid.play.learned import FILE

GAMES = pg.game_names()


def policy_file(name):
    return Path(str(files(find(name).__module__.rpartition(".")[0]).joinpath(FILE)))


def played(name, seats, seed, **rules):
    match = pg.Match(pg.load(name, **rules).deal(seed=seed), tuple(pg.Seat(kind=kind) for kind in seats), seed=seed)
    while match.outcome is None:
        match.play(match.think())
    return match


def test_all_policies_together_take_at_most_a_megabyte():
    assert sum(policy_file(name).stat().st_size for name in GAMES) <= 1_000_000


@pytest.mark.parametrize("name", GAMES)
def test_it_beats_random_players_and_gives_little_away(name):
    won, regret, moves = 0, 0.0, 0
    for seed in range(20):
        seat = 1 + seed % 2
        match = played(name, ("learned", "random") if seat == 1 else ("random", "learned"), seed)
        won += match.outcome.winner == seat
        review = pg.review(match.start, match.actions)
        mine = [choice for choice in review.choices if choice.player == seat]
        regret, moves = regret + sum(choice.regret for choice in mine), moves + len(mine)
    assert won >= 15
    limit = {"capture-squares": 2.0, "matrix-capture": 0.5}.get(name, 0.05)
    assert regret / moves <= limit


def test_it_always_plays_the_same_and_under_any_komi_and_order():
    one, two = (played("matrix-capture", ("learned", "learned"), seed) for seed in (3, 3))
    assert one.moves == two.moves
    assert played("number-cross", ("learned", "level:3"), 4, komi="2.5", order="snake").outcome is not None


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("matrix-capture", {"size": 5}),
        ("number-cross", {"pie": "on"}),
        ("capture-square", {"sudden_death": "exchange"}),
        ("capture-square", {"ending": "blocks"}),
    ],
)
def test_what_it_has_not_learned_is_refused_before_the_game(name, rules, program):
    game = pg.load(name, **rules)
    with pytest.raises(OptionError, match="cannot play"):
        pg.Match(game.deal(seed=1), (pg.Seat(), pg.Seat(kind="learned")))
    size = ["--size", str(game.size)]
    options = [word for rule, value in game.chosen_rules.items() for word in ("--rule", f"{rule}={value}")]
    for words in (
        ["play", name, "--p2", "learned"],
        ["arena", "--game", name, "--players", "random", "learned"],
        ["census", name, "--deals", "5", "--p1", "learned"],
    ):
        assert "The player learned is a policy for" in program(*words, *size, *options, code=2)


def test_environments_offer_it_and_refuse_it_where_it_cannot_play():
    envs = pytest.importorskip("pentagrid.envs", reason="needs the extra envs")
    env = envs.SingleEnv("number-cross", opponent="learned")
    env.reset(seed=1)
    ended = False
    while not ended:
        _, _, ended, _, _ = env.step(int(env.action_space.sample()))
    with pytest.raises(OptionError, match="cannot play"):
        envs.SingleEnv("number-cross", size=4, opponent="learned")


def test_it_needs_no_jax_and_nothing_is_loaded_for_other_players():
    code = (
        "import sys, pentagrid as pg; sys.modules['jax'] = None\n"
        "seats = pg.Seat(), pg.Seat(kind='level:3')\n"
        "pg.Match(pg.load('number-cross').deal(seed=1), seats)\n"
        "assert 'pentagrid.play.learned' not in sys.modules and 'numpy' not in sys.modules\n"
        "match = pg.Match(pg.load('number-cross').deal(seed=1), (pg.Seat(kind='learned'), pg.Seat()))\n"
        "print(match.think())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.strip().isdigit(), done.stderr

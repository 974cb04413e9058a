"""Policies that the owner of a server lets visitors play against, and the player `learned` in the browser."""

from __future__ import annotations

import numpy as np
import pytest
from fastapi.testclient import TestClient
from tests_web import Person, problem, settings_for, until

import pentagrid as pg
from pentagrid.errors import OptionError
from pentagrid.play.policy import Policy, observe
from pentagrid.terminal.main import main
from pentagrid.web.app import make_app
from pentagrid.web.rooms.hosted_policies import HostedPolicies


@pytest.fixture
def largest(tmp_path):
    """A policy that takes the largest number."""
    game = pg.load("number-grid-battle")
    inputs = observe(game.deal(seed=0), 1).size
    layers = [(np.eye(inputs, game.action_count), np.zeros(game.action_count))]
    Policy(game, layers, "tanh", np.zeros(inputs), np.ones(inputs)).write(tmp_path / "largest.npz")
    return tmp_path / "largest.npz"


@pytest.fixture
def hosting(database, largest):
    with TestClient(make_app(settings_for(database, policies=(str(largest),)))) as client:
        yield client


def asked(kind, game="number-grid-battle", **more):
    return {"game": game, "seats": [{"kind": kind}, {}], "you": 2, **more}


@pytest.mark.parametrize(("kind", "first"), [("policy:largest", "2 2"), ("learned", "2 2")])
def test_a_visitor_plays_against_it_and_sees_its_name_alone(hosting, kind, first, largest):
    person = Person(hosting)
    game = person.create(**asked(kind, board="1 2 3/4 5 6/7 8 9"))["id"]
    until(lambda: person.state(game)["moves"])
    state = person.state(game)
    assert state["moves"] == [first] and state["seats"][0]["kind"] == kind
    assert str(largest.parent) not in person.get(f"/api/games/{game}").text


def test_the_form_offers_what_plays_the_game(hosting):
    page = hosting.get("/new/number-grid-battle").text
    assert 'value="policy:largest"' in page and 'value="learned"' in page
    page = hosting.get("/new/number-cross").text
    assert 'value="policy:largest"' not in page and 'value="learned"' in page


@pytest.mark.parametrize(
    "wrong",
    [
        asked("policy:other"),
        asked("policy:/etc/passwd"),
        asked("policy:largest.npz"),
        asked("policy:largest", "number-cross"),
        asked("policy:largest", size=4),
        asked("learned", size=4),
        asked("py:os:getcwd"),
        asked("exec:true"),
    ],
    ids=lambda wrong: f"{wrong['seats'][0]['kind']} {wrong['game']}",
)
def test_what_is_not_hosted_or_does_not_fit_is_refused(hosting, wrong):
    person = Person(hosting)
    assert problem(person.post("/api/games", wrong)) == (422, "bad-option")


def test_without_the_option_no_policy_is_played(database, largest):
    with TestClient(make_app(settings_for(database))) as client:
        assert problem(Person(client).post("/api/games", asked("policy:largest"))) == (422, "bad-option")
        assert Person(client).post("/api/games", asked(f"policy:{largest}")).status_code == 422


def test_files_that_cannot_be_used_are_refused_before_anything_starts(tmp_path, largest, capsys):
    assert main(["serve", "--policy", str(tmp_path / "none.npz")]) == 2
    assert "none.npz cannot be read" in capsys.readouterr().err
    odd = largest.rename(tmp_path / "a b.npz")
    with pytest.raises(OptionError, match="must have a name of 1 to 30 letters"):
        HostedPolicies([str(odd)])
    good = odd.rename(tmp_path / "good.npz")
    with pytest.raises(OptionError, match="Two policies are called good"):
        HostedPolicies([str(good), str(good)])

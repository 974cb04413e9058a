"""One plain-data form for each type: it is JSON, and it says what the type says."""

from __future__ import annotations

import json

import pytest

import pentagrid as pg


@pytest.mark.parametrize("name", pg.game_names())
def test_every_position_of_a_game(name):
    position = pg.load(name, pie="on").deal(seed=5)
    while True:
        data = position.data()
        assert json.loads(json.dumps(data)) == data
        assert pg.read_position(data["position"]) == position
        assert data["legal"] == list(position.moves()) and data["turn"] == position.turn
        assert (data["outcome"] is None) == bool(position.turn)
        assert [data["claims"].count(seat) for seat in (1, 2)] == [position.one.bit_count(), position.two.bit_count()]
        if position.turn is None:
            break
        position = position.play("swap" if "swap" in position.moves() else position.actions()[0])
    assert data["swapped"] and data["outcome"] == {
        "winner": position.outcome().winner,
        "reason": data["outcome"]["reason"],
    }


@pytest.mark.parametrize("name", pg.game_names())
def test_an_analysis_is_its_position_and_more(name):
    analysis = pg.analyze(pg.load(name).deal(seed=5))
    data = analysis.data()
    assert json.loads(json.dumps(data)) == data
    assert data.items() >= analysis.position.data().items()
    assert [option["move"] for option in data["options"]] == data["legal"]
    assert data["value"]["winner"] == analysis.value.winner and data["exact"] and data["bounds"] is None
    assert data["options"][0].keys() == {
        "move",
        "action",
        "winner",
        "margin",
        "plies",
        "best",
        "regret",
        "win_regret",
        "bounds",
    }


def test_a_review():
    game = pg.load("matrix-capture")
    start = game.read_board("5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1")
    data = pg.review(start, [game.action(move) for move in ("R2C2", "R1C3")]).data()
    assert json.loads(json.dumps(data)) == data
    assert data["choices"][0].items() >= {"number": 1, "player": 1, "move": "R2C2", "real": True}.items()
    assert len(data["accuracy"]) == len(data["given_away"]) == 2

"""Games of graded players played together are, move for move, those played one by one."""

from __future__ import annotations

import pytest

import pentagrid as pg
from pentagrid.analysis.komi import load_fair
from pentagrid.fairness.deals import Deals
from pentagrid.fairness.level_games import level_tally
from pentagrid.fairness.played_games import played_tally
from pentagrid.fairness.tally import MARGIN, TURNS, WINNER

CASES = [
    ("matrix-capture", None, {}, 150),
    ("matrix-capture", 3, {"order": "snake", "komi": "-2.5"}, 80),
    ("matrix-capture", None, {"pie": "on", "komi": "fair"}, 80),
    ("number-cross", None, {"order": "thue-morse", "komi": "1"}, 80),
    ("number-cross", None, {"pie": "on"}, 80),
    ("number-cross", None, {"order": "snake", "komi": "fair", "pie": "on"}, 80),
    ("number-grid-battle", None, {"order": "snake"}, 60),
    ("number-grid-battle", None, {"pie": "on", "komi": "5"}, 60),
    ("capture-squares", 3, {"komi": "fair"}, 60),
    ("capture-squares", None, {"pie": "on", "komi": "6"}, 20),
    ("capture-squares", None, {}, 20),
    ("capture-square", None, {}, 120),
    ("capture-square", 3, {"sudden-death": "exchange", "sudden-death-first": "1"}, 60),
    ("capture-square", None, {"sudden-death": "exchange", "pie": "on"}, 60),
    ("capture-square", None, {"sudden-death-first": "toss", "pie": "on"}, 100),
    ("capture-square", None, {"ending": "blocks"}, 80),
    ("capture-square", None, {"ending": "blocks", "pie": "on", "komi": "fair"}, 80),
    ("capture-square", 3, {"ending": "blocks", "pie": "on", "komi": "0.5"}, 60),
]


@pytest.mark.parametrize(("name", "size", "rules", "count"), CASES)
@pytest.mark.parametrize("kinds", [("level:1", "level:1"), ("level:9", "level:9"), ("level:7", "level:3")])
def test_the_same_games(name, size, rules, count, kinds):
    game, fair = load_fair(name, size, rules)
    deals = Deals(game, 11)
    together = level_tally(deals, fair, kinds, 3, 3 + count)
    plain = played_tally(deals, fair, kinds, 3, 3 + count)
    for measure in (WINNER, MARGIN, TURNS[1], TURNS[2]):
        assert together.of(measure) == plain.of(measure)


def test_any_cut_is_the_same():
    deals = Deals(pg.load("number-cross"), 2)
    whole = level_tally(deals, False, ("level:5", "level:5"), 0, 60)
    parts = level_tally(deals, False, ("level:5", "level:5"), 0, 17)
    parts.add(level_tally(deals, False, ("level:5", "level:5"), 17, 60))
    assert parts == whole


def test_what_is_not_played_together():
    kinds = ("level:5", "level:5")
    assert level_tally(Deals(pg.load("number-cross")), False, ("level:5", "perfect"), 0, 5) is None
    assert level_tally(Deals(pg.load("capture-square", size=5)), False, kinds, 0, 5) is None
    assert level_tally(Deals(pg.load("capture-square"), opening=2), False, kinds, 0, 5) is None

"""Properties over sizes, boards and random play; the rules against their plain twins; counts of all positions."""

from __future__ import annotations

from math import factorial, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import number, plain

import pentagrid as pg
from pentagrid.core.conformance import ConformanceError, check, check_position
from pentagrid.games.matrix_capture.rules import MatrixCapture

CHOICES = [(name, {}) for name in pg.game_names()] + [("capture-square", {"sudden_death": "exchange"})]


@st.composite
def openings(draw, largest=12):
    """Any game, rule option, size and deal."""
    name, rules = draw(st.sampled_from(CHOICES))
    sizes = type(pg.load(name)).sizes
    size = draw(st.sampled_from([size for size in sizes if size <= largest]))
    return pg.load(name, size=size, **rules).deal(seed=draw(st.integers(0, 2**63 - 1)))


@given(openings(), st.randoms(use_true_random=False))
@settings(max_examples=120, deadline=None)
def test_the_rules_agree_with_their_plain_twin_in_whole_games(position, chance):
    twin = plain(position)
    while True:
        legal = {number(position.game, move): move for move in twin.legal()}
        assert sorted(legal) == list(position.actions())
        assert position.outcome() == twin.result()
        assert position.scores == (None if twin.scores is None else tuple(twin.scores))
        if not legal:
            break
        action = chance.choice(sorted(legal))
        position, twin = position.play(action), twin.after(legal[action])


@given(openings(largest=5), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_every_position_on_the_way_conforms(position, chance):
    while position.turn:
        position = position.play(chance.choice(position.actions()))
        if chance.random() < 0.2:
            check_position(position)
    check_position(position)


@given(st.text(max_size=30), st.sampled_from(pg.game_names()))
def test_any_text_is_a_move_or_a_named_error(text, name):
    position = pg.load(name).deal(seed=1)
    try:
        after = position.play(text)
    except pg.PentagridError as error:
        assert error.code in ("unreadable", "not-allowed") and str(error)
    else:
        assert after.ply == 1


@given(st.text(max_size=60), st.sampled_from(pg.game_names()))
def test_any_text_is_a_position_or_a_named_error(text, name):
    for attempt in (text, f"{name} {text}", f"{name} board={text}", f"{name} claims={text}"):
        try:
            position = pg.read_position(attempt)
        except pg.PentagridError as error:
            assert str(error)
        else:
            assert pg.read_position(position.text) == position


@given(openings(largest=4), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_moves_can_be_typed_in_any_case_with_spare_blanks(position, chance):
    for action in position.actions():
        text = "".join(chance.choice([c.lower(), c.upper()]) for c in position.game.texts[action])
        assert position.game.action(f"  {text} ") == action


@pytest.mark.parametrize(("name", "rules"), CHOICES)
def test_every_game_conforms_at_every_size(name, rules):
    for size in type(pg.load(name)).sizes:
        if size <= 6:
            assert check(pg.load(name, size=size, **rules), plays=2 if size < 6 else 1) > size


def ends_at_once(self, position):
    return 0 if position.ply else MatrixCapture.legal_on_board(self, position)


def counts_no_turn(self, position, action):
    return MatrixCapture.after_on_board(self, position, action)._replace(ply=position.ply)


class AlwaysTheSame(MatrixCapture.notation_class):
    def write(self, action):
        return "R1C1"


class TestConformanceFindsDefects:
    """Each planted defect must be found."""

    @staticmethod
    def broken(**methods):
        return type("Broken", (MatrixCapture,), methods)(3)

    def test_the_sound_game_passes(self):
        assert check(MatrixCapture(3)) == 80

    @pytest.mark.parametrize(
        ("defect", "what"),
        [
            ({"count_scores": lambda self, numbers, one, two: (one.bit_count(), 0)}, "scores add up"),
            ({"final_outcome": lambda self, p: pg.Outcome(0, "draw")}, "somebody wins"),
            ({"notation_class": AlwaysTheSame}, "moves round-trip"),
            ({"legal_on_board": ends_at_once, "final_outcome": lambda self, p: None}, "exactly while nobody has won"),
            ({"refusal_on_board": lambda self, p, action: "no"}, "says why"),
            ({"after_on_board": counts_no_turn}, "one turn|reads back"),
        ],
    )
    def test_defect(self, defect, what):
        with pytest.raises(ConformanceError, match=what):
            check(self.broken(**defect))

    def test_a_game_that_never_ends(self):
        def begin(self, size=None, **rules):
            MatrixCapture.__init__(self, size, **rules)
            self.sides = tuple(1 + turn % 2 for turn in range(10_002))

        endless = self.broken(
            __init__=begin,
            legal_on_board=lambda self, p: 1,
            after_on_board=lambda self, p, a: p._replace(ply=p.ply + 1, mover=3 - p.mover),
            check_reachable=lambda self, p: None,
        )
        with pytest.raises(ConformanceError, match="ends within 10000 turns"):
            check(endless)


def positions_to_depth(position, depth):
    """How many move sequences of a length there are, and how many different positions they reach."""
    layer, sequences = {position: 1}, [1]
    distinct = [1]
    for _ in range(depth):
        following: dict = {}
        for here, ways in layer.items():
            for action in here.actions():
                after = here.play(action)
                following[after] = following.get(after, 0) + ways
        layer = following
        sequences.append(sum(layer.values()))
        distinct.append(len(layer))
    return sequences, distinct


class TestCounts:
    @pytest.mark.parametrize("size", [2, 3, 4])
    def test_matrix_capture(self, size):
        sequences, _ = positions_to_depth(pg.load("matrix-capture", size=size).deal(seed=1), size)
        assert sequences == [prod((size - i) ** 2 for i in range(depth)) for depth in range(size + 1)]

    @pytest.mark.parametrize(
        ("name", "size", "choices"), [("number-grid-battle", 2, 4), ("number-cross", 2, 4), ("number-cross", 3, 6)]
    )
    def test_games_in_which_everything_is_claimed_once(self, name, size, choices):
        sequences, distinct = positions_to_depth(pg.load(name, size=size).deal(seed=1), choices)
        assert sequences == [factorial(choices) // factorial(choices - depth) for depth in range(choices + 1)]
        assert distinct[-1] == factorial(choices) // factorial(choices // 2) ** 2

    @pytest.mark.parametrize(
        ("name", "size", "rules", "depth", "start"),
        [
            ("capture-square", 3, {"sudden_death": "flip"}, 10, [1, 9, 72, 504, 3024]),
            ("capture-square", 3, {"sudden_death": "exchange"}, 10, [1, 9, 72, 504, 3024]),
            ("capture-squares", 2, {}, 4, [1, 4, 12, 24, 24]),
            ("capture-squares", 3, {}, 5, [1, 9, 72, 504, 3024]),
        ],
    )
    def test_as_many_as_the_plain_twin_finds(self, name, size, rules, depth, start):
        position = pg.load(name, size=size, **rules).deal(seed=1)
        sequences, distinct = positions_to_depth(position, depth)
        twins, expected, owners = {"": (plain(position), 1)}, [1], [1]
        for _ in range(depth):
            following: dict = {}
            for twin, ways in twins.values():
                for move in twin.legal():
                    after = twin.after(move)
                    key = repr(after.owner)
                    following[key] = after, following.get(key, (None, 0))[1] + ways
            twins = following
            expected.append(sum(ways for _, ways in twins.values()))
            owners.append(len(twins))
        assert sequences == expected and distinct == owners
        assert sequences[: len(start)] == start

"""Data sets: exact labels, balance, no copies, no leaks, the same for the same seed."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations

import pytest

import pentagrid as pg
from pentagrid.core.catalog import part
from pentagrid.core.rng import Dice
from pentagrid.core.symmetry import least_turn, turns
from pentagrid.llm.dataset import candidate_positions, dataset_card, make_dataset, split_of

GAMES = pg.game_names()


@pytest.fixture(scope="module", params=GAMES)
def made(request):
    return make_dataset(pg.load(request.param), 120, seed=4)


def test_labels_are_exact(made):
    for row in made.rows[::5]:
        position = pg.read_position(row["position"])
        analysis = pg.analyze(position)
        labels = zip(row["legal"], row["winners"], row["margins"], row["plies"], row["regrets"], strict=True)
        assert list(labels) == [(o.move, o.winner, o.margin, o.plies, o.regret) for o in analysis.options]
        assert (row["winner"], row["margin"]) == analysis.value[:2] and len(set(row["regrets"])) > 1
        assert row["best"] == [o.move for o in analysis.options if o.regret == 0]
        start = made.game.deal(seed=row["deal_seed"])
        for move in row["moves"]:
            start = start.play(move)
        assert start == position and {**row, **position.data(), "outcome": None} == {**row, "outcome": None}


def test_difficulty_is_what_the_greedy_move_does(made):
    for row in made.rows:
        by_move = dict(zip(row["legal"], zip(row["regrets"], row["winners"], strict=True), strict=True))
        loses = any(row["winner"] == row["mover"] != by_move[move][1] for move in row["greedy"])
        errs = any(by_move[move][0] for move in row["greedy"])
        assert row["difficulty"] == ("greed loses" if loses else "greed errs" if errs else "greed is right")


def test_phases_and_difficulties_are_balanced(made):
    counts = Counter((row["phase"], row["difficulty"]) for row in made.rows)
    assert len(made.rows) == 120 and {phase for phase, _ in counts} == {"early", "middle", "late"}
    assert max(counts.values()) <= 2 * 120 / len(counts)


def test_there_are_no_symmetric_copies_and_no_deal_is_in_two_parts(made):
    canonical = part(made.game.name, "symmetry").canonical
    positions = [pg.read_position(row["position"]) for row in made.rows]
    assert len({canonical(position) for position in positions}) == len(made.rows)
    parts = {}
    for position, row in zip(positions, made.rows, strict=True):
        if made.game.has_numbers:
            key = least_turn(position.numbers, made.game.size)
        else:
            key = canonical(made.game.deal().play(row["moves"][0]).play(row["moves"][1]))
        assert parts.setdefault(key, row["split"]) == row["split"]
    assert set(parts.values()) == {"train", "validation", "test"}


def test_the_same_seed_gives_the_same_and_another_does_not(made):
    assert make_dataset(made.game, 120, seed=4).rows == made.rows
    assert make_dataset(made.game, 120, seed=5).rows != made.rows


def test_the_card_tells_how_many(made):
    text = dataset_card(made)
    assert text.startswith(f"# {made.game.title}") and "120 positions, seed 4" in text
    assert f"pentagrid dataset {made.game.name} --positions 120 --seed 4" in text


def turned(position, turn):
    """A position of a game of cells with its board turned or mirrored."""
    numbers = tuple(position.numbers[cell] for cell in turn) if position.numbers else ()
    one, two = (sum(1 << i for i, cell in enumerate(turn) if mask >> cell & 1) for mask in (position.one, position.two))
    return position._replace(numbers=numbers, one=one, two=two)


@pytest.mark.parametrize("name", [name for name in GAMES if name != "number-cross"])
def test_symmetric_positions_have_one_form_and_one_value(name):
    game = pg.load(name)
    canonical = part(name, "symmetry").canonical
    assert len(set(turns(4))) == 8
    for seed in range(5):
        position, dice = game.deal(seed=seed), Dice(seed)
        for _ in range(3):
            position = position.play(dice.choice(position.actions()))
        copies = [turned(position, turn) for turn in turns(game.size)]
        assert len({canonical(copy) for copy in copies}) == 1
        assert len({pg.analyze(copy).value for copy in copies}) == 1
        assert len({split_of(copy, ["A1", "B2"]) for copy in copies}) == 1


def test_lines_may_be_exchanged_where_only_lines_count():
    game, canonical = pg.load("number-cross"), part("number-cross", "symmetry").canonical
    position = game.deal(seed=1).play("Row2").play("Col3")
    forms = set()
    for order in permutations(range(3)):
        board = "/".join(" ".join(map(str, position.board[r])) for r in order)
        forms.add(canonical(game.read_board(board).play(f"Row{order.index(1) + 1}").play("Col3")))
    flipped = "/".join(" ".join(map(str, column)) for column in zip(*position.board, strict=True))
    forms.add(canonical(game.read_board(flipped).play("Col2").play("Row3")))
    assert forms == {canonical(position)} and canonical(position) != canonical(
        game.deal(seed=1).play("Row2").play("Col2")
    )


def test_rows_may_be_exchanged_where_rows_are_removed():
    game, canonical = pg.load("matrix-capture"), part("matrix-capture", "symmetry").canonical
    one = game.read_board("5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1").play("R1C1")
    two = game.read_board("2 9 5 3/3 5 6 2/7 4 1 8/4 6 7 1").play("R2C2")
    assert canonical(one) == canonical(two) != canonical(two.play("R1C1"))


def test_where_there_are_not_so_many_all_are_given_and_it_is_said():
    made = make_dataset(pg.load("number-grid-battle", size=2), 1000, seed=1)
    assert 3 <= len(made.rows) < 1000 and "1000 were asked for" in dataset_card(made)


def test_one_game_gives_at_most_one_of_a_kind():
    for number in range(20):
        buckets = [one.bucket for one in candidate_positions(pg.load("capture-squares"), 1, number)]
        assert len(buckets) == len(set(buckets))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("number-cross", {"size": 4, "pie": "on", "order": "snake", "komi": "3"}),
        ("matrix-capture", {"size": 7, "order": "thue-morse"}),
        ("capture-square", {"size": 3, "pie": "on", "sudden_death_first": "1"}),
    ],
)
def test_labels_are_exact_under_any_option(name, options):
    made = make_dataset(pg.load(name, **options), 40, seed=1)
    assert len(made.rows) == 40
    for row in made.rows:
        position = pg.read_position(row["position"])
        assert position.game == made.game
        assert row["regrets"] == [option.regret for option in pg.analyze(position).options]
        start = made.game.deal(seed=row["deal_seed"])
        for move in row["moves"]:
            start = start.play(move)
        assert start == position
    if made.game.pie:
        assert any("swap" in row["moves"] for row in made.rows)
    for option in (f"{rule}={value}" for rule, value in made.game.chosen_rules.items()):
        assert f"- `{option}`: " in dataset_card(made) and f"--rule {option}" in dataset_card(made)
    assert f"--size {made.game.size}" in dataset_card(made)


def test_with_a_fair_komi_every_deal_has_its_own():
    made = make_dataset(pg.load("number-cross"), 40, seed=1, fair=True)
    komi = set()
    for row in made.rows:
        position = pg.read_position(row["position"])
        komi.add(position.game.rules["komi"])
        assert abs(pg.analyze(position.game.opening(position.numbers)).value.margin) == 0.5
    assert len(komi) > 5 and "--komi fair" in dataset_card(made) and "komi=fair" in dataset_card(made)


def test_a_swap_makes_another_position():
    """The same lines of the same owners, but not the same player to move."""
    game = pg.load("number-cross", pie="on")
    stayed = game.deal(seed=1).play("Row1").play("Row2")
    swapped = game.deal(seed=1).play("Row2").play("swap").play("Row1")
    assert (stayed.one, stayed.two) == (swapped.one, swapped.two) and stayed.mover != swapped.mover
    keys = {one.key for number in range(40) for one in candidate_positions(game, 1, number)}
    assert {swapped for swapped, _ in keys} == {True, False}  # type: ignore[has-type]


@pytest.mark.parametrize("name", ["matrix-capture", "number-cross"])
def test_exchanging_any_lines_gives_one_form_and_different_boards_do_not(name):
    """On boards too large to try all orders: the rows and columns of one position, shuffled."""
    game, canonical = pg.load(name, size=8), part(name, "symmetry").canonical
    forms = set()
    for seed in range(6):
        dice, start = Dice(seed), game.deal(seed=seed)
        copies = set()
        for _ in range(5):
            rows = dice.shuffled(list(start.board))
            columns = dice.shuffled(list(zip(*rows, strict=True)))
            copies.add(canonical(game.read_board("/".join(" ".join(map(str, line)) for line in columns))))
        assert copies == {canonical(start)}
        forms |= copies
    assert len(forms) == 6


class TestTheCommand:
    def test_a_size_and_rule_options(self, program):
        words = ("number-cross", "--positions", "20", "--size", "4", "--komi", "fair", "--rule", "pie=on")
        program("dataset", *words, "--out", "a.jsonl")
        rows = [json.loads(line) for line in (program.folder / "a.jsonl").read_text().splitlines()]
        assert rows == make_dataset(pg.load("number-cross", size=4, pie="on"), 20, fair=True).rows
        command = (program.folder / "a.md").read_text().split("`pentagrid ")[1].split("`")[0]
        program(*command.split(), "--out", "b.jsonl")
        assert (program.folder / "a.jsonl").read_text() == (program.folder / "b.jsonl").read_text()

    def test_jsonl(self, program):
        output = program("dataset", "matrix-capture", "--positions", "30", "--out", "a.jsonl", "--seed", "2")
        assert "30 positions are in a.jsonl, described in a.md" in output
        rows = [json.loads(line) for line in (program.folder / "a.jsonl").read_text().splitlines()]
        assert rows == make_dataset(pg.load("matrix-capture"), 30, seed=2).rows
        assert (program.folder / "a.md").read_text().startswith("# Matrix Capture: labeled positions")

    def test_parquet(self, program):
        parquet = pytest.importorskip("pyarrow.parquet", reason='needs the extra "dataset": pip install pyarrow')
        program("dataset", "capture-square", "--positions", "30", "--out", "a.parquet")
        rows = parquet.read_table(program.folder / "a.parquet").to_pylist()
        assert rows == make_dataset(pg.load("capture-square"), 30).rows
        assert [path.name for path in sorted(program.folder.glob("*a*"))] == ["a.md", "a.parquet"]

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("chess", "--out", "a.jsonl"), "There is no game"),
            (("matrix-capture", "--out", "a.csv"), "must end in"),
            (("matrix-capture", "--out", "no/a.jsonl"), "There is no folder"),
            (
                ("matrix-capture", "--out", "a.jsonl", "--positions", "0"),
                "--positions must be between 1 and 10000000, not 0",
            ),
            (("capture-square", "--out", "a.jsonl", "--size", "5"), "Capture Square at size 5 is not solved"),
            (("capture-square", "--out", "a.jsonl", "--komi", "5"), "--komi makes no sense for capture-square"),
            (
                ("matrix-capture", "--out", "a.jsonl", "--rule", "pie=maybe"),
                "Rule option pie must be off or on, not 'maybe'",
            ),
        ],
    )
    def test_wrong_usage(self, program, words, message):
        assert message in program("dataset", *words, code=2)


def test_a_file_of_somebody_else_beside_the_data_stays(program):
    notes = program.folder / "notes.md"
    notes.write_text("my notes")
    words = ("dataset", "number-cross", "--positions", "5", "--out", "notes.jsonl")
    assert "notes.md is there already and is not from an earlier run" in program(*words, code=2)
    assert notes.read_text() == "my notes" and not (program.folder / "notes.jsonl").exists()
    notes.unlink()
    program(*words)
    program(*words)
    assert "pentagrid dataset number-cross" in notes.read_text()

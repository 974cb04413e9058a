"""Data sets: exact labels, balance, no copies, no leaks, the same for the same seed."""

from __future__ import annotations

import json
from collections import Counter
from itertools import count, permutations

import pytest

import pentagrid as pg
from pentagrid.core.catalog import part
from pentagrid.core.rng import Dice
from pentagrid.core.symmetry import least_turn, turns
from pentagrid.llm.candidates import Candidate, Source, play_games
from pentagrid.llm.dataset import choose, make_dataset
from pentagrid.llm.dataset_card import dataset_card
from pentagrid.llm.dataset_files import SCHEMA
from pentagrid.llm.splits import DATA_SPLITS, canonical_form, position_split, split_of
from pentagrid.util.workers import on_cores

GAMES = pg.game_names()


def card(dataset):
    return dataset_card(dataset, SCHEMA, ["a.jsonl"])


@pytest.fixture(scope="module", params=GAMES)
def made(request):
    return make_dataset(pg.load(request.param), 120, seed=4)


def test_number_grid_battle_has_as_many_positions_as_the_page_says():
    """Only which numbers each player owns matters, so one board has all positions up to symmetry."""
    opening = pg.load("number-grid-battle").read_board("1 2 3/4 5 6/7 8 9")
    solver, differing, level = pg.Solver(opening), [], {opening}
    while level:
        differing += [position for position in level if len(set(solver.losses(position).values())) > 1]
        after = {position.play(action) for position in level for action in position.actions()}
        level = {position for position in after if position.turn}
    assert len({canonical_form(position) for position in differing}) == len(differing) == 5290
    assert sum(position_split(position) in DATA_SPLITS for position in differing) == 3700


def test_labels_are_exact(made):
    for row in made.rows[::5]:
        position = pg.read_position(row["position"])
        analysis = pg.analyze(position)
        labels = zip(row["legal"], row["winners"], row["regrets"], row["win_regrets"], strict=True)
        assert list(labels) == [(o.move, o.winner, o.regret, o.win_regret) for o in analysis.options]
        assert row["winner"] == analysis.value.winner and len({o.loss for o in analysis.options}) > 1
        if position.scores is None:
            assert row["plies"] == [o.plies for o in analysis.options]
            assert row["margins"] == [3 - 2 * o.winner for o in analysis.options] and row["margin"] in (1, -1)
        else:
            assert row["margins"] == [o.margin for o in analysis.options] and row["margin"] == analysis.value.margin
            assert set(row["plies"]) == {made.game.most_turns - position.turns}
        assert row["best"] == [o.move for o in analysis.options if not o.loss]
        assert row["keeps_result"] == [o.move for o in analysis.options if not o.win_regret]
        assert row["result_at_stake"] == (len(row["keeps_result"]) < len(row["legal"]))
        start = made.game.deal(seed=row["deal_seed"])
        for move in row["moves"]:
            start = start.play(move)
        assert start == position
        for field in ("game", "size", "position", "claims", "turn", "ply", "swapped", "legal"):
            assert row[field] == position.data()[field]


def test_difficulty_is_what_the_greedy_move_does(made):
    for row in made.rows:
        by_move = dict(zip(row["legal"], zip(row["regrets"], row["winners"], strict=True), strict=True))
        loses = any(row["winner"] == row["turn"] != by_move[move][1] for move in row["greedy"])
        errs = any(by_move[move][0] for move in row["greedy"])
        assert row["difficulty"] == ("greed loses" if loses else "greed errs" if errs else "greed is right")


def test_phases_and_difficulties_are_balanced(made):
    counts = Counter((row["phase"], row["difficulty"]) for row in made.rows)
    assert len(made.rows) == 120 and {phase for phase, _ in counts} == {"early", "middle", "late"}
    full = sorted(counts.values())[-3:]  # what is not rare is filled alike
    assert max(full) - min(full) <= 1


def test_what_a_rare_kind_lacks_the_others_make_up_for_alike():
    kinds = [("early", "rare"), ("late", "common"), ("late", "usual")]
    games = (
        [fake(number, kinds[0])] * (number % 100 == 0) + [fake(number, kind) for kind in kinds[1:]]
        for number in count()
    )
    chosen = Counter(candidate.bucket for candidate in choose(games, 101))
    rare = chosen.pop(kinds[0])
    assert 2 <= rare <= 10 and sum(chosen.values()) == 101 - rare and max(chosen.values()) - min(chosen.values()) <= 1


def fake(number, bucket):
    """A candidate of which nothing matters but its kind."""
    blank = Candidate._make([None] * len(Candidate._fields))
    return blank._replace(number=number, bucket=bucket, key=f"{number}{bucket}".encode())


def test_the_same_whoever_does_the_work(made):
    if made.game.name == "number-cross":
        assert make_dataset(made.game, 120, seed=4, mapper=on_cores(2)).rows == made.rows


def test_there_are_no_symmetric_copies_and_no_deal_is_in_two_parts(made):
    canonical = part(made.game.name, "symmetry").canonical
    positions = [pg.read_position(row["position"]) for row in made.rows]
    assert len({canonical(position) for position in positions}) == len(made.rows)
    boards = {}
    for position, row in zip(positions, made.rows, strict=True):
        assert split_of(position) == row["split"]
        if made.game.has_numbers:
            key = least_turn(position.numbers, made.game.size)
            assert boards.setdefault(key, row["split"]) == row["split"]
    assert {row["split"] for row in made.rows} == {"train", "validation", "test"}


def test_the_same_seed_gives_the_same_and_another_does_not(made):
    assert make_dataset(made.game, 120, seed=4).rows == made.rows
    assert make_dataset(made.game, 120, seed=5).rows != made.rows


def test_the_card_tells_how_many(made):
    text = card(made)
    assert f"\n# {made.game.title}: labeled" in text and "120 positions, seed 4" in text
    assert "pentagrid canary" in text and "version 2" in text
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
        assert len({split_of(copy) for copy in copies}) == 1


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
    assert 3 <= len(made.rows) < 1000 and "1000 were asked for" in card(made)


def test_one_game_gives_at_most_one_of_a_kind():
    for played in play_games(Source(pg.load("capture-squares"), 1, DATA_SPLITS), range(20)):
        buckets = [one.bucket for one in played or ()]
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
        assert f"- `{option}`: " in card(made) and f"--rule {option}" in card(made)
    assert f"--size {made.game.size}" in card(made)


def test_with_a_fair_komi_every_deal_has_its_own():
    made = make_dataset(pg.load("number-cross"), 40, seed=1, fair=True)
    komi = set()
    for row in made.rows:
        position = pg.read_position(row["position"])
        komi.add(position.game.rules["komi"])
        assert abs(pg.analyze(position.game.opening(position.numbers)).value.margin) == 0.5
    assert len(komi) > 5 and "--komi fair" in card(made) and "komi=fair" in card(made)


def test_a_swap_makes_another_position():
    """The same lines of the same owners, but not the same player to move."""
    game = pg.load("number-cross", pie="on")
    stayed = game.deal(seed=1).play("Row1").play("Row2")
    swapped = game.deal(seed=1).play("Row2").play("swap").play("Row1")
    assert (stayed.one, stayed.two) == (swapped.one, swapped.two) and stayed.mover != swapped.mover
    assert canonical_form(stayed) != canonical_form(swapped)
    played = [one for games in play_games(Source(game, 1, DATA_SPLITS), range(60)) for one in games or ()]
    assert {one.position.swapped for one in played} == {True, False}


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
        assert "\n# Matrix Capture: labeled positions\n" in (program.folder / "a.md").read_text()
        assert all(list(row) == list(SCHEMA) for row in rows)

    def test_parquet(self, program):
        parquet = pytest.importorskip("pyarrow.parquet", reason='needs the extra "dataset": pip install pyarrow')
        program("dataset", "capture-square", "--positions", "30", "--out", "a.parquet")
        rows = parquet.read_table(program.folder / "a.parquet").to_pylist()
        assert rows == make_dataset(pg.load("capture-square"), 30).rows
        assert [path.name for path in sorted(program.folder.glob("*a*"))] == ["a.md", "a.parquet"]

    def test_a_folder_has_a_file_for_each_split(self, program):
        output = program("dataset", "number-cross", "--positions", "60", "--out", "nc", "--format", "jsonl")
        assert "60 positions are in nc, described in nc/README.md" in output
        files = {path.name for path in (program.folder / "nc").iterdir()}
        assert files == {"train.jsonl", "validation.jsonl", "test.jsonl", "README.md"}
        rows = []
        for split in DATA_SPLITS:
            part = [json.loads(line) for line in (program.folder / "nc" / f"{split}.jsonl").read_text().splitlines()]
            assert {row["split"] for row in part} == {split}
            rows += part
        assert rows == make_dataset(pg.load("number-cross"), 60).rows
        (program.folder / "nc" / "README.md").write_text("mine")
        assert "README.md is there already" in program("dataset", "number-cross", "--out", "nc", code=2)

    def test_other_tools_load_several_games_and_splits(self, program, monkeypatch, tmp_path):
        """As Hugging Face's `datasets` does it: Parquet and JSON Lines, with and without the description."""
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
        monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
        datasets = pytest.importorskip("datasets", reason="needs datasets: pip install datasets")
        names = ("matrix-capture", "capture-square")
        for name in names:
            program("dataset", name, "--positions", "60", "--out", f"{name}/", "--format", "parquet")
            program("dataset", name, "--positions", "30", "--out", f"{name}.jsonl")
        folders = [program.folder / name for name in names]
        by_split = datasets.load_dataset(str(folders[1]), cache_dir=str(tmp_path / "cache"))
        assert {split: data.num_rows for split, data in by_split.items()}.keys() == set(DATA_SPLITS)
        assert sum(data.num_rows for data in by_split.values()) == 60
        together = datasets.load_dataset(
            "parquet", data_files={"train": [str(folder / "train.parquet") for folder in folders]},
            cache_dir=str(tmp_path / "cache"),
        )["train"]  # fmt: skip
        assert set(together["game"]) == set(names) and together.features == by_split["train"].features
        assert not any("null" in str(feature) for feature in together.features.values())
        for order in (names, names[::-1]):
            files = [str(program.folder / f"{name}.jsonl") for name in order]
            both = datasets.load_dataset("json", data_files=files, cache_dir=str(tmp_path / order[0]))["train"]
            assert both.num_rows == 60 and not any("null" in str(feature) for feature in both.features.values())

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
            (("capture-square", "--out", "a.jsonl", "--komi", "5"), "komi=5 needs ending=blocks"),
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

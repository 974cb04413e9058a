"""The record file: what was written reads back, what is damaged is refused by line."""

from __future__ import annotations

import json
import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pentagrid as pg
from pentagrid.errors import OptionError, UnreadableError
from pentagrid.play.match import LONGEST_NAME, Match, Seat, check_name
from pentagrid.play.players import KINDS
from pentagrid.play.record import Record, read_record, read_record_bytes, write_record

RECORD = """\
[Game "matrix-capture"]
[Size "4"]
[Board "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"]
[Player1 "Ann"]
[Kind1 "human"]
[Kind2 "greedy"]
[Seed "7"]
[TurnSeconds "30.000"]
[Date "2026-11-16"]
[Result "*"]
[Event "Club night"]

{a friendly game}
1. R2C2 {the matrix is right}
2. R1C3
*
"""


def test_writing_what_was_read():
    record = read_record(RECORD)
    assert write_record(record) == RECORD
    match = record.match
    assert match.moves == ["R2C2", "R1C3"] and match.seats == (Seat("Ann"), Seat("", "greedy"))
    assert (
        match.turn_seconds == 30 and match.seed == 7 and match.notes == {0: "a friendly game", 1: "the matrix is right"}
    )
    assert record.date == "2026-11-16" and record.extra == (("Event", "Club night"),)


def test_only_what_a_game_needs_is_needed():
    match = read_record('[Game "capture-square"]\n1. b2\n2.  A1\n*').match
    assert match.moves == ["B2", "A1"] and match.seats == (Seat(), Seat())


def test_line_ends_byte_order_marks_and_blank_lines_do_not_matter():
    assert write_record(read_record_bytes(b"\xef\xbb\xbf" + RECORD.replace("\n", "\r\n\r\n").encode())) == RECORD


def some_moves(position, count):
    for number in range(count):
        position = position.play(position.actions()[number % len(position.actions())])
    return position


@pytest.mark.parametrize("options", [{}, {"pie": "on"}], ids=str)
@pytest.mark.parametrize("name", pg.game_names())
def test_a_game_begun_in_the_middle_reads_back_as_itself(name, options):
    opening = pg.load(name, size=3, **options).deal(seed=4)
    start = opening.play(0).play("swap") if options else some_moves(opening, 2)
    match = Match(start, seed=4)
    match.play(start.actions()[-1])
    text = write_record(Record(match))
    assert f'[Position "{start.text}"]' in text and "[Board" not in text and "[Size" not in text
    again = read_record(text).match
    assert (again.start, again.position, again.moves) == (start, match.position, match.moves)
    assert write_record(Record(again)) == text


def test_a_position_says_it_all():
    text = f'[Game "number-cross"]\n[Position "{pg.load("number-cross").deal(1).play(0).text}"]\n*\n'
    assert read_record(text).match.position.ply == 1
    for damaged, why in (
        (text.replace("[Position", '[Size "3"]\n[Position'), "line 2: Size and Position cannot both be there"),
        (text.replace('"number-cross"', '"capture-square"'), "line 2: Position: it is one of number-cross, but Game"),
        (text.replace("turn=2", "turn=1"), "line 2: Position: turn='1' does not fit"),
    ):
        with pytest.raises(UnreadableError, match=why):
            read_record(damaged)


def test_as_plain_data():
    data = read_record(RECORD).data()
    assert data == json.loads(json.dumps(data))
    assert data["seats"] == [{"name": "Ann", "kind": "human"}, {"name": "", "kind": "greedy"}]
    assert data["moves"] == ["R2C2", "R1C3"] and data["outcome"] is None and data["tags"] == {"Event": "Club night"}
    assert pg.read_position(data["position"]) == pg.read_position(data["start"]).play("R2C2").play("R1C3")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('[Game "matrix-capture"]', "", r"line 1: the tag \[Game"),
        ('[Game "matrix-capture"]', '[Game "chess"]', "line 1: Game: There is no game 'chess'"),
        ('[Size "4"]', '[Size "four"]', "line 2: Size: 'four' is not a number"),
        ('[Size "4"]', '[Size "40"]', "line 2: Size: .*between 2 and 12, not 40"),
        ('[Size "4"]', '[Size "5"]', "line 3: Board: The board has 4 rows"),
        ('[Size "4"]', "[Size 4]", r"line 2: '\[Size 4\]' is not a tag"),
        ('[Size "4"]', '[Rules "x=y"]', "line 2: Rules: .*no rule option 'x'"),
        ("5 3 6 2/", "5 3 6 0/", "line 3: Board: 0 is not on"),
        ('[Player1 "Ann"]', '[Player1 "A\x07nn"]', "line 4: Player1: .*is not a name"),
        ('[Kind1 "human"]', '[Player2 "ann"]', "line 5: Player2: Both players are called 'Ann'"),
        ('[Board "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"]', "", r"line 1: the tag \[Board .* is missing"),
        ('[Kind2 "greedy"]', '[Kind2 "wizard"]', "line 6: Kind2: There is no player 'wizard'"),
        ('[Seed "7"]', '[Seed "-7"]', "line 7: Seed"),
        ('[Seed "7"]', '[Seed "9999999999999999999"]', "line 7: Seed: .*is not a seed"),
        ('[Seed "7"]', '[Seed "7"]\n[Seed "7"]', "line 8: the tag Seed is there a second time"),
        ('"30.000"', '"0"', "line 8: TurnSeconds: A turn must last"),
        ('"30.000"', '"soon"', "line 8: TurnSeconds"),
        ('[Result "*"]', '[Result "1-0"]', "line 16: the moves end with *"),
        ("1. R2C2", "1. R9C9", "line 14: Row 9, column 9 is not on the board"),
        ("1. R2C2", "1. nonsense", "line 14: 'nonsense' is not a move"),
        ("1. R2C2", "3. R2C2", "line 14: move number 3 where 1 was due"),
        ("1. R2C2", "R2C2", "line 14: .*is not a move; the next is written '1. MOVE'"),
        ("2. R1C3", "2. R2C3", "line 15: R2C3 is not allowed here: removed \\(row 2\\)"),
        ("right}", "right", "line 14: .*is not a move"),
        ("\n*\n", "\n", "the file ends without its result"),
        ("\n*\n", "\n1-0\n", "line 16: the moves end with 1-0, but Result says"),
        ("\n*\n", "\n*\n3. R3C1\n", "line 17: there is something behind the result"),
        ('[Result "*"]', '[Result "*"]\n[Reason "score"]', "line 11: Reason: 'score' is not how this game ended"),
    ],
)
def test_damage_is_refused_with_its_line(old, new, why):
    damaged = RECORD.replace(old, new, 1)
    assert damaged != RECORD
    with pytest.raises(UnreadableError, match=why):
        read_record(damaged)


@pytest.mark.parametrize("length", range(0, len(RECORD) - 2, 7))
def test_a_file_cut_short_anywhere_is_refused(length):
    with pytest.raises(UnreadableError, match=r"line [0-9]+: "):
        read_record(RECORD[:length])


def test_bytes_that_are_not_text_and_files_too_large():
    with pytest.raises(UnreadableError, match="line 4: byte 0xff is not UTF-8 text"):
        read_record_bytes(RECORD.encode().replace(b"Ann", b"\xff"))
    with pytest.raises(UnreadableError, match="at most 1048576 bytes"):
        read_record_bytes(b"x" * (1 << 20 | 1))


def test_results_of_finished_games():
    match = Match(pg.load("number-cross").read_board("4 9 2/3 5 7/8 1 6"), seed=1)
    for move in ("Row2", "Col3", "Col2", "Row1", "Row3", "Col1"):
        match.play(move)
    text = write_record(Record(match))
    assert '[Result "0-1"]\n[Reason "tie-break"]' in text and text.endswith("\n6. Col1\n0-1\n")
    assert write_record(read_record(text)) == text
    with pytest.raises(UnreadableError, match="the result is 1-0, but after these moves it is 0-1"):
        read_record(text.replace("0-1", "1-0"))
    with pytest.raises(UnreadableError, match="'score' is not how this game ended"):
        read_record(text.replace("tie-break", "score"))


@pytest.mark.parametrize("reason", ["resign", "time", "illegal"])
def test_results_away_from_the_board(reason):
    match = Match(pg.load("capture-square").deal(), turn_seconds=5)
    match.play("A1")
    match.forfeit(2, reason)
    text = write_record(Record(match))
    assert read_record(text).match.outcome == (1, reason) and write_record(read_record(text)) == text


def is_name(text):
    try:
        return check_name(text) == text
    except OptionError:
        return False


@st.composite
def records(draw):
    name = draw(st.sampled_from(pg.game_names()))
    kinds = st.sampled_from(["human", *(choice for kind in KINDS.values() for choice in kind.choices)])
    names = st.one_of(
        st.just(""),
        st.text(min_size=1, max_size=LONGEST_NAME).filter(is_name),
    )
    one = draw(names)
    two = draw(names.filter(lambda name: not one or name.casefold() != one.casefold()))
    seats = Seat(one, draw(kinds)), Seat(two, draw(kinds))
    seconds = draw(st.one_of(st.none(), st.floats(0.001, 86400)))
    match = Match(pg.load(name).deal(seed=draw(st.integers(0, 99))), seats, seed=draw(st.integers(0, 2**63 - 1)))
    for choice in draw(st.lists(st.integers(0, 99), max_size=20)):
        if match.outcome is None:
            actions = match.position.actions()
            match.play(actions[choice % len(actions)])
    match.turn_seconds = None if seconds is None else round(seconds, 3)
    notes = st.text(
        st.characters(exclude_characters="{}\n\r", exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]),
        min_size=1,
        max_size=9,
    )
    match.notes = draw(st.dictionaries(st.integers(0, len(match.actions)), notes, max_size=3))
    return Record(match, "2026-01-02")


@given(records())
@settings(max_examples=150, deadline=None)
def test_any_game_reads_back_as_the_same_game(record):
    text = write_record(record)
    again = read_record(text)
    assert write_record(again) == text
    one, two = record.match, again.match
    assert (one.start, one.position, one.seats, one.seed, one.turn_seconds, one.notes, one.outcome) == (
        two.start, two.position, two.seats, two.seed, two.turn_seconds, two.notes, two.outcome
    )  # fmt: skip


@given(st.text(max_size=200))
def test_any_text_is_a_record_or_an_error_with_a_line(text):
    with pytest.raises(UnreadableError, match=r"line [0-9]+: "):
        read_record(text)


class TestAtTheTerminal:
    TEXT = "number-cross size=3 board=4,9,2/3,5,7/8,1,6 claims=1../2.. turn=1"

    def test_a_game_begun_in_the_middle_is_saved_resumed_and_analyzed(self, program):
        told = program("play", "number-cross", "--position", self.TEXT, "--save", "g.pentagrid", typed="Row2\nquit\n")
        assert "Available lines to claim: Row2, Row3, Col2, Col3" in told
        assert f'[Position "{self.TEXT}"]' in (program.folder / "g.pentagrid").read_text()
        told = program("resume", "g.pentagrid", typed="Col2\nRow3\nCol3\n")
        assert "Congratulations, Player" in told
        assert "Accuracy of Player 1" in program("analyze", "g.pentagrid")
        assert "Move 4: Player 2 plays Col3." in program("replay", "g.pentagrid")

    def test_what_was_claimed_before_is_counted_in_the_end(self, program):
        text = "number-cross size=3 board=7,5,4/8,2,6/3,1,9 claims=1../2.1 turn=2"
        told = program("play", "number-cross", "--position", text, typed="R2\nR3\nC2\n")
        assert told.startswith("Number Cross, begun from a position after 3 turns.\n") and "go first" not in told
        assert "Total Sum: 48" in told and "Total Sum: 42" in told and told.endswith("Congratulations, Player 1!\n")

    def test_without_a_file_the_command_names_the_position(self, program):
        (program.folder / "home" / ".local").touch()  # nothing can be kept there
        told = program("play", "number-cross", "--seed", "1", "--position", self.TEXT, typed="Row2\nquit\n")
        again = told.split("To go on: ")[1].split("\n")[0]
        words = shlex.split(again)[3:]
        assert words[words.index("--position") + 1] == self.TEXT and words[-2:] == ["--moves", "Row2"]
        assert "Available lines to claim: Row3, Col2, Col3" in program(*words, typed="quit\n")

    def test_analyze_takes_a_position(self, program):
        analysis = json.loads(program("analyze", "number-cross", "--position", self.TEXT, "--json"))
        assert analysis["position"] == self.TEXT and analysis["turn"] == 1

    @pytest.mark.parametrize(
        ("words", "why"),
        [
            (["number-cross", "--position", "xyzzy"], "There is no game 'xyzzy'"),
            (["capture-square", "--position", TEXT], "--position must be one of capture-square, not of number-cross"),
            (["number-cross", "--position", TEXT, "--size", "3"], "--size makes no sense with --position"),
            (["number-cross", "--position", TEXT.replace("turn=1", "turn=2")], "turn='2' does not fit"),
        ],
    )
    def test_positions_that_do_not_fit(self, program, words, why):
        assert why in program("play", *words, code=2)

"""Boards and positions as text: read back as written, and refused with a reason when they cannot be."""

from __future__ import annotations

import pytest

import pentagrid as pg
from pentagrid import BoardError, OptionError, UnreadableError


@pytest.mark.parametrize(
    "board",
    ["5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1", "5,3,6,2/4,7,1,8/9,2,5,3/6,4,7,1", " 5, 3 6  2 / 4 7 1 8/9 2 5 3 /6 4 7 1/ "],
)
def test_rows_by_slash_numbers_by_blanks_or_commas(board):
    position = pg.load("matrix-capture").read_board(board)
    assert position.board == ((5, 3, 6, 2), (4, 7, 1, 8), (9, 2, 5, 3), (6, 4, 7, 1))


@pytest.mark.parametrize(
    ("name", "board", "why"),
    [
        ("matrix-capture", "1 2 3/1 2 3/1 2 3", "has 3 rows; Matrix Capture at size 4 has 4"),
        ("matrix-capture", "1 2 3 4/1 2 3/1 2 3 4/1 2 3 4", "Row 2 of the board has 3 numbers instead of 4"),
        ("matrix-capture", "0 2 3 4/1 2 3 4/1 2 3 4/1 2 3 4", "0 is not on a Matrix Capture board: .* 1 to 9"),
        ("matrix-capture", "10 2 3 4/1 2 3 4/1 2 3 4/1 2 3 4", "10 is not on a Matrix Capture board"),
        ("matrix-capture", "x 2 3 4/1 2 3 4/1 2 3 4/1 2 3 4", "'x' on the board is not a number"),
        ("matrix-capture", "-1 2 3 4/1 2 3 4/1 2 3 4/1 2 3 4", "'-1' on the board is not a number"),
        ("matrix-capture", "", "A row of the board is empty"),
        ("matrix-capture", "1 2 3 4//1 2 3 4/1 2 3 4", "A row of the board is empty"),
        ("number-cross", "1 2 3/4 5 6/7 8 8", "8 is on the board twice: each of 1 to 9 comes once"),
        ("number-cross", "1 2 3/4 5 6/7 8 10", "10 is not on a Number Cross board: the numbers are 1 to 9"),
        ("number-grid-battle", "1 1 3/4 5 6/7 8 9", "1 is on the board twice"),
        ("capture-squares", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 17", "17 is not on a Capture Squares board"),
        ("capture-squares", "9" * 5000, "on the board is too large"),
    ],
)
def test_wrong_boards(name, board, why):
    with pytest.raises(BoardError, match=why) as error:
        pg.load(name).read_board(board)
    assert len(str(error.value)) < 200


def test_deals_are_the_same_everywhere_and_for_ever(golden_deals):
    for (name, size, seed), board in golden_deals.items():
        game = pg.load(name, size=size)
        assert game.write_board(game.deal(seed=seed)) == board, (name, size, seed)


@pytest.fixture
def golden_deals():
    """tests/golden/deals.txt: name, size, seed, board. Add lines, never change one."""
    from pathlib import Path

    lines = (Path(__file__).parent / "golden" / "deals.txt").read_text().splitlines()
    fields = [line.split(maxsplit=3) for line in lines]
    return {(name, int(size), int(seed)): board for name, size, seed, board in fields}


def test_every_number_game_has_golden_deals(golden_deals):
    dealt = {name for name, _, _ in golden_deals}
    assert dealt == {name for name in pg.game_names() if pg.load(name).has_numbers}


def test_seeds_differ_and_no_seed_is_random():
    game = pg.load("capture-squares")
    assert len({game.deal(seed=seed).numbers for seed in range(200)}) == 200
    assert game.deal() != game.deal()


@pytest.mark.parametrize("seed", [-1, 1 << 63])
def test_seed_out_of_range(seed):
    with pytest.raises(OptionError, match="a seed is a whole number from 0 to"):
        pg.load("number-cross").deal(seed=seed)


def test_shuffles_are_unbiased():
    counts = {}
    for seed in range(6000):
        order = tuple(pg.Dice(seed).shuffled("abc"))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6 and all(880 < count < 1120 for count in counts.values())


def test_splitmix64_is_the_published_one():
    """The first outputs for seed 1234567, as its authors' reference program prints them."""
    dice = pg.Dice(1234567)
    assert [dice.next() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("name", pg.game_names())
def test_text_is_one_line_and_reads_back(name):
    position = pg.load(name).deal(seed=9)
    while position.turn:
        assert "\n" not in position.text and pg.read_position(position.text) == position
        position = position.play(position.actions()[-1])
    assert (
        pg.read_position(position.text) == position and pg.read_position(position.text).outcome() == position.outcome()
    )


def test_a_positions_text_may_leave_out_what_is_at_its_default():
    assert pg.read_position("capture-square") == pg.load("capture-square").deal()
    assert pg.read_position("number-cross board=4,9,2/3,5,7/8,1,6") == pg.load("number-cross").read_board(
        "4 9 2/3 5 7/8 1 6"
    )


@pytest.mark.parametrize(
    ("text", "kind", "why"),
    [
        ("", OptionError, "There is no game ''"),
        ("chess", OptionError, "There is no game 'chess'"),
        ("capture-square size=x", UnreadableError, "size='x' is not a whole number"),
        ("capture-square size=9", OptionError, "between 3 and 6, not 9"),
        ("capture-square nonsense", UnreadableError, "'nonsense' in a position is not one NAME=VALUE"),
        ("capture-square size=4 size=4", UnreadableError, "not one NAME=VALUE"),
        ("capture-square color=red", OptionError, "no rule option 'color'"),
        ("capture-square claims=1", BoardError, "does not fit"),
        ("capture-square claims=3.../..../..../....", BoardError, "does not fit"),
        ("capture-square claims=1.../..../..../.... turn=1", BoardError, "at ply 1 it is the turn of seat 2"),
        ("capture-square claims=11../..../..../....", BoardError, "X has 2 markers and O 0; .* must be 1 and 1"),
        ("capture-square claims=1.../..../..../.... ply=3", BoardError, "ply=3 does not fit: 1 of 16"),
        ("capture-square claims=1.../..../..../.... ply=x", BoardError, "not a count of turns"),
        (
            "capture-square claims=11../11../222./2... turn=1",
            BoardError,
            "Seat 1 has a square, but seat 2 has moved",
        ),
        ("capture-square claims=1212/1212/2121/2121 ply=33", BoardError, "ply=33 does not fit"),
        ("capture-square claims=1212/1212/2121/2121 ply=17", BoardError, "must be 9 and 7"),
        ("matrix-capture", BoardError, "needs board="),
        ("matrix-capture size=2 board=1,2/3,4 claims=12/..", BoardError, "Two captured cells are in row 1"),
        ("matrix-capture size=2 board=1,2/3,4 claims=1./2.", BoardError, "Two captured cells are in column 1"),
        ("matrix-capture size=2 board=1,2/3,4 claims=1./.1", BoardError, "Seat 1 owns 2 claims .* must be 1 and 1"),
        ("number-cross size=2 board=1,2/3,4 claims=1./.. ply=2", BoardError, "every turn is a claim"),
        ("capture-squares size=2 board=1,2/3,4 claims=2./..", BoardError, "Seat 1 has just claimed a cell"),
        ("number-grid-battle size=2 board=1,2/3,4 turn=2", BoardError, "it is the turn of seat 1"),
    ],
)
def test_impossible_positions(text, kind, why):
    with pytest.raises(kind, match=why):
        pg.read_position(text)


def test_cells_and_touches_describe_the_board():
    position = pg.load("matrix-capture", size=2).read_board("1 2/3 4").play("R1C2")
    assert position.cells() == (
        (pg.Cell("1", 0, False), pg.Cell("2", 1, False)),
        (pg.Cell("3", 0, True), pg.Cell("4", 0, False)),
    )
    assert position.game.drawing.touch(2) == pg.Touch("cell", (2,)) and position.lines() == ()
    cross = pg.load("number-cross", size=2).read_board("1 2/3 4").play("Col1")
    assert cross.lines() == (
        pg.Line("Row1", 0, True, (0, 1)),
        pg.Line("Row2", 0, True, (2, 3)),
        pg.Line("Col1", 1, False, (0, 2)),
        pg.Line("Col2", 0, True, (1, 3)),
    )
    assert cross.game.drawing.touch(3) == pg.Touch("line", (3,))
    exchange = pg.load("capture-square", sudden_death="exchange")
    assert exchange.drawing.touch(exchange.action("A1 B1")) == pg.Touch("pair", (0, 1))

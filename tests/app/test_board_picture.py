"""The board as text: every mark is seen without color, every place leads back to its cell or line."""

from __future__ import annotations

import pytest

import pentagrid as pg
from pentagrid.terminal.app.board_picture import BoardMarks, BoardPicture, changed_cells
from pentagrid.terminal.app.letters_only import LETTERS

ROOMS = [(40, 15), (48, 20), (78, 36)]


def text_of(picture):
    return ["".join(text for text, _ in row).rstrip().translate(LETTERS) for row in picture.rows]


def picture_after(name, moves, marks=None, room=(40, 15), **options):
    position = pg.load(name, **options).deal(seed=7)
    before = action = None
    for move in moves:
        before, action = position, position.game.action(move)
        position = position.play(action)
    touch = None if action is None else position.game.drawing.touch(action)
    changed = frozenset() if before is None else changed_cells(before, touch, position)
    return BoardPicture(position, (marks or BoardMarks())._replace(last=touch, changed=changed), room)


def test_a_capture_removal_and_cursor():
    picture = picture_after("matrix-capture", ["R2C2"], BoardMarks(cursor=6))
    assert text_of(picture) == [
        "       C1      C2      C3      C4",
        "   +-------+-------+-------+-------+",
        "R1 |   4   |  <x7> |   1   |   7   |",
        "   +-------+-------+-------+-------+",
        "R2 |  <x8> |  (X4) |[ <x8>]|  <x4> |",
        "   +-------+-------+-------+-------+",
        "R3 |   9   |  <x6> |   2   |   8   |",
        "   +-------+-------+-------+-------+",
        "R4 |   4   |  <x5> |   1   |   4   |",
        "   +-------+-------+-------+-------+",
    ]


def test_a_whole_line_lights_up_with_its_sum():
    lines = text_of(picture_after("number-cross", ["Col3"], BoardMarks(cursor=1)))
    assert lines == [
        "+-------+-------+-------+",
        "|   3   |   7   |  (6)  |  Row1",
        "+-------+-------+-------+",
        "|[  2  ]|[  8  ]|[ (9) ]| [Row2] =19",
        "+-------+-------+-------+",
        "|   1   |   5   |  (4)  |  Row3",
        "+-------+-------+-------+",
        "   Col1    Col2   (Col3)",
        "                  P1=19",
    ]


def test_the_winning_square_and_sudden_death():
    won = picture_after("capture-square", ["A1", "D4", "B1", "D3", "A2", "C4", "B2"])
    assert text_of(won)[2] == "1 |  *X*  |  *X*  |       |       |"
    full = ["A1", "B1", "C1", "D1", "A2", "B2", "C2", "D2", "B3", "A3", "D3", "C3", "B4", "A4", "D4", "C4"]
    flip = picture_after("capture-square", full)
    assert flip.position.turn == 1 and text_of(flip)[2] == "1 |   X   |   O~  |   X   |   O~  |"
    trade = picture_after("capture-square", full, BoardMarks(picked=0), sudden_death="exchange")
    assert text_of(trade)[2] == "1 |  {X}  |   O~  |   X~  |   O~  |"


def test_the_mark_of_a_best_line_closes():
    rows = text_of(picture_after("number-cross", [], BoardMarks(best=frozenset({1, 4}))))
    assert any("+Row2+" in row for row in rows) and any("+Col2+" in row for row in rows)


def test_values_have_a_line_of_their_own():
    picture = picture_after("number-grid-battle", [], BoardMarks(values={0: "*+3", 8: "-12.5"}))
    assert text_of(picture)[2:4] == ["0 |   3   |   7   |   6   |", "  |  *+3  |       |       |"]
    assert "-12.5" in text_of(picture)[-2]


@pytest.mark.parametrize("name", pg.game_names())
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("values", [None, {}])
def test_default_sizes_fit_and_grow(name, room, values):
    picture = picture_after(name, [], BoardMarks(cursor=0, values=values), room)
    assert picture.width <= room[0] and picture.height <= room[1]
    assert {sum(len(text) for text, _ in row) for row in picture.rows} == {picture.width}
    if room == ROOMS[-1]:
        assert picture.cell_height >= 5


@pytest.mark.parametrize("name", pg.game_names())
def test_every_target_is_found_where_it_is_drawn(name):
    picture = picture_after(name, [], room=(78, 36))
    for target in range(picture.position.game.claim_count):
        x, y, width, height = picture.region_of(target)
        places = [(x + width // 2, y + height // 2)]
        if picture.lines and target >= picture.size:
            places = [(x + width // 2, y)]
        assert [picture.target_at(*place) for place in places] == [target]
        assert all(picture.is_head(*place) for place in places) == bool(picture.lines)
    assert picture.target_at(0, 0) is None and picture.target_at(500, 500) is None


@pytest.mark.parametrize("name", pg.game_names())
def test_the_largest_board_can_be_drawn(name):
    game = pg.load(name, size=pg.load(name).sizes.stop - 1)
    picture = BoardPicture(game.deal(seed=1), BoardMarks(cursor=0), (40, 15))
    assert picture.cell_width == 7 and picture.height > 12


def test_nothing_moves_when_the_cursor_does():
    widths = {picture_after("number-cross", ["Row1"], BoardMarks(cursor=i)).width for i in range(6)}
    assert len(widths) == 1

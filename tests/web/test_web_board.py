"""The board that every page draws: its rows and columns named as moves name them."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

import pentagrid as pg
from pentagrid.core.speech import speech_for
from pentagrid.web.api.board_data import described

PHONE = {"width": 360, "height": 740}


def sizes():
    return [(name, size) for name in pg.game_names() for size in pg.load(name).sizes]


def look_at(page, position):
    page.goto(f"/analyze?{urlencode({'position': position.text})}")
    page.wait_for_selector(".spot.open")


@pytest.mark.parametrize(("name", "size"), sizes())
def test_a_cell_is_named_by_its_row_and_its_column(name, size):
    position = pg.load(name, size).deal(1)
    edges = described(position)["edges"]
    if position.lines():  # they stand at the edge themselves
        assert edges == {"rows": (), "columns": ()}
        return
    assert len(edges["rows"]) == len(edges["columns"]) == size
    for cell in range(size * size):
        row, column = edges["rows"][cell // size], edges["columns"][cell % size]
        assert re.sub(r"[ ,]", "", position.game.texts[cell]) in (row + column, column + row)


@pytest.mark.parametrize(("name", "size"), [("matrix-capture", 12), ("capture-square", 4), ("number-cross", 8)])
def test_the_names_stand_beside_their_cells_and_a_phone_has_room_for_them(visitor, name, size):
    page = visitor(viewport=PHONE)
    position = pg.load(name, size).deal(1)
    look_at(page, position)
    edges = described(position)["edges"]
    labels = page.locator(".edge")
    assert labels.all_text_contents() == [*edges["rows"], *edges["columns"]]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    boxes = [label.bounding_box() for label in labels.all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] and box["height"] >= 10 for box in boxes)
    for number, box in enumerate(boxes):
        cell = number * size if number < size else number - size
        tile = page.locator(f"[data-key=c{cell}] .tile").bounding_box()
        if number < size:
            assert box["x"] + box["width"] <= tile["x"] + 1
            assert tile["y"] < box["y"] + box["height"] / 2 < tile["y"] + tile["height"]
        else:
            assert box["y"] + box["height"] <= tile["y"] + 1
            assert tile["x"] < box["x"] + box["width"] / 2 < tile["x"] + tile["width"]
    expect(page.get_by_role("gridcell")).to_have_count(len(position.cells()) ** 2 + len(position.lines()))


def test_what_cannot_be_chosen_says_why_in_the_words_of_the_game(visitor):
    page = visitor()
    game = pg.load("matrix-capture")
    position = game.deal(1).play("R2C2")
    look_at(page, position)
    page.locator("[data-key=c4]").click(force=True)
    expect(page.locator("#typed-problem")).to_have_text(speech_for(game).refused(game.refusal(position, 4)))
    page.locator("[data-key=c0]").click()
    expect(page.locator("#where")).to_have_text("1 of 1")
    assert page.locator("#typed-problem").text_content() == ""
    lines = pg.load("number-cross")
    position = lines.deal(1).play("Row2")
    look_at(page, position)
    page.locator("[data-key=l1]").press("Enter")
    expect(page.locator("#typed-problem")).to_have_text(speech_for(lines).refused(lines.refusal(position, 1)))
    page.locator("[data-key=c3]").click()
    expect(page.get_by_role("group", name=re.compile("The lines of")).get_by_role("button")).to_have_count(1)
    page.complaints.clear()  # the refused requests, which Chromium reports


def test_who_does_not_move_is_told_whose_turn_it_is(visitor):
    page, other = visitor(), visitor()
    page.goto("/new/matrix-capture?with=screen")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".spot.open")
    other.goto(page.url)
    other.wait_for_selector(".spot")
    other.locator("[data-key=c0]").click(force=True)
    expect(other.locator("#typed-problem")).to_have_text("You are watching. It is Player 1’s turn.")

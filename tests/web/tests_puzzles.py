"""Small helpers of the tests of the puzzle page."""

from __future__ import annotations

import json
from datetime import date
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

import pentagrid as pg
from pentagrid.core.speech import player_names
from pentagrid.puzzles import puzzle as puzzles

CALM = {"reduced_motion": "reduce"}


def arrive(page, address="/puzzle"):
    """Open the page; returns the library's puzzle, by the address that the page has given itself."""
    page.goto(address)
    page.wait_for_selector(".spot.open")
    return named_by(page)


def named_by(page):
    asked = {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}
    if "daily" in asked:
        return puzzles.daily_puzzle(date.fromisoformat(asked["daily"]))
    return puzzles.make_puzzle(pg.load(asked["game"]), int(asked["difficulty"]), int(asked["seed"]))


def cells(page):
    """Who owns each cell, as the board is drawn."""
    classes = page.locator(".spot.cell").evaluate_all("spots => spots.map((spot) => spot.getAttribute('class'))")
    return [1 if "owner1" in names else 2 if "owner2" in names else 0 for names in classes]


def owners(position):
    return [position.owner(i) for i in range(position.game.cell_count)]


def names(puzzle):
    """What the page calls the players of a puzzle."""
    return player_names(puzzle.position.game)


def tempting(puzzle):
    return puzzle.position.game.texts[puzzle.grade.tempting[0]]


def answer(page, move):
    page.locator("#move").fill(move)
    page.locator("#move").press("Enter")
    expect(page.locator("#verdict")).to_be_visible()


def kept(page):
    return json.loads(page.evaluate("localStorage.getItem('pentagrid.puzzles')"))


def run(page, name="Days in a row"):
    return page.locator(f"#streaks dt:text-is('{name}') + dd strong").inner_text()

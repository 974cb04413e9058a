"""Axe on the pages in states that are seldom seen: refusals, questions, ends, a network that is away."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests_pages import PEOPLE, SIZES, create
from tests_web import findings

import pentagrid as pg

LOOKS = {
    "light": {"color_scheme": "light", "viewport": SIZES["desktop"], "reduced_motion": "reduce"},
    "dark on a phone": {"color_scheme": "dark", "viewport": SIZES["phone"], "reduced_motion": "reduce"},
}
look = pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)


def press(page, name):
    page.get_by_role("button", name=name).click()


@look
def test_questions_and_refusals_between_two_players(visitor, look):
    ann, bob, eve = visitor(**look), visitor(**look), visitor(**look)
    rules = {"pie": "on", "komi": "1.5"}
    made = create(ann, game="number-cross", seed=3, seats=[{"name": "Ann"}, {}], you=1, turn_seconds=600, rules=rules)
    ann.goto(made["play"])
    bob.goto(made["invitation"])
    press(bob, "Sit down")
    ann.locator("[data-key=l0]").click()
    expect(bob.get_by_role("button", name="Swap sides")).to_be_visible()
    assert not findings(bob), "sides can be swapped"
    ann.locator("[data-key=l1]").click(force=True)
    expect(ann.locator("#typed-problem")).not_to_be_empty()
    assert not findings(ann), "told whose turn it is"
    for key in ("l0", "l3"):
        bob.locator(f"[data-key={key}]").hover()
        assert not findings(bob), f"{key} is pointed at"
    ann.get_by_text("Links", exact=True).click()
    press(ann, "Make")
    press(ann, "Ask to take back")
    expect(bob.get_by_role("button", name="Agree")).to_be_visible()
    assert not findings(ann) + findings(bob), "a move is to be taken back"
    press(bob, "Refuse")
    eve.goto(made["invitation"])
    expect(eve.locator("#notice")).to_contain_text("has been used")
    assert not findings(eve), "a used invitation"
    bob.route("**/moves", lambda route: route.abort())
    bob.locator("[data-key=l1]").click()
    expect(bob.get_by_role("button", name="Try again")).to_be_visible()
    assert not findings(bob), "a move that has not arrived"
    for page in (ann, bob, eve):
        page.complaints.clear()


@look
def test_ends_and_moves_of_two_steps(visitor, look):
    page = visitor(**look)
    table = {"game": "capture-square", "seats": PEOPLE, "you": "both"}
    page.goto(create(page, **table, moves=["A1", "D1", "A2", "D2", "B1", "D4"])["play"])
    page.locator("[data-key=c5]").click()
    expect(page.locator(".winning")).to_have_count(4)
    assert not findings(page), "a square wins"
    moves = ["A1", "B1", "C1", "A3", "B3", "C3", "A2", "C2", "B2"]
    page.goto(create(page, **table, size=3, rules={"sudden-death": "exchange"}, moves=moves)["play"])
    page.locator(".spot.open").first.click()
    expect(page.locator(".picked")).to_have_count(1)
    assert not findings(page), "half a move"


@look
def test_what_pages_ask_and_refuse(visitor, look):
    page = visitor(**look)
    for name in pg.game_names():
        page.goto(f"/rules/{name}")
        assert not findings(page), f"rules of {name}"
    page.goto("/new/matrix-capture")
    page.locator("summary").click()
    page.locator("#board").fill("nonsense")
    press(page, "Begin")
    expect(page.locator("#problem")).to_be_visible()
    assert not findings(page), "a game that cannot begin"
    page.goto("/analyze")
    page.locator("#text").fill("4 9 2/3 5 7/8 1 6")
    press(page, "Open")
    expect(page.locator("#which")).to_be_visible()
    assert not findings(page), "which game?"
    page.goto("/analyze?position=nonsense")
    expect(page.locator(".notice")).to_be_visible()
    assert not findings(page), "no position"
    page.goto("/analyze/capture-squares?seed=4")
    press(page, "Edit the board")
    page.locator("#editor .owner").first.click()
    page.get_by_label("Whose turn is it?").select_option("Player A")
    press(page, "Use this board")
    expect(page.locator("#editor .problem")).to_be_visible()
    assert not findings(page), "a board that cannot be"
    page.goto("/puzzle?seed=abc")
    expect(page.locator("#no-puzzle")).to_be_visible()
    assert not findings(page), "no puzzle"
    page.goto("/puzzle")
    press(page, "Show the solution")
    assert not findings(page), "shall the solution be shown?"
    page.complaints.clear()  # what was refused


@look
def test_pages_that_are_not_there(visitor, serve, look):
    server = serve("--rate", "1")
    page = visitor(server.address, **look)
    for address in ("/play/AAAAAAAAAAAAAAAA", "/new/chess"):
        assert page.goto(address).status == 404
        assert not findings(page), address
    while page.goto("/nothing").status == 404:
        pass
    expect(page.locator("main")).to_contain_text("too many requests")
    assert not findings(page), "too many requests"
    page.complaints.clear()

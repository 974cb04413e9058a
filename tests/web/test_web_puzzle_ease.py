"""What makes the puzzle page easy to use: rules are told, reasons given, and nothing stored is trusted."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect
from tests_puzzles import CALM, answer, arrive, run, tempting

from pentagrid.core.speech import speech_for

PUZZLE = "/puzzle?game=capture-square&difficulty=1&seed=1"
FULL_BOARD = "capture-square size=4 claims=2112/1121/2112/1221 turn=2 ply=17"


def test_an_answer_on_its_way_looks_so_and_can_be_sent_again(visitor):
    page = visitor(**CALM)
    page.clock.install()
    puzzle = arrive(page, PUZZLE)
    held = []
    page.route("**/api/puzzle/answer?*", lambda route: route.continue_() if held else held.append(route))
    page.locator(f"[data-key=c{puzzle.answer}]").click()
    expect(page.locator(f"[data-key=c{puzzle.answer}].sending")).to_be_visible()
    assert page.locator("#notice").text_content() == ""
    page.clock.run_for(5100)
    expect(page.locator("#notice")).to_contain_text("The server has not answered yet.")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#verdict")).to_be_visible()
    expect(page.locator("#notice")).to_have_text("")
    assert page.locator(".sending").count() == 0


def test_an_answer_that_cannot_be_sent_says_so(visitor):
    page = visitor(**CALM)
    puzzle = arrive(page, PUZZLE)
    page.route("**/api/puzzle/answer?*", lambda route: route.abort(), times=1)
    page.locator(f"[data-key=c{puzzle.answer}]").click()
    expect(page.locator("#typed-problem")).to_contain_text("The server cannot be reached")
    assert page.locator(".sending").count() == 0
    answer(page, puzzle.move)


def test_sudden_death_is_told_beside_such_a_position_and_only_there(visitor):
    page = visitor(**CALM)
    page.goto(f"/analyze?{urlencode({'position': FULL_BOARD})}")
    rest = "If nobody has a square after turn 16, the second player (O) wins."
    expect(page.locator("#phase")).to_have_text(f"Sudden Death, turn 2 of 16. A move turns an X into an O. {rest}")
    assert page.locator(".dot").count() == 0  # nothing is printed over a marker
    assert page.locator(".spot.open .ring").count() == page.locator(".spot.open").count() > 0
    arrive(page, PUZZLE)
    expect(page.locator("#phase")).to_be_hidden()


def test_a_game_that_comes_to_sudden_death_says_so(visitor):
    page = visitor(**CALM)
    moves = "A1;B1;D1;C1;B2;A2;C2;D2;A3;B3;D3;C3;B4;A4;C4"
    with_moves = urlencode({"with": "screen", "moves": moves})
    page.goto(f"/new/capture-square?{with_moves}")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".spot.open")
    expect(page.locator("#phase")).to_be_hidden()
    page.locator(".spot.open").click()
    expect(page.locator("#phase")).to_contain_text("Sudden Death, turn 1 of 16. A move turns an O into an X.")
    expect(page.locator("#said")).to_contain_text("Sudden Death, turn 1 of 16.")


def test_escape_takes_back_the_wish_to_see_the_solution(visitor):
    page = visitor(**CALM)
    arrive(page, "/puzzle?game=matrix-capture&difficulty=3&seed=8")
    page.get_by_role("button", name="Show the solution").press("Enter")
    expect(page.get_by_role("button", name="Show it")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Show the solution")).to_be_focused()
    assert page.get_by_role("button", name="Show it").count() == 0


def test_a_cell_that_cannot_be_chosen_says_why_in_the_words_of_the_game(visitor):
    page = visitor(**CALM)
    puzzle = arrive(page, PUZZLE)
    own = next(i for i in range(16) if puzzle.position.owner(i) == puzzle.position.mover)
    game = puzzle.position.game
    why = speech_for(game).refused(game.refusal(puzzle.position, own))
    assert "is already occupied" in why
    page.locator(f"[data-key=c{own}]").click(force=True)
    expect(page.locator("#typed-problem")).to_have_text(why)
    assert page.evaluate("localStorage.getItem('pentagrid.puzzles')") is None  # that was no try
    answer(page, tempting(puzzle))
    assert page.locator("#typed-problem").text_content() == ""
    page.locator(f"[data-key=c{own}]").press("Enter")
    expect(page.locator("#said")).to_have_text("To answer again, choose Try again first.")
    page.complaints.clear()  # the refused request, which Chromium reports


@pytest.mark.parametrize("allowed", [True, False])
def test_a_copied_link_is_announced_and_one_that_cannot_be_copied_is_told(visitor, allowed):
    page = visitor(permissions=["clipboard-read", "clipboard-write"] if allowed else [], **CALM)
    if not allowed:
        page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
    arrive(page, PUZZLE)
    button = page.get_by_role("button", name="Copy link")
    assert "quiet" not in button.get_attribute("class")
    button.click()
    if allowed:
        expect(page.locator("#said")).to_have_text("Copied.")
        assert page.evaluate("navigator.clipboard.readText()") == page.url
    else:
        expect(page.locator("#notice")).to_contain_text("the link is the address of this page")
        expect(button).to_be_visible()


@pytest.mark.parametrize(
    "stored",
    [
        '{"days": {"last": "%s", "run": "many", "best": "<b>7</b>"}, "games": {"matrix-capture": {"run": 1.5}}}',
        '{"days": {"last": "%s", "run": -3, "best": null}, "games": {"matrix-capture": 7}, "answered": [1]}',
        '{"days": "%s", "games": "none", "answered": {"x": "yes"}}',
        '["%s"]',
        "null",
        "no JSON",
    ],
)
def test_streaks_that_are_no_whole_numbers_count_as_none(visitor, stored):
    page = visitor(**CALM)
    puzzle = arrive(page)
    today = parse_qs(urlsplit(page.url).query)["daily"][0]
    page.evaluate("text => localStorage.setItem('pentagrid.puzzles', text)", stored.replace("%s", today))
    page.reload()
    page.wait_for_selector(".spot.open")
    assert (run(page), run(page, "First tries in a row: Matrix Capture")) == ("0", "0")
    assert page.locator("#streaks .hint").count() == 0
    answer(page, puzzle.move)
    assert run(page, f"First tries in a row: {puzzle.position.game.title}") == "1"


@pytest.mark.parametrize("path", ["/puzzle", "/analyze", "/games"])
def test_without_scripts_the_page_says_that_it_needs_them(visitor, path):
    page = visitor(java_script_enabled=False)
    page.goto(path)
    expect(page.get_by_text("This page needs JavaScript")).to_be_in_viewport()

"""The puzzle page in a real browser: solved by keyboard, refuted on the board, streaks that last."""

from __future__ import annotations

import json
from datetime import date, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect
from tests_puzzles import CALM, answer, arrive, cells, kept, named_by, names, owners, run, tempting
from tests_web import findings

import pentagrid as pg
from pentagrid.puzzles import hints
from pentagrid.puzzles import playouts as puzzle_lines
from pentagrid.puzzles import puzzle as puzzles

PHONE = {"width": 360, "height": 740}
GAMES = puzzles.puzzle_games()


def walk_to(page, action, size):
    """With the arrow keys, from the first cell to the one of an action."""
    for _ in range(size):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    for _ in range(action // size):
        page.keyboard.press("ArrowDown")
    for _ in range(action % size):
        page.keyboard.press("ArrowRight")


def test_the_daily_puzzle_is_found_and_solved_by_keyboard_alone(visitor):
    page = visitor(**CALM)
    page.goto("/")
    page.get_by_role("link", name="Puzzles").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".spot.open")
    assert "daily=" in page.url
    puzzle = named_by(page)
    assert page.locator("#question").inner_text() == puzzle.question()
    page.locator("#question").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('role')") == "gridcell"
    walk_to(page, puzzle.answer, puzzle.position.game.size)
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert puzzle.move in label
    page.keyboard.press("Enter")
    line = puzzle_lines.main_line(puzzle)
    expect(page.locator("#verdict-title")).to_have_text(line.verdict())
    expect(page.locator("#verdict-title")).to_be_focused()
    expect(page.locator("#why")).to_have_text(hints.puzzle_hint(puzzle))
    page.keyboard.press("End")
    expect(page.locator("#said")).to_have_text(" ".join(line.sentences()[-2:]))
    assert cells(page) == owners(line.final)
    assert run(page) == "1" and kept(page)["answered"] == {puzzle.position.text: True}
    while page.evaluate("document.activeElement.textContent") != "Next puzzle":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#question")).to_be_focused()
    assert "seed=" in page.url and named_by(page).difficulty == puzzle.difficulty
    page.go_back()
    expect(page.locator("#known")).to_contain_text("your first try was right")


@pytest.mark.parametrize("game", GAMES)
def test_a_wrong_answer_is_refuted_on_the_board_to_the_end(visitor, game):
    page = visitor(**CALM)
    puzzle = arrive(page, f"/puzzle?game={game}&difficulty=3&seed=2")
    line = puzzle_lines.refute(puzzle, tempting(puzzle))
    page.locator(f"[data-key=c{puzzle.grade.tempting[0]}]").click()
    expect(page.locator("#verdict-title")).to_have_text(line.verdict())
    expect(page.locator("#verdict-title")).to_be_focused()
    *story, end = line.sentences()
    for number, step in enumerate(line.steps, 1):
        last = number == len(line.steps)
        expect(page.locator("#told")).to_have_text(f"{story[number - 1]} {end}" if last else story[number - 1])
        assert cells(page) == owners(step.after)
        assert page.locator("#line [aria-current=step]").inner_text() == step.move
        if step.after.scores:
            shown = [text.split()[0] for text in page.locator(".score").all_inner_texts()]
            assert shown == [str(score) for score in step.after.scores]
        if not last:
            page.keyboard.press("ArrowRight")
            expect(page.locator("#said")).to_contain_text(story[number])
    assert page.locator(".player.winner strong").inner_text() == names(puzzle)[line.outcome.winner - 1]
    page.keyboard.press("ArrowRight")  # there is nothing behind the end
    page.keyboard.press("ArrowLeft")
    assert cells(page) == owners(line.steps[-1].before)
    page.keyboard.press("Home")
    expect(page.locator("#said")).to_have_text("The puzzle as it was.")
    assert cells(page) == owners(puzzle.position) and page.locator(".spot.open").count() == 0
    page.get_by_role("button", name="Try again").press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('role')") == "gridcell"
    tried = page.locator(f"[data-key=c{puzzle.grade.tempting[0]}]")
    assert "tried: wrong" in tried.get_attribute("aria-label") and tried.locator(".badge").count() == 1
    answer(page, puzzle.move)
    expect(page.locator("#verdict-title")).to_have_text(puzzle_lines.main_line(puzzle).verdict())
    title = pg.load(game).title
    assert run(page, f"First tries in a row: {title}") == "0"  # the first one decided


def time_for(text):
    """Milliseconds that a sentence stays: as many as it takes to read it, and a little more."""
    return max(1800, 60 * len(text)) + 100


def test_a_refutation_is_played_on_demand_and_can_be_halted(visitor):
    page = visitor()
    page.clock.install()
    puzzle = arrive(page, "/puzzle?game=capture-squares&difficulty=2&seed=3")
    line = puzzle_lines.refute(puzzle, tempting(puzzle))
    assert len(line.steps) > 4
    answer(page, tempting(puzzle))
    button = page.locator("#run")
    expect(page.locator("#verdict-title")).to_be_focused()
    page.clock.run_for(30_000)
    assert cells(page) == owners(line.steps[0].after)
    assert page.locator("#said").inner_text() == ""  # nothing cuts into the verdict
    expect(button).to_have_text("Play")
    page.locator("#verdict-title").press(" ")
    expect(button).to_have_text("Pause")
    assert cells(page) == owners(line.steps[1].after)
    page.clock.run_for(100)
    expect(page.locator("#said")).to_have_text(line.sentences()[1])
    page.clock.run_for(time_for(line.sentences()[1]))
    assert cells(page) == owners(line.steps[2].after)
    page.clock.run_for(100)
    expect(page.locator("#said")).to_have_text(line.sentences()[2])
    page.locator("#verdict-title").press(" ")
    expect(button).to_have_text("Play")
    page.clock.run_for(30_000)
    assert cells(page) == owners(line.steps[2].after)
    button.press("Enter")
    page.clock.run_for(sum(time_for(said) for said in line.sentences()))
    assert cells(page) == owners(line.final)
    expect(button).to_have_text("Again")
    button.click()
    expect(button).to_have_text("Pause")
    assert cells(page) == owners(puzzle.position)
    page.locator("#next").click()  # a step by hand ends the run
    page.clock.run_for(10_000)
    assert cells(page) == owners(line.steps[0].after)


def test_streaks_survive_a_reload_and_count_each_puzzle_once(visitor):
    page = visitor(**CALM)
    puzzle = arrive(page)
    today = date.fromisoformat(parse_qs(urlsplit(page.url).query)["daily"][0])
    game, title = puzzle.position.game.name, puzzle.position.game.title
    tries = f"First tries in a row: {title}"
    before = {"last": str(today - timedelta(1)), "run": 3, "best": 3}
    store = {"answered": {}, "days": before, "games": {game: {"run": 1, "best": 5}}}
    page.evaluate("store => localStorage.setItem('pentagrid.puzzles', store)", json.dumps(store))
    page.reload()
    page.wait_for_selector(".spot.open")
    assert (run(page), run(page, tries)) == ("3", "1")
    answer(page, puzzle.move)
    assert (run(page), run(page, tries)) == ("4", "2")
    page.reload()
    expect(page.locator("#known")).to_contain_text("your first try was right")
    assert (run(page), run(page, tries)) == ("4", "2")
    answer(page, tempting(puzzle))  # the same again does not count
    assert (run(page), run(page, tries)) == ("4", "2")
    assert kept(page)["days"] == {"last": str(today), "run": 4, "best": 4}
    other = arrive(page, f"/puzzle?game={game}&difficulty=1&seed=5")
    answer(page, tempting(other))
    assert (run(page), run(page, tries)) == ("4", "0")  # a puzzle of no day ends no streak of days
    store |= {"answered": {puzzle.position.text: False}, "days": before}
    page.goto("/puzzle")
    page.evaluate("store => localStorage.setItem('pentagrid.puzzles', store)", json.dumps(store))
    page.reload()
    answer(page, puzzle.move)
    assert (run(page), run(page, tries)) == ("0", "1")  # known by its seed, and wrong: the day knows it too
    store["days"] = {"last": str(today - timedelta(2)), "run": 3, "best": 3}
    page.evaluate("store => localStorage.setItem('pentagrid.puzzles', store)", json.dumps(store))
    page.reload()
    page.wait_for_selector(".spot.open")
    assert run(page) == "0"  # a day was left out


def test_the_answer_is_nowhere_before_it_is_asked_for(visitor):
    page = visitor(**CALM)
    asked = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    puzzle = arrive(page, "/puzzle?game=capture-squares&difficulty=4&seed=1")
    page.wait_for_load_state("networkidle")
    assert [path for path in asked if path.startswith("/api/")] == ["/api/puzzle"]
    markup = page.locator("#board svg").evaluate("e => e.outerHTML")
    answer_cell = page.locator(f"[data-key=c{puzzle.answer}]")
    other_cell = page.locator(f"[data-key=c{puzzle.grade.tempting[0]}]")
    assert answer_cell.get_attribute("class") == other_cell.get_attribute("class")
    assert "best" not in markup and "badge" not in markup


def test_a_hint_marks_what_tempts_and_a_solution_counts_as_not_solved(visitor):
    page = visitor(**CALM)
    puzzle = arrive(page, "/puzzle?game=matrix-capture&difficulty=3&seed=8")
    tries = "First tries in a row: Matrix Capture"
    page.get_by_role("button", name="Hint").press("Enter")
    expect(page.locator("#said")).to_have_text(hints.puzzle_hint(puzzle))
    expect(page.locator("#hint")).to_have_text(hints.puzzle_hint(puzzle))
    expect(page.get_by_role("button", name="Another hint")).to_be_focused()
    marked = page.locator(".spot.badged").evaluate_all("spots => spots.map((spot) => spot.dataset.key)")
    assert marked == [f"c{action}" for action in sorted(puzzle.grade.tempting)]
    page.get_by_role("button", name="Another hint").press("Enter")
    expect(page.locator("#said")).to_have_text(hints.narrow_hint(puzzle))
    assert page.locator("#hint p").all_inner_texts() == [
        hints.puzzle_hint(puzzle),
        hints.narrow_hint(puzzle),
    ]
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("button", name="I go on trying").click()
    expect(page.get_by_role("button", name="Show the solution")).to_be_focused()
    assert page.evaluate("localStorage.getItem('pentagrid.puzzles')") is None
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("button", name="Show it").click()
    line = puzzle_lines.main_line(puzzle)
    expect(page.locator("#verdict-title")).to_have_text(line.solution())
    assert page.locator("#line li").all_inner_texts() == [step.move for step in line.steps]
    assert kept(page)["answered"] == {puzzle.position.text: False} and run(page, tries) == "0"


def test_another_one_is_chosen_by_game_and_difficulty(visitor):
    page = visitor(**CALM)
    arrive(page)
    page.get_by_label("Capture Square", exact=True).check(force=True)
    page.get_by_label("5", exact=True).check(force=True)
    page.get_by_role("button", name="Another one").click()
    expect(page.locator("#title")).to_have_text("A puzzle of Capture Square")
    assert "game=capture-square&difficulty=5&seed=" in page.url
    puzzle = named_by(page)
    expect(page.locator("#question")).to_have_text(puzzle.question())
    friend = visitor(**CALM)
    assert arrive(friend, page.url).position == puzzle.position
    assert cells(friend) == cells(page) == owners(puzzle.position)


def test_bad_addresses_and_bad_moves_are_answered_with_the_reason(visitor):
    page = visitor(**CALM)
    page.goto("/puzzle?seed=abc")
    expect(page.locator("#no-puzzle")).to_contain_text("'abc' is not a seed; a seed is a whole number from 0")
    page.goto("/puzzle?foo=bar")
    expect(page.locator("#no-puzzle")).to_contain_text("A puzzle has no parameter 'foo'")
    page.goto("/puzzle?game=number-cross")
    expect(page.locator("#no-puzzle")).to_contain_text(
        "Number Cross has no puzzles, because greed is always right in it."
    )
    assert not page.locator("#solving").is_visible()
    page.get_by_role("button", name="Another one").click()
    expect(page.locator("#no-puzzle")).to_be_hidden()
    page.wait_for_selector(".spot.open")
    page.locator("#move").fill("nonsense")
    page.locator("#move").press("Enter")
    expect(page.locator("#typed-problem")).to_contain_text("nonsense")
    assert page.evaluate("localStorage.getItem('pentagrid.puzzles')") is None  # that was no try
    page.complaints.clear()  # the refused requests, which Chromium reports


def test_a_phone(visitor):
    page = visitor(viewport=PHONE, has_touch=True, is_mobile=True, **CALM)
    puzzle = arrive(page, "/puzzle?game=capture-squares&difficulty=2&seed=3")
    page.get_by_role("button", name="Hint").tap()
    expect(page.locator("#hint")).to_be_visible()
    page.locator(f"[data-key=c{puzzle.grade.tempting[0]}]").tap()
    expect(page.locator("#verdict")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for button in page.locator("#verdict .button, .controls .button").all():
        box = button.bounding_box()
        assert box["height"] >= 44 and box["width"] >= 44
    board, told = page.locator("#board").bounding_box(), page.locator("#told").bounding_box()
    assert board["y"] >= 0 and told["y"] + told["height"] <= PHONE["height"]  # both are seen at once


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_found(visitor, scheme):
    page = visitor(color_scheme=scheme, **CALM)

    def check(where):
        assert not findings(page), where
        if scheme == "dark":  # one scheme is enough to find what depends on the size
            desktop = page.viewport_size
            page.set_viewport_size(PHONE)
            assert not findings(page), f"{where} on a phone"
            page.set_viewport_size(desktop)

    for game in GAMES:
        puzzle = arrive(page, f"/puzzle?game={game}&difficulty=4&seed=6")
        page.get_by_role("button", name="Hint").click()
        expect(page.locator("#hint")).to_be_visible()
        check(f"hint {game}")
        answer(page, tempting(puzzle))
        page.locator("#next").click()
        check(f"refutation {game}")
        page.get_by_role("button", name="Try again").click()
        answer(page, puzzle.move)
        check(f"right {game}")

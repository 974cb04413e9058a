"""How the pages look at the sizes people have: nothing jumps, the whole board is seen, and nothing is cut off."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect
from tests_pages import PEOPLE, SIZES, create, shown_whole

import pentagrid as pg

MOST_SHIFT = 0.05
COUNT_SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
QUIET = "() => new Promise((done) => setTimeout(done, 250))"


def addresses(page):
    """Every page that a visitor can come to, and what shows that it is there."""
    running = create(page, game="capture-squares", seed=3, seats=[PEOPLE[0], {"kind": "level:3"}], you=1)
    link = create(page, game="number-cross", seed=3, seats=PEOPLE, you=1, turn_seconds=60, rules={"pie": "on"})
    match = pg.Match(pg.load("matrix-capture").deal(4))
    while match.outcome is None:
        match.play(match.position.moves()[0])
    line = {"position": match.start.text, "moves": ";".join(match.moves)}
    return {
        running["play"]: ".spot",
        link["play"]: ".link",
        "/": ".game",
        "/rules/capture-squares": ".picture",
        "/new/matrix-capture": "form",
        "/puzzle": ".spot",
        "/analyze": "#open",
        "/analyze/matrix-capture?seed=5": ".badge",
        f"/analyze?{urlencode(line)}": ".tug",
        "/games": "main a",
        "/api": "dl",
    }


@pytest.mark.parametrize("size", SIZES)
def test_nothing_jumps_and_every_board_is_seen_whole(visitor, size):
    schemes = ("dark", "light") if size in ("desktop", "phone") else ("light", "dark")  # loaded in one, then switched
    page = visitor(viewport=SIZES[size], color_scheme=schemes[0])
    page.add_init_script(COUNT_SHIFTS)
    for address, sign in addresses(page).items():
        page.emulate_media(color_scheme=schemes[0])
        page.goto(address)
        page.locator(sign).first.wait_for()
        page.evaluate(QUIET)
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            shift = page.evaluate("window.shifted")
            assert shift <= MOST_SHIFT, f"{address} shifts by {shift:.2f} in {scheme}"
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= SIZES[size]["width"], f"{address} is {width} wide in {scheme}"
            if page.locator(".grid").count():
                assert shown_whole(page, ".grid"), f"{address} in {scheme}"


def test_the_start_page_shows_all_there_is_to_play(visitor):
    page = visitor(viewport=SIZES["desktop"])
    names = [pg.load(name) for name in pg.game_names()]
    page.goto("/")
    for card in page.locator(".game").all():
        box = card.bounding_box()
        assert box["y"] + box["height"] <= 800
    assert page.locator(".game").count() == len(names) + 1
    easiest = min(names, key=lambda game: game.learning_place)
    assert page.locator(".game h2").first.inner_text() == easiest.title
    page.set_viewport_size(SIZES["phone"])
    assert shown_whole(page, ".game .button.main")
    ink = page.locator("body").evaluate("e => getComputedStyle(e).color")
    assert page.locator(".game h2").first.evaluate("e => getComputedStyle(e).color") == ink


def test_unfinished_games_stand_on_the_start_page_with_turn_and_opponent(visitor):
    page = visitor(viewport=SIZES["phone"])
    page.add_init_script(COUNT_SHIFTS)
    for seats, you in ((PEOPLE, "both"), (PEOPLE, 1), ([PEOPLE[0], {"kind": "level:2"}], 1)):
        page.goto(create(page, game="matrix-capture", seed=7, seats=seats, you=you)["play"])
        page.wait_for_selector(".spot.open")
    page.goto("/")
    row = page.locator("#recent li").first
    expect(row).to_have_text("Matrix Capture against the computer (level 2)your turn")
    expect(page.locator("#recent li").nth(1)).to_have_text("Matrix Capture against Bobyour turn")
    expect(page.locator("#recent li").nth(2)).to_have_text("Matrix Capture: Ann – BobAnn to move")
    page.evaluate(QUIET)
    assert page.evaluate("window.shifted") <= MOST_SHIFT
    row.locator("a").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator("#sentence")).to_contain_text("has won, because Ann resigned.")
    page.goto("/")
    expect(page.locator("#recent li")).to_have_count(2)


def test_no_window_between_a_phone_and_a_tablet_scrolls_sideways(visitor):
    page = visitor()
    for address in ("/", "/games", "/rules/capture-squares"):
        page.goto(address)
        for width in (400, 464, 512, 544, 562, 600):
            page.set_viewport_size({"width": width, "height": 384})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (address, width)


def test_the_board_stays_where_it_is_when_a_game_ends_on_a_phone(visitor):
    page = visitor(viewport=SIZES["phone"])
    seats = [{}, {"kind": "level:1"}]
    page.goto(create(page, game="matrix-capture", seed=7, moves=["R1C1", "R3C2"], seats=seats, you=1)["play"])
    expect(page.locator("#sentence")).to_have_text("Your move.")
    board = page.locator("#board").bounding_box()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator("#sentence")).to_contain_text("Player 1 resigned.")
    assert page.locator("#board").bounding_box() == board and shown_whole(page, ".grid")


def test_buttons_that_can_be_pressed_do_not_look_disabled(visitor):
    page = visitor()
    page.goto(create(page, game="matrix-capture", seed=7, seats=PEOPLE, you="both")["play"])
    page.wait_for_selector(".spot")
    look = "e => { const s = getComputedStyle(e); return [s.color, s.borderColor]; }"
    looks = [page.get_by_role("button", name=name).evaluate(look) for name in ("Play", "Resign")]
    assert looks[0] == looks[1]


OVERLAP = """() => { const box = (e) => e.getBoundingClientRect();
  return [...document.querySelectorAll(".player")].flatMap((player) => {
    const parts = [...player.querySelectorAll("strong, .won, .score, .clock")];
    return parts.flatMap((a, i) => parts.slice(i + 1).filter((b) => box(a).left < box(b).right &&
      box(b).left < box(a).right && box(a).top < box(b).bottom - 1 && box(b).top < box(a).bottom - 1)
      .map((b) => `${a.textContent} / ${b.textContent}`)); }); }"""


@pytest.mark.parametrize("size", ["phone", "landscape"])
def test_names_and_results_of_players_are_read_whole_on_a_phone(visitor, size):
    page = visitor(viewport=SIZES[size])
    made = create(page, game="number-grid-battle", seed=5, moves=["1 1"], turn_seconds=90, seats=[{}, {}], you="both")
    page.goto(made["play"])
    expect(page.locator(".clock")).to_be_visible()
    lines = "e => [e.scrollWidth <= e.clientWidth, e.getBoundingClientRect().height < 24]"
    for end in (False, True):
        if end:
            page.get_by_role("button", name="Resign").click()
            page.get_by_role("button", name="Yes").click()
            expect(page.locator(".won")).to_have_text("won")
        for name in page.locator(".player strong").all():
            assert name.evaluate(lines) == [True, True], name.inner_text()
        assert page.evaluate(OVERLAP) == []
    seats = [{}, {"kind": "level:3"}]
    page.goto(create(page, game="capture-squares", seed=3, moves=["1,1", "4,2"], seats=seats, you=1)["play"])
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    known = page.locator(".player.owner2 small")
    expect(known).to_have_text("won · level 3")
    assert [int(score.split()[0]) > 9 for score in page.locator(".score").all_inner_texts()] == [True, True]
    for part in (known, *page.locator(".player strong").all()):
        assert part.evaluate(lines) == [True, True], part.inner_text()


COVERED = """() => { const box = (e) => e.getBoundingClientRect();
  const labels = [...document.querySelectorAll(".board .spot.line .label")].map(box);
  return [...document.querySelectorAll(".step circle")].map(box).filter((step) => labels.some((label) =>
    step.left < label.right && label.left < step.right && step.top < label.bottom &&
    label.top < step.bottom)).length; }"""


def test_the_steps_of_the_best_line_cover_no_name_of_a_line(visitor):
    page = visitor(viewport=SIZES["phone"])
    page.goto("/analyze/number-cross?seed=5")
    page.get_by_label("Best line").check(force=True)
    page.locator(".step circle").first.wait_for()
    assert page.evaluate(COVERED) == 0


def test_no_word_is_broken_in_a_card_or_the_head_of_a_table(visitor):
    page = visitor(viewport=SIZES["phone"])
    page.goto(create(page, game="number-cross", seed=3, seats=PEOPLE, you=1)["play"])
    copy = page.get_by_role("button", name="Copy").first
    expect(copy).to_be_visible()
    wraps = "e => getComputedStyle(e).overflowWrap"
    assert copy.evaluate(wraps) == "normal"
    assert copy.evaluate("e => e.getClientRects().length") == 1 and copy.bounding_box()["height"] < 60


SPACED = "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; }"


CUT_OFF = """() => [...document.querySelectorAll(".button, .choice span, th, h1, h2")].filter((e) => {
  const { overflow, clipPath } = getComputedStyle(e);
  const larger = e.scrollWidth > e.clientWidth + 2 || e.scrollHeight > e.clientHeight + 2;
  return e.checkVisibility() && larger && overflow !== "visible" && clipPath === "none" && !e.closest(".recent");
}).map((e) => e.textContent)"""


@pytest.mark.parametrize("zoom", ["200 %", "400 %", "text spacing"])
def test_enlarged_pages_need_no_sideways_scrolling(visitor, zoom):
    size = {"200 %": (640, 400), "400 %": (320, 256), "text spacing": (360, 740)}[zoom]
    page = visitor(viewport=dict(zip(("width", "height"), size, strict=True)), bypass_csp=True)
    for address, sign in addresses(page).items():
        page.goto(address)
        page.locator(sign).first.wait_for()
        if zoom == "text spacing":
            page.add_style_tag(content=SPACED)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= size[0], f"{address} is {width} wide"
        cut = page.evaluate(CUT_OFF)
        assert not cut, f"{address} cuts off {cut}"


def test_forced_colors_leave_everything_to_be_seen(visitor):
    page = visitor(forced_colors="active")
    moves = ["1,1", "2,2", "3,3"]
    page.goto(create(page, game="capture-squares", seed=3, moves=moves, seats=PEOPLE, you="both")["play"])
    page.wait_for_selector(".spot.open")
    look = "e => { const s = getComputedStyle(e); return [s.stroke, s.strokeWidth, s.strokeDasharray]; }"
    free, one, two, last = (
        page.locator(f"{spot} .tile").first.evaluate(look)
        for spot in (".spot.free", ".spot.owner1:not(.last)", ".spot.owner2", ".spot.last")
    )
    assert len({tuple(each) for each in (free, one, two, last)}) == 4  # none is told by color alone
    ink = page.locator(".spot.owner1 .number").first.evaluate("e => getComputedStyle(e).fill")
    tile = page.locator(".spot.owner1 .tile").first.evaluate("e => getComputedStyle(e).fill")
    assert ink != tile
    turn = page.locator(".player.turn").evaluate("e => getComputedStyle(e).outlineStyle")
    assert turn == "solid"
    line = {"position": pg.load("matrix-capture").deal(4).text, "moves": "R1C1;R2C2"}
    page.goto(f"/analyze?{urlencode(line)}")
    page.locator(".turning li").first.wait_for()
    grounds = (".spot.free .tile", ".spot.gone .tile", ".tug .here .ground")
    assert len({page.locator(each).first.evaluate("e => getComputedStyle(e).fill") for each in grounds}) == 1

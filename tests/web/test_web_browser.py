"""The pages in a real browser: whole games, by mouse and by keyboard, by link, through reloads and restarts."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect
from tests_pages import SIZES, create
from tests_web import findings, until

import pentagrid as pg
from pentagrid.core.speech import player_names

PHONE, DESKTOP = SIZES["phone"], SIZES["desktop"]


def begin(page, name, how="screen", **fields):
    """Fill in the form and begin."""
    page.goto(f"/new/{name}?with={how}")
    if fields:
        page.locator("summary").click()
    for field, value in fields.items():
        control = page.locator(f"#{field}")
        control.select_option(value) if field in ("size",) or field.startswith("rule") else control.fill(value)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/play/*")
    page.wait_for_selector(".grid")


def made(page):
    return page.locator("#moves li").all_inner_texts()


def click_move(page):
    """Click something that can be chosen, until a move is made."""
    expect(page.locator(".spot.open").first).to_be_visible()  # it is this page's turn, and it knows
    before = len(made(page))
    page.locator(".spot.open").first.click()
    if page.locator(".spot.picked").count():
        page.locator(".spot.open:not(.picked)").first.click()
    expect(page.locator("#moves li").nth(before)).to_be_visible()  # a computer may have replied already


def over(page):
    return page.locator("#sentence").inner_text().startswith("The game is over")


@pytest.mark.parametrize("name", pg.game_names())
def test_a_whole_game_by_clicking(visitor, name):
    page = visitor()
    begin(page, name, **({"seed": "7"} if pg.load(name).has_numbers else {}))
    while not over(page):
        click_move(page)
    position = pg.load(name).deal(7)
    for move in made(page):
        position = position.play(move)
    names = player_names(position.game)
    winner = names[position.outcome().winner - 1]
    assert f"{winner} has won" in page.locator("#sentence").inner_text()
    assert page.locator(".player.winner strong").inner_text() == winner
    assert page.locator(".player strong").all_inner_texts() == list(names)
    if position.scores:
        assert [text.split()[0] for text in page.locator(".score").all_inner_texts()] == [
            str(score) for score in position.scores
        ]
    assert page.locator(".spot.open").count() == 0


def test_sudden_death_by_exchange_is_played_with_two_clicks(visitor):
    page = visitor()
    moves = ";".join(_history(3))
    page.goto(f"/new/capture-square?with=screen&size=3&sudden-death=exchange&moves={moves}")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".spot.open")
    assert len(made(page)) == 9
    page.locator(".spot.open").first.click()
    assert page.locator(".spot.picked").count() == 1
    page.locator(".spot.open:not(.picked)").first.click()
    expect(page.locator("#moves li")).to_have_count(10)
    assert re.fullmatch(r"[A-C][1-3] [A-C][1-3]", made(page)[-1])


def _history(size):
    """Moves that fill a board without a square."""
    start = pg.load("capture-square", size, sudden_death="exchange").deal()

    def search(position, moves):
        if len(moves) == size * size:
            return moves if position.turn else None
        for move in position.moves():
            after = position.play(move)
            if after.turn and (found := search(after, [*moves, move])):
                return found
        return None

    return search(start, [])


def test_a_whole_game_by_keyboard_alone(visitor):
    page = visitor()
    page.goto("/")
    page.get_by_role("link", name="A friend here on this screen at Number Grid Battle").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/new/number-grid-battle*")
    page.get_by_role("button", name="Begin").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".grid [tabindex='0']")
    page.locator(".grid [tabindex='0']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#moves li")).to_have_count(1)
    expect(page.locator("#said")).to_contain_text("Player 1 claimed cell")
    for number in range(2, 9):
        column = (number - 1) % 3
        page.keyboard.press("ArrowRight" if column else "ArrowDown")
        if not column:
            page.keyboard.press("Home")
        page.keyboard.press("Enter")
        expect(page.locator("#moves li")).to_have_count(number)
    page.locator("#move").focus()
    page.keyboard.type("0,0")
    page.keyboard.press("Enter")
    expect(page.locator("#typed-problem")).to_contain_text("Sorry")
    page.keyboard.press("Control+A")
    page.keyboard.type(pg.load("number-grid-battle").texts[8])
    page.complaints.clear()  # the refused move is a 422, which Chromium reports
    page.keyboard.press("Enter")
    expect(page.locator("#sentence")).to_contain_text("The game is over")


def test_two_browsers_play_by_link_and_a_third_watches(visitor):
    ann, bob, eve = visitor(), visitor(), visitor()
    ann.goto("/new/matrix-capture?with=link")
    ann.locator("#name").fill("Ann")
    ann.get_by_role("button", name="Begin").click()
    ann.wait_for_selector(".grid")
    until(lambda: ann.get_by_label("For the other player").input_value())
    link = ann.get_by_label("For the other player").input_value()
    watch = ann.get_by_label("For spectators").input_value()
    eve.goto(watch)
    bob.goto(link)
    bob.locator("#name").fill("Bob <b>")
    bob.get_by_role("button", name="Sit down").click()
    expect(ann.locator(".player.owner2 strong")).to_have_text("Bob <b>")
    expect(ann.locator(".player.owner2 small")).to_have_text("connected")
    assert "#" not in bob.url
    assert eve.locator(".spot.open").count() == 0 and bob.locator(".spot.open").count() == 0
    assert not ann.locator("#layers").is_visible() and not eve.locator("#layers").is_visible()
    click_move(ann)
    for page in (bob, eve):
        expect(page.locator("#moves li")).to_have_count(1)
    expect(bob.locator("#sentence")).to_have_text("Your move.")
    expect(bob.locator("#said")).to_contain_text("Ann selected number")
    bob.reload()
    click_move(bob)
    expect(ann.locator("#moves li")).to_have_count(2)
    bob.get_by_role("button", name="Ask to take back").click()
    ann.get_by_role("button", name="Agree").click()
    for page in (ann, bob, eve):
        expect(page.locator("#moves li")).to_have_count(1)
    bob.context.pages[0].goto("about:blank")
    expect(ann.locator(".player.owner2 small")).to_have_text("away")
    bob.go_back()
    expect(ann.locator(".player.owner2 small")).to_have_text("connected")
    bob.get_by_role("button", name="Resign").click()
    bob.get_by_role("button", name="Yes").click()
    for page in (ann, bob, eve):
        expect(page.locator("#sentence")).to_contain_text("Ann has won, because Bob <b> resigned.")
    ann.get_by_role("button", name="Rematch, seats swapped").click()
    ann.wait_for_url(lambda url: url != watch)
    bob.get_by_role("button", name="To the rematch").click()
    expect(bob.locator("#sentence")).to_have_text("Your move.")
    expect(ann.locator(".player.owner1 strong")).to_have_text("Bob <b>")
    expect(eve.get_by_role("link", name="Watch the rematch")).to_be_visible()


def test_the_link_is_not_for_the_one_who_made_it(visitor):
    ann = visitor()
    ann.goto("/new/number-cross?with=link")
    ann.get_by_role("button", name="Begin").click()
    ann.wait_for_selector(".grid")
    until(lambda: ann.get_by_label("For the other player").input_value())
    link = ann.get_by_label("For the other player").input_value()
    again = ann.context.new_page()
    again.goto(link)
    expect(again.locator("#notice")).to_contain_text("The link is for your friend")


def test_a_game_survives_reload_and_restart(visitor, serve):
    server = serve()
    page = visitor(server.address)
    begin(page, "capture-squares")
    for _ in range(3):
        click_move(page)
    moves = made(page)
    page.reload()
    page.wait_for_selector(".spot.open")
    assert made(page) == moves
    server.kill()
    expect(page.locator("#notice")).to_contain_text("The connection is lost")
    server.start()
    expect(page.locator("#notice")).to_be_hidden()
    click_move(page)
    assert made(page)[:3] == moves


def test_the_clock_is_shown_and_ends_the_game(visitor):
    page = visitor()
    begin(page, "matrix-capture", clock="2")
    expect(page.locator(".player.turn .clock")).to_have_text(re.compile(r"[0-2]\.\d"))
    expect(page.locator("#sentence")).to_have_text(
        "The game is over: Player 2 has won, because Player 1 ran out of time."
    )


def test_the_layers_show_what_the_library_says(visitor):
    page = visitor()
    for name in pg.game_names():
        position = pg.load(name).deal(3)
        position = position.play(position.moves()[0])
        page.goto(f"/analyze?position={position.text.replace(' ', '+')}")
        page.wait_for_selector(".grid")
        expected = pg.analyze(position)
        page.locator("input[name=layer][value='1']").check(force=True)
        assert page.locator(".spot.hinted").count() == len(position.moves())
        assert page.locator(".badge").count() == 0
        page.locator("input[name=layer][value='2']").check(force=True)
        expect(page.locator(".badge")).to_have_count(len(position.moves()))
        marks = page.locator(".token").all_inner_texts()
        texts = page.locator(".badge text").all_text_contents()
        assert texts == [marks[option.winner - 1] for option in expected.options]
        page.locator("input[name=layer][value='3']").check(force=True)
        for spot, option in zip(page.locator(".spot.badged").all(), expected.options, strict=True):
            text, label = spot.locator(".badge text").text_content(), spot.get_attribute("aria-label")
            assert text.startswith(marks[option.winner - 1])
            assert text.endswith(str(option.plies or abs(option.margin) or "tie"))
            assert ("best" in label) == option.best and option.move in label
        page.locator("input[name=layer][value='4']").check(force=True)
        assert page.locator("#line").inner_text() == "Best line: " + "; ".join(expected.line)
        from pentagrid.analysis.sentences import sentence

        assert page.locator("#truth").inner_text() == sentence(expected)


RECORD = """[Game "capture-squares"]
[Board "1 4 8 12/3 2 16 5/6 7 9 10/11 13 14 15"]
[Player1 "Ann"]
[Player2 "Bob"]

1. 1,1
2. 2,1
3. 1,2
4. 2,2
5. 4,4
*
"""


def test_a_record_is_opened_reviewed_and_played_on(visitor, tmp_path):
    page = visitor()
    file = tmp_path / "game.pentagrid"
    file.write_text(RECORD)
    page.goto("/analyze")
    page.set_input_files("#file", file)
    page.wait_for_selector("#turning:not([hidden])")
    assert page.locator(".moves tbody tr").count() == 5 and page.locator(".tug .now").count() == 6
    assert "Turning points" in page.locator("#turning").inner_text()
    for player in page.locator(".player small").all():
        assert "% best" in player.inner_text()
    page.locator(".moves .goto").nth(1).hover()
    expect(page.locator(".moves tr.lit")).to_have_count(1)
    expect(page.locator(".tug .lit")).to_have_count(1)
    page.locator(".moves .goto").nth(1).click()
    assert "at=2" in page.url and page.locator("#where").inner_text() == "2 of 5"
    page.locator(".tug .row").nth(3).locator(".road").first.hover()
    expect(page.locator(".spot.lit")).to_have_count(1)
    page.locator(".tug .row").nth(3).locator(".road").first.click()
    expect(page.locator("#where")).to_have_text("3 of 3")
    for made in (3, 4):
        page.get_by_role("button", name="Back to the game").click()
        expect(page.locator("#where")).to_have_text(f"{made} of 5")
        page.locator(".spot.open").first.click()
        expect(page.locator("#where")).to_have_text(f"{made + 1} of {made + 1}")
    page.get_by_role("button", name="Back to the game").click()
    page.locator("#back").click()
    page.locator("#back").click()
    expect(page.locator("#where")).to_have_text("3 of 5")
    address = page.url
    other = visitor()
    other.goto(address)
    expect(other.locator("#where")).to_have_text("3 of 5")
    other.get_by_role("button", name="Play on from here").click()
    other.get_by_label("Two people at this screen").check()
    other.get_by_role("button", name="Begin").click()
    other.wait_for_url("**/play/*")
    expect(other.locator("#moves li").nth(2)).to_have_text("1,2")
    assert other.locator(".player strong").all_inner_texts() == ["Ann", "Bob"]
    page.locator(".turning").get_by_role("button", name="Try it again from here").first.click()
    expect(page.locator("#play-on")).to_be_visible()
    before = page.locator("#where").inner_text()
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/play/*")
    page.wait_for_selector(".grid")
    assert page.locator("#moves li").count() >= int(before.split()[0])


@pytest.mark.parametrize("who", ["Me against the computer", "Two people at this screen"])
def test_any_position_can_be_played_on_from(visitor, who):
    page = visitor()
    position = pg.load("capture-squares").deal(5)
    for _ in range(3):
        position = position.play(position.moves()[0])
    page.goto(f"/analyze?{urlencode({'position': position.text})}")
    page.wait_for_selector(".spot.open")
    page.locator(".spot.open").first.click()
    expect(page.locator("#where")).to_have_text("1 of 1")
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator("#play-on")).to_contain_text("It is Player A’s turn")
    page.get_by_label(who).check()
    expect(page.locator("#level")).to_be_visible(visible="computer" in who)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/play/*")
    click_move(page)
    assert page.locator(".spot.owner1, .spot.owner2").count() >= 5
    if "computer" in who:
        expect(page.locator(".player.owner1 small")).to_contain_text("you")
        expect(page.locator("#moves li")).to_have_count(3)


def test_a_position_of_a_game_that_is_over_cannot_be_played_on_from(visitor):
    page = visitor()
    position = pg.load("number-cross").deal(5)
    while position.turn:
        position = position.play(position.moves()[0])
    page.goto(f"/analyze?{urlencode({'position': position.text})}")
    expect(page.locator("#truth")).to_contain_text("The game is over")
    expect(page.get_by_role("button", name="Play on from here")).to_have_count(0)


def test_after_a_game_it_can_be_reviewed_and_downloaded(visitor):
    page = visitor()
    begin(page, "number-cross")
    while not over(page):
        click_move(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Record file").click()
    from pentagrid.play.record import read_record_bytes

    found = read_record_bytes(download.value.path().read_bytes())
    assert found.match.moves == made(page)
    page.get_by_role("link", name="Review the game").click()
    page.wait_for_selector("#turning:not([hidden])")
    assert page.locator(".moves tbody tr").count() == 6


def test_a_phone(visitor):
    page = visitor(viewport=PHONE, has_touch=True, is_mobile=True)
    for path in ("/", "/rules/capture-square", "/new/matrix-capture", "/puzzle", "/analyze/capture-squares", "/api"):
        page.goto(path)
        page.wait_for_timeout(100)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"], f"{path} is {width} wide"
    begin(page, "matrix-capture")
    box = page.locator(".spot.open .tile").first.bounding_box()
    assert box["width"] >= 44 and box["height"] >= 44
    page.locator(".spot.open").first.tap()
    expect(page.locator("#moves li")).to_have_count(1)
    for button in page.locator(".controls .button, .typed .button").all():
        assert button.bounding_box()["height"] >= 44


def test_motion_is_reduced_where_it_is_asked(visitor):
    page = visitor(reduced_motion="reduce")
    begin(page, "matrix-capture")
    click_move(page)
    assert page.locator(".spot.last .tile").first.evaluate("e => getComputedStyle(e).animationName") == "none"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_found_on_any_page(visitor, scheme):
    page = visitor(color_scheme=scheme, reduced_motion="reduce")

    def check(where):
        assert not findings(page), where
        if scheme == "dark":  # one scheme is enough to find what depends on the size
            page.set_viewport_size(PHONE)
            assert not findings(page), f"{where} on a phone"
            page.set_viewport_size(DESKTOP)

    for path in ("/", "/rules/number-cross", "/new/capture-square?with=link", "/analyze", "/api", "/nothing"):
        page.goto(path)
        if page.locator("summary").count():
            page.locator("summary").first.click()
        check(path)
    page.complaints.clear()  # /nothing is a 404
    for name in pg.game_names():
        begin(page, name, "computer")
        page.locator(".spot.open").first.click()
        expect(page.locator("#moves li")).to_have_count(2)
        page.locator("input[name=layer][value='4']").check(force=True)
        page.wait_for_selector(".badge")
        check(f"play {name}")
        page.locator("input[name=layer][value='0']").check(force=True)
    begin(page, "number-cross", "link")
    check("play by link")
    page.goto("/analyze")
    page.locator("#text").fill(RECORD)
    page.get_by_role("button", name="Open").click()
    page.wait_for_selector("#turning:not([hidden])")
    page.get_by_role("button", name="Play on from here").click()
    check("review")
    page.get_by_role("button", name="Edit the board").click()
    check("editor")
    made = create(page, game="number-cross", seed=3, seats=[{"name": "Ann"}, {}], you=1, turn_seconds=600)
    page.goto(made["play"])
    page.locator("[data-key=c4]").click()
    page.get_by_role("button", name="Resign").click()
    page.locator(".settings summary").click()
    check("a number's lines, and really resign?")
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("link", name="Review the game")).to_be_visible()
    check("resigned")
    page.goto("/games")
    check("my games")
    page.set_input_files("#import", {"name": "x", "mimeType": "application/json", "buffer": b""})
    expect(page.locator(".notice")).to_be_visible()
    check("a notice")
    guest = visitor(color_scheme=scheme, reduced_motion="reduce")
    guest.goto(create(guest, game="matrix-capture", seats=[{"name": "Ann"}, {}], you=1)["play"])
    link = guest.get_by_label("For the other player")
    until(link.input_value)
    page.goto(link.input_value())
    page.wait_for_selector("#invited:not([hidden])")
    check("invited")

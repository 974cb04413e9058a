"""Looking back in the browser: one's own games, reviews on one screen, boards set up by hand, results to share."""

from __future__ import annotations

import json
import re
import textwrap
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect
from tests_pages import PEOPLE, SIZES, create, shown_whole
from tests_puzzles import answer, arrive, tempting
from tests_web import until

import pentagrid as pg
from pentagrid.core.catalog import find
from pentagrid.core.pasted_board import positions_of
from pentagrid.core.position_reader import restore
from pentagrid.core.rulebook import rules_of
from pentagrid.core.speech import speech_for
from pentagrid.play.levels import LEVEL_NAMES


def resigned(page, **body):
    """A game that the visitor gave up, with its page open; returns its id."""
    made = create(page, **({"game": "number-grid-battle", "seed": 3, "seats": PEOPLE, "you": 1} | body))
    page.goto(made["play"])
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("link", name="Review the game")).to_be_visible()
    return made["id"]


def test_my_games_are_listed_exported_and_imported(visitor, tmp_path):
    page, other = visitor(), visitor()
    page.goto("/games")
    expect(page.locator("#none")).to_be_visible()
    game = resigned(page, seats=[{"name": "Ann"}, {"kind": "level:2"}])
    page.goto(create(page, game="matrix-capture", seats=PEOPLE, you=1)["play"])
    page.wait_for_selector(".spot")
    page.goto("/games")
    expect(page.locator("#running li")).to_have_text("Matrix Capture against Bob · your turn")
    row = page.locator("#finished tbody tr")
    expect(row.locator("th, td").nth(1)).to_have_text("Number Grid Battle")
    expect(row.locator("td").nth(1)).to_have_text("the computer (level 2)")
    expect(row.locator("td").nth(2)).to_have_text("Lost · Player 2 has won, because Ann resigned.")
    assert re.search(r"20\d\d", row.locator("td").first.inner_text())
    expect(row.get_by_role("link")).to_have_attribute("href", f"/analyze?kept={game}")
    page.set_viewport_size(SIZES["phone"])
    assert all(shown_whole(page, f"#finished {part}") for part in ("tbody .button", "tbody th", "td.against"))
    assert page.locator("#finished .scroll").evaluate("e => e.scrollWidth <= e.clientWidth")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    file = tmp_path / "games.json"
    download.value.save_as(file)
    assert [each["id"] for each in json.loads(file.read_text())["games"]][1] == game
    other.goto("/games")
    other.set_input_files("#import", {"name": "x.json", "mimeType": "application/json", "buffer": b"[1]"})
    expect(other.locator("#notice")).to_contain_text("This is not a file of games")
    other.set_input_files("#import", file)
    expect(other.locator("#notice")).to_have_text("")
    expect(other.locator("#finished tbody tr")).to_have_count(1)
    other.set_input_files("#import", file)  # the same again adds nothing
    expect(other.locator("#said")).to_have_text("0 games added.")
    other.route("**/api/games/*", lambda route: route.abort())  # a server may have forgotten the game
    other.get_by_role("link", name="Review").click()
    expect(other.locator("#title")).to_have_text("Number Grid Battle")
    other.complaints.clear()


def test_my_games_fetch_the_record_of_a_game_that_was_left_at_its_end(visitor):
    page = visitor()
    page.route("**/record", lambda route: route.abort())
    game = resigned(page, seats=[{"name": "Ann"}, {"kind": "level:2"}])
    page.unroute("**/record")
    page.goto("/games")
    expect(page.locator("#finished").get_by_role("link")).to_have_attribute("href", f"/analyze?kept={game}")
    page.complaints.clear()


def test_my_games_tell_what_happened_while_nobody_looked(visitor):
    ann, bob = visitor(), visitor()
    games = [create(ann, game="capture-square", seats=[{"name": "Ann"}, {}], you=1) for _ in range(2)]
    for made in games:
        ann.goto(made["play"])
        ann.wait_for_selector(".spot.open")
        ann.locator(".spot.open").first.click()
        expect(ann.locator("#moves li")).to_have_count(1)
        bob.goto(made["invitation"])
        bob.get_by_role("button", name="Sit down").click()
        expect(bob.locator("#sentence")).to_have_text("Your move.")
    ann.goto("/games")
    expect(ann.locator("#running li")).to_have_text(["Capture Square against Player 2 · Player 2 to move"] * 2)
    bob.locator(".spot.open").first.click()
    expect(bob.locator("#moves li")).to_have_count(2)
    bob.goto(games[0]["play"])
    bob.get_by_role("button", name="Resign").click()
    bob.get_by_role("button", name="Yes").click()
    expect(bob.get_by_role("link", name="Review the game")).to_be_visible()
    ann.reload()
    expect(ann.locator("#running li")).to_have_text("Capture Square against Player 2 · your turn")
    expect(ann.locator("#finished tbody tr")).to_contain_text("Won · Ann has won, because Player 2 resigned.")
    ann.route("**/api/games?*", lambda route: route.abort())  # without the server they stand as they were known
    ann.reload()
    expect(ann.locator("#running li")).to_have_text("Capture Square against Player 2 · your turn")


def line_of(moves=12, seed=3):
    position = start = pg.load("capture-squares").deal(seed)
    made = []
    for _ in range(moves):
        made.append(position.moves()[-1])
        position = position.play(made[-1])
    return start, made


def late_mistake():
    """A line of play whose first mistake comes after eight moves, and what comes after them."""
    position = start = pg.load("capture-squares").deal(3)
    made = []
    while position.turn:
        best, worst = (sorted(pg.analyze(position).options, key=lambda option: option.regret)[i] for i in (0, -1))
        made.append((best if len(made) < 8 else worst).move)
        position = position.play(made[-1])
    return start, made


@pytest.mark.parametrize("size", SIZES)
def test_a_turning_point_late_in_a_game_is_seen_on_the_chart_too(visitor, size):
    page = visitor(viewport=SIZES[size])
    start, moves = late_mistake()
    page.goto(f"/analyze?{urlencode({'position': start.text, 'moves': ';'.join(moves), 'names': 'Ann,Bob'})}")
    expect(page.locator("#where")).to_have_text(f"9 of {len(moves)}")
    for selector in (".grid", "#truth", ".tug .row.here"):
        assert shown_whole(page, selector), selector
    chart, scale, row = (page.locator(part).bounding_box() for part in (".chart", ".tug .scales", ".tug .row.here"))
    assert chart["y"] <= scale["y"] + 1 and scale["y"] + scale["height"] <= row["y"] + 1  # it stays above the rows
    assert row["y"] + row["height"] <= chart["y"] + chart["height"]


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_review_opens_at_the_first_turning_point_on_one_screen(visitor, size):
    page = visitor(viewport=SIZES[size], has_touch=size == "phone")
    start, moves = line_of()
    turning = next(
        choice for choice in pg.review(start, [start.game.action(m) for m in moves]).choices if choice.regret
    )
    page.goto(f"/analyze?{urlencode({'position': start.text, 'moves': ';'.join(moves), 'names': 'Ann,Bob'})}")
    expect(page.locator("#where")).to_have_text(f"{turning.number} of {len(moves)}")
    expect(page.locator("#truth")).to_contain_text("best was")
    for player in page.locator(".player small").all():
        assert re.search(r"\d+% best", player.inner_text())
    for selector in (".grid", "#truth", ".tug .row.here"):
        assert shown_whole(page, selector), selector
    assert page.locator(".tug .scale").count() >= 3
    rows = page.locator(".tug .ground")
    assert all(row.bounding_box()["height"] >= 40 for row in rows.all())
    page.mouse.wheel(0, 500)
    until(lambda: page.evaluate("scrollY") > 100)
    assert shown_whole(page, ".grid")  # it stays while one reads on
    page.evaluate("scrollTo(0, 0)")
    if size == "phone":
        rows.nth(2).scroll_into_view_if_needed()
        box = rows.nth(2).bounding_box()
        page.touchscreen.tap(box["x"] + 20, box["y"] + box["height"] / 2)
        expect(page.locator("#where")).to_have_text(f"2 of {len(moves)}")


HINTS = """addEventListener("DOMContentLoaded", () => { window.hints = [];
  new MutationObserver(() => window.hints.push([document.querySelector("#chart-hint").textContent,
    document.querySelectorAll(".tug .row").length])).observe(document.querySelector("#chart"), { childList: true });
})"""


def test_a_review_shows_its_first_moves_at_once_with_progress(visitor):
    page = visitor()
    page.add_init_script(HINTS)
    position = start = pg.load("capture-squares", 6).deal(1)
    moves = []
    while position.turn:
        moves.append(position.moves()[0])
        position = position.play(moves[-1])
    page.goto(f"/analyze?{urlencode({'position': start.text, 'moves': ';'.join(moves)})}")
    page.locator(".turning li").first.wait_for(timeout=30_000)
    hints = dict(page.evaluate("window.hints"))
    under_way = {words: rows for words, rows in hints.items() if words.endswith("worked out…")}
    assert len(under_way) > 3, hints
    assert all(words == f"{rows} of {len(moves) + 1} positions worked out…" for words, rows in under_way.items())
    assert page.locator(".tug .row").count() == len(moves) + 1
    page.locator(".tug .now.winner0").first.click()
    expect(page.locator("#truth")).to_contain_text(re.compile("Who should win is not known yet .*between [-+]"))


def test_an_address_keeps_names_with_commas_and_older_ones_are_read(visitor):
    page = visitor()
    start, moves = line_of(4)
    record = f'[Game "capture-squares"]\n[Board "{start.game.write_board(start, " ")}"]\n[Player1 "Smith, Ann"]\n'
    text = record + "".join(f"{i}. {move}\n" for i, move in enumerate(moves, 1)) + "*\n"
    page.goto("/analyze")
    page.locator("#text").fill(text)
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".player strong")).to_have_text(["Smith, Ann", "Player B"])
    page.locator(".turning li").first.wait_for()
    page.reload()
    expect(page.locator(".player strong")).to_have_text(["Smith, Ann", "Player B"])
    page.goto(f"/analyze?{urlencode({'position': start.text, 'names': 'Ann,Bob'})}")
    expect(page.locator(".player strong")).to_have_text(["Ann", "Bob"])


def test_an_analysis_begins_with_who_wins(visitor):
    page = visitor()
    page.goto("/analyze/matrix-capture?seed=5")
    expect(page.locator(".badge")).to_have_count(16)
    expect(page.locator("#truth")).to_contain_text("should win")


def test_a_board_is_set_up_by_hand(visitor):
    page = visitor()
    page.goto("/analyze/capture-squares?seed=5")
    page.get_by_role("button", name="Edit the board").click()
    first, second = page.get_by_label("Number in row 1, column 1"), page.get_by_label("Number in row 1, column 2")
    expect(first).to_be_focused()
    was, wanted = first.input_value(), second.input_value()
    first.fill(wanted)
    second.focus()
    assert second.input_value() == was  # each number occurs once: they trade places
    page.get_by_label("Owner of row 1, column 1: nobody").click()
    page.get_by_label("Whose turn is it?").select_option("Player A")
    page.get_by_role("button", name="Use this board").click()
    expect(page.locator("#editor .problem")).to_contain_text("it is the turn of seat 2")
    page.get_by_label("Whose turn is it?").select_option("as the board says")
    page.get_by_role("button", name="Use this board").click()
    expect(page.locator("[data-key=c0]")).to_have_attribute(
        "aria-label", re.compile(f"^Row 1, column 1: {wanted}, Player A's")
    )
    expect(page.locator(".badge")).to_have_count(15)
    assert f"board%3D{wanted}%2C{was}" in page.url
    page.goto("/analyze/number-cross?seed=5")
    page.get_by_role("button", name="Edit the board").click()
    page.get_by_label("Owner of Row1: nobody").click()
    page.get_by_role("button", name="Use this board").click()
    expect(page.locator("[data-key=l0]")).to_have_class(re.compile("owner1"))
    page.get_by_role("button", name="Edit the board").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".grid")).to_be_visible()
    page.complaints.clear()  # the refused board


@pytest.mark.parametrize("size", SIZES)
def test_a_board_is_edited_where_it_is_seen_and_its_owners_are_told(visitor, size):
    page = visitor(viewport=SIZES[size])
    position = pg.load("capture-squares").deal(5)
    page.goto(f"/analyze?{urlencode({'position': position.play(position.moves()[0]).text})}")
    page.get_by_role("button", name="Edit the board").click()
    expect(page.locator("#editor input").first).to_be_focused()
    assert shown_whole(page, "#editor input")
    owner = page.get_by_label("Owner of row 1, column 1")
    expect(owner).to_have_accessible_name("Owner of row 1, column 1: Player A")
    page.get_by_role("button", name="Nobody owns anything").click()
    expect(owner).to_have_accessible_name("Owner of row 1, column 1: nobody")


def test_a_mistyped_number_never_trades_places(visitor):
    page = visitor()
    page.goto("/analyze/capture-squares?seed=5")
    page.get_by_role("button", name="Edit the board").click()
    first, second, third = (page.get_by_label(f"Number in row 1, column {i}") for i in (1, 2, 3))
    one, two, three = (field.input_value() for field in (first, second, third))
    first.fill("99")
    second.fill(one)  # the number is free now
    first.fill(three)
    second.focus()
    assert [field.input_value() for field in (first, second, third)] == [three, one, two]


def test_a_board_without_a_name_is_understood_or_asked_about(visitor):
    page = visitor()
    page.goto("/analyze")
    page.locator("#text").fill("5 3 6 2\n4 7 1 8\n9 2 5 3\n6 4 7 1")
    page.get_by_role("button", name="Open").click()
    expect(page.locator("#title")).to_have_text("Matrix Capture")  # no other game has the same number twice
    page.goto("/analyze")
    page.locator("#text").fill("| 4 | 9 | 2 |\n| 3 | 5 | 7 |\n| 8 | 1 | 6 |")
    page.get_by_role("button", name="Open").click()
    expect(page.locator("#which-title")).to_be_focused()
    names = page.locator("#which button").all_inner_texts()
    assert {"Number Cross", "Number Grid Battle", "Matrix Capture"} <= set(names)
    page.get_by_role("button", name="Number Cross", exact=True).click()
    expect(page.locator("#title")).to_have_text("Number Cross")
    page.locator("#text").fill("1 2 3\n4 5")
    page.get_by_role("button", name="Open").click()
    expect(page.locator("#notice")).to_contain_text("a board is as many rows as columns")
    for wrong, board in (("0", "0 0/0 0"), ("99999999", "99999999 1 2/3 4 5/6 7 8")):
        page.locator("#text").fill(board)
        page.get_by_role("button", name="Open").click()
        expect(page.locator("#notice")).to_contain_text(
            f"{wrong} is not on a Matrix Capture board: the numbers are 1 to 9."
        )
    page.complaints.clear()


def test_pasted_boards_mean_every_game_that_can_have_them():
    position = pg.load("capture-squares").deal(2)
    assert [each.text for each in positions_of(position.text)] == [position.text]
    (marks,) = positions_of("X O . .\n. X . .\n. . O .\n. . . .")
    assert marks.game.name == "capture-square" and marks.owner(0) == 1 and marks.owner(1) == 2
    with pytest.raises(pg.PentagridError, match="neither a record"):
        positions_of("7")


def test_a_daily_result_is_text_that_gives_nothing_away(visitor):
    page = visitor(reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"])
    puzzle = arrive(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#hint")).to_be_visible()
    answer(page, tempting(puzzle))
    page.get_by_role("button", name="Try again").click()
    answer(page, puzzle.move)
    page.get_by_role("button", name="Share the result").click()
    expect(page.locator("#said")).to_have_text("Copied.")
    first, second, third, link = page.evaluate("navigator.clipboard.readText()").split("\n")
    day = re.search(r"\d{4}-\d\d-\d\d", first)[0]
    assert second.startswith(puzzle.position.game.title) and second.count("●") == puzzle.difficulty
    assert third == "❌✅ with a hint" and link.endswith(f"/puzzle?daily={day}")
    assert puzzle.move not in "\n".join((first, second, third))


def test_a_page_can_be_printed(visitor):
    page = visitor()
    start, moves = line_of(4)
    page.goto(f"/analyze?{urlencode({'position': start.text, 'moves': ';'.join(moves)})}")
    page.locator(".turning").wait_for()
    page.emulate_media(media="print")
    for hidden in (".top", "#controls", "#layers", "#steps"):
        expect(page.locator(hidden)).to_be_hidden()
    for printed in (".grid", ".tug", "#truth", ".moves"):
        expect(page.locator(printed)).to_be_visible()
    assert page.locator(".board-side").evaluate("e => getComputedStyle(e).position") == "static"


@pytest.mark.parametrize("name", pg.game_names())
def test_the_boards_of_the_rules_are_positions_and_the_page_draws_them(client, name):
    blocks = re.findall(r"^ *```\n(.*?)^ *```", rules_of(name), re.M | re.S)
    examples = speech_for(pg.load(name)).examples
    assert len(blocks) == len(examples)
    for block, example in zip(blocks, examples, strict=True):
        position = restore(find(name), example.split())
        drawn = "\n".join(line.rstrip() for line in speech_for(position.game).board(position))
        assert textwrap.dedent(block).strip() == textwrap.dedent(drawn).strip()
    page = client.get(f"/rules/{name}").text.partition("<article")[2]
    assert page.count('<svg class="picture"') == len(examples)
    assert "<pre" not in page and "pentagrid " not in page and "--" not in page


def test_options_and_levels_are_offered_in_words(client):
    page = client.get("/new/matrix-capture").text
    assert "Thue–Morse: the most even" in page and "yes, the second player may swap sides" in page
    assert "Points that the second player receives beyond the score" in page and ">thue-morse<" not in page
    assert '<input id="rule-komi"' in page  # any number, not a list with only 0
    assert all(name in page for name in LEVEL_NAMES)


def test_addresses_of_nothing_lead_to_what_there_is(visitor):
    page = visitor()
    for address in ("/new/chess", "/rules/chess", "/analyze/chess"):
        assert page.goto(address).status == 404
        expect(page.locator("main")).to_contain_text("There is no game 'chess'.")
        assert page.locator("main nav a").count() == len(pg.game_names())
    assert page.goto("/rules").status == 200 and page.locator("article").count() == 1
    page.goto("/puzzle?daily=2999-01-01")
    expect(page.locator("#no-puzzle")).to_contain_text("2999-01-01")
    page.complaints.clear()  # the pages that are not there


def test_a_review_that_does_not_come_says_so_and_can_be_asked_for_again(visitor):
    page = visitor()
    made = create(page, game="matrix-capture", seed=5, seats=PEOPLE, you="both")
    page.goto("/analyze/matrix-capture?seed=5")
    expect(page.locator("#notice")).to_contain_text("its values are hidden until then")
    expect(page.locator("#truth")).to_have_text("Player 1 to move: 16 possible moves.")
    with page.context.expect_page() as other:
        page.evaluate("address => { open(address); }", made["play"])
    other.value.get_by_role("button", name="Resign").click()
    other.value.get_by_role("button", name="Yes").click()
    expect(other.value.get_by_role("link", name="Review the game")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#truth")).to_contain_text("should win")
    expect(page.locator("#notice")).to_have_text("")
    page.complaints.clear()  # the refused review, which Chromium reports


def hold_review(page):
    """The next review is worked out and does not come; a list of its request and its lines."""
    held = []
    page.route("**/api/review", lambda route: held.extend((route, route.fetch().text().splitlines(keepends=True))))
    return held


def arrived(page, held):
    until(lambda: page.evaluate("1") and held)
    return held


def test_a_review_that_breaks_off_keeps_what_has_come(visitor):
    page = visitor()
    start, moves = line_of(4)
    review = pg.review(start, [start.game.action(move) for move in moves])
    held = hold_review(page)
    page.goto(f"/analyze?{urlencode({'position': start.text, 'moves': ';'.join(moves)})}")
    request, lines = arrived(page, held)
    request.abort()
    expect(page.locator("#notice")).to_contain_text("The server cannot be reached")
    expect(page.locator("#truth")).to_contain_text("possible moves")
    expect(page.locator("#story")).to_be_hidden()
    assert "…" not in page.locator("#players").inner_text()
    problem = json.dumps({"kind": "problem", "code": "busy", "message": "Too much."})
    page.route("**/api/review", lambda route: route.fulfill(body=f"{lines[0]}{problem}\n"))
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#notice")).to_contain_text("Too much.")
    expect(page.locator("#chart-hint")).to_have_text(f"1 of {len(moves) + 1} positions worked out.")
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    turning = next(choice for choice in review.choices if choice.regret)
    expect(page.locator("#where")).to_have_text(f"{turning.number} of {len(moves)}")


def test_focus_stays_while_a_review_comes_and_is_read(visitor):
    page = visitor()
    start, moves = line_of()
    held = hold_review(page)
    page.goto(f"/analyze?{urlencode({'position': start.text, 'moves': ';'.join(moves)})}")
    request, lines = arrived(page, held)
    rules = page.get_by_role("link", name="Rules")
    rules.focus()
    request.fulfill(body="".join(lines))
    page.locator(".turning li").first.wait_for()
    expect(rules).to_be_focused()
    for button in (page.locator(".turning button").first, page.locator(".moves .goto").nth(3)):
        button.press("Enter")
        expect(button).to_be_focused()
    expect(page.locator("#where")).to_have_text(f"4 of {len(moves)}")

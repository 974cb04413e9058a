"""Playing in the browser as it should feel: paced, marked, told beside the board, and calm when the network is not."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests_pages import PEOPLE, SIZES, create, shown_whole
from tests_web import until

import pentagrid as pg

BOARD = "5 12 3 16/10 1 14 6/11 8 2 15/9 13 4 7"
BEFORE = ["1,4", "3,4", "2,3", "4,2", "2,1"]


def at_table(page, **body):
    """A new game, with its page open."""
    page.goto(create(page, **({"seats": PEOPLE} | body))["play"])
    page.wait_for_selector(".spot")


def classes(page, key):
    return page.locator(f"[data-key={key}]").get_attribute("class").split()


@pytest.mark.parametrize(("motion", "least", "most"), [("no-preference", 600, 2000), ("reduce", 150, 600)])
def test_the_computers_reply_waits_until_ones_own_move_was_seen(visitor, motion, least, most):
    page = visitor(reduced_motion=motion)
    at_table(page, game="capture-square", seats=[{}, {"kind": "level:3"}], you=1)
    page.locator("[data-key=c5]").click()
    expect(page.locator("#moves li")).to_have_count(2)  # its table has been made
    page.evaluate(
        """() => { window.seen = []; window.heard = [];
        new MutationObserver(() => { const n = document.querySelectorAll("#moves li").length;
          if (n !== window.seen.at(-1)?.[0]) window.seen.push([n, performance.now()]); })
          .observe(document.querySelector("#moves"), { childList: true });
        new MutationObserver(() => { const text = document.querySelector("#said").textContent;
          if (text) window.heard.push(text); }).observe(document.querySelector("#said"), { childList: true }); }"""
    )
    page.locator(".spot.open").first.click()
    expect(page.locator("#moves li")).to_have_count(4)
    (_, mine), (_, reply) = page.evaluate("window.seen")
    assert least <= reply - mine <= most
    expect(page.locator("#said")).to_contain_text("Player 2")
    first, second = page.evaluate("window.heard")
    assert "Player 1" in first and "Player 2" in second  # both are announced, in order
    page.locator(".settings summary").click()
    page.locator("#pace").select_option("at once")
    page.reload()
    expect(page.locator("#pace")).to_have_value("0")


def test_a_move_shows_what_it_captured_removed_and_won(visitor):
    page = visitor()
    at_table(page, game="capture-squares", board=BOARD, moves=BEFORE)
    page.locator("[data-key=c8]").click()
    expect(page.locator("[data-key=c4]")).to_have_class("spot cell owner2 captured")
    assert "last" in classes(page, "c8") and page.locator(".captured").count() == 1
    assert "just captured" in page.locator("[data-key=c4]").get_attribute("aria-label")
    expect(page.locator("#deed")).to_have_text("Bob claims 11 at 3,1 and captures 10 at 2,1.")
    page.reload()  # it is still so
    expect(page.locator("#deed")).to_have_text("Bob claims 11 at 3,1 and captures 10 at 2,1.")
    assert "captured" in classes(page, "c4")
    hover = page.locator("[data-key=c0]")
    hover.hover()
    look = "e => { const s = getComputedStyle(e); return [s.stroke, s.strokeWidth]; }"
    tiles = [page.locator(f"[data-key={key}] .tile").evaluate(look) for key in ("c0", "c8")]
    assert tiles[0] != tiles[1]  # what is pointed at does not look like the last move
    at_table(page, game="matrix-capture", seed=7)
    page.locator("[data-key=c5]").click()
    expect(page.locator(".removed")).to_have_count(6)
    at_table(page, game="capture-square", moves=["A1", "D1", "A2", "D2", "B1", "D4"])
    page.locator("[data-key=c5]").click()
    expect(page.locator(".winning")).to_have_count(4)


@pytest.mark.parametrize("size", SIZES)
def test_turn_last_move_and_refusal_stand_beside_the_board(visitor, size):
    page = visitor(viewport=SIZES[size])
    at_table(page, game="matrix-capture", seed=7, moves=["R1C1"])
    board = page.locator("#board").bounding_box()
    page.locator("[data-key=c1]").click(force=True)
    problem = page.locator("#typed-problem")
    expect(problem).to_contain_text("Sorry")
    page.complaints.clear()  # the refused move is a 422, which Chromium reports
    for selector in (".grid", "#typed-problem", "#sentence"):
        assert shown_whole(page, selector), selector
    assert page.locator("#board").bounding_box() == board
    page.locator("[data-key=c5]").click()
    expect(page.locator("#moves li")).to_have_count(2)
    expect(problem).to_have_text("")
    assert shown_whole(page, "#deed") and page.locator("#board").bounding_box() == board


def test_a_line_lights_up_with_its_sum_and_a_number_offers_its_lines(visitor):
    page = visitor()
    at_table(page, game="number-cross", board="4 9 2/3 5 7/8 1 6", seats=[{}, {}])
    row = page.locator("[data-key=l1]")
    row.hover()
    lit = "els => els.map((e) => e.dataset.key)"
    assert page.locator(".spot.lit").evaluate_all(lit) == ["c3", "c4", "c5", "l1"]
    expect(row.locator(".sum")).to_be_visible()
    assert row.locator(".sum").text_content() == "= 15" and "sum 15" in row.get_attribute("aria-label")
    page.mouse.move(1, 1)
    page.locator("[data-key=l4]").focus()
    assert page.locator(".spot.lit").evaluate_all(lit) == ["c1", "c4", "c7", "l4"]
    page.locator("[data-key=c4]").click()
    offer = page.get_by_role("group", name="The lines of 5")
    assert offer.get_by_role("button").all_inner_texts() == ["Row2 = 15", "Col2 = 15"]
    expect(offer.get_by_role("button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(offer).to_have_count(0)
    expect(page.locator("[data-key=c4]")).to_be_focused()
    page.keyboard.press("Enter")
    offer.get_by_role("button", name="Col2 = 15").click()
    expect(page.locator("#moves li")).to_have_text(["Col2"])
    page.locator("[data-key=c4]").click()
    assert offer.get_by_role("button").all_inner_texts() == ["Row2 = 15"]  # the other one is taken


def stall_once(page, pattern):
    """The next request to this address is never answered; those after it are."""
    held = []
    page.route(pattern, lambda route: route.continue_() if held else held.append(route))


def test_a_move_on_its_way_looks_so_and_can_be_sent_again(visitor):
    page = visitor()
    page.clock.install()
    at_table(page, game="matrix-capture", seed=7, seats=[{}, {}])
    board = page.locator("#board").bounding_box()
    stall_once(page, "**/moves")
    page.locator("[data-key=c5]").click()
    expect(page.locator("[data-key=c5]")).to_have_class("spot cell free sending")
    expect(page.locator("#sentence")).to_have_text("R2C2 is on its way…")
    page.locator("#move").fill("R1C1")
    page.keyboard.press("Enter")
    page.clock.run_for(50)
    expect(page.locator("#typed-problem")).to_have_text("R2C2 is on its way; wait for it.")
    expect(page.locator("#move")).to_have_value("R1C1")  # it is not lost
    expect(page.locator("#notice")).to_have_text("")
    page.clock.run_for(5100)
    expect(page.locator("#notice")).to_contain_text("The server has not answered: R2C2 may not have arrived.")
    assert page.locator("#board").bounding_box() == board
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#moves li")).to_have_text(["R2C2"])
    expect(page.locator("#notice")).to_have_text("")
    assert page.locator(".sending").count() == 0


def test_a_move_that_could_not_be_sent_sets_out_again_after_a_pause(visitor):
    page = visitor()
    page.clock.install()
    at_table(page, game="matrix-capture", seed=7, seats=[{}, {}])
    page.route("**/moves", lambda route: route.abort(), times=2)
    page.locator("[data-key=c5]").click()
    expect(page.locator("#sentence")).to_have_text("R2C2 has not arrived.")
    for _ in range(2):  # no connection was lost, and none comes back
        page.clock.run_for(3100)
    expect(page.locator("#moves li")).to_have_text(["R2C2"])
    expect(page.locator("#notice")).to_have_text("")


def test_two_players_and_a_spectator_while_the_network_goes_and_comes(visitor):
    ann, bob, eve = visitor(), visitor(), visitor()
    made = create(ann, game="capture-square", seats=[{"name": "Ann"}, {}], you=1)
    ann.goto(made["play"])
    bob.goto(made["invitation"])
    bob.get_by_role("button", name="Sit down").click()
    eve.goto(made["watch"])
    for page, words in ((bob, "It is Ann’s turn."), (eve, "You are watching. It is Ann’s turn.")):
        page.locator("[data-key=c0]").click(force=True)
        expect(page.locator("#typed-problem")).to_have_text(words)
    expect(ann.locator(".player.owner2 small")).to_have_text("connected")
    ann.locator("[data-key=c0]").click()
    for page in (bob, eve):
        expect(page.locator("#moves li")).to_have_count(1)
        expect(page.locator("#typed-problem")).to_have_text("")
    bob.context.set_offline(True)
    bob.locator("[data-key=c1]").click()
    expect(bob.locator("#notice")).to_contain_text("B1 has not arrived")
    expect(bob.locator(".sending")).to_have_count(1)
    expect(bob.locator("#sentence")).to_have_text("B1 has not arrived.")
    box = bob.locator("#board").bounding_box()
    bob.context.set_offline(False)  # it sets out again by itself
    for page in (ann, bob, eve):
        expect(page.locator("#moves li")).to_have_text(["A1", "B1"])
    expect(bob.locator("#notice")).to_have_text("")
    assert bob.locator("#board").bounding_box() == box
    expect(eve.locator("#deed")).to_contain_text("Player 2 marks B1")
    stall_once(ann, "**/moves")
    ann.locator("[data-key=c2]").click()
    expect(ann.locator("#sentence")).to_have_text("C1 is on its way…")
    expect(eve.locator("#moves li")).to_have_count(2)
    ann.reload()  # it is not lost: it sets out again, and is made once
    for page in (ann, bob, eve):
        expect(page.locator("#moves li")).to_have_text(["A1", "B1", "C1"])
    bob.locator("[data-key=c5]").click()
    expect(ann.locator("#moves li")).to_have_count(4)
    ann.reload()
    expect(ann.locator("#sentence")).to_have_text("Your move.")
    expect(ann.locator("#moves li")).to_have_count(4)
    for page in (ann, bob, eve):
        page.complaints.clear()


class Line:
    """The live connections of a page. One can stall: nothing comes any more, and nothing is closed."""

    def __init__(self, page):
        self.made, self.pongs, self.stalled = 0, 0, 0
        page.route_web_socket("**/events*", self.connect)

    def connect(self, route):
        self.made += 1
        number = self.made

        def passed_on(message):
            if number > self.stalled:
                self.pongs += message == '{"type": "pong"}'
                route.send(message)

        route.connect_to_server().on_message(passed_on)

    def stall(self, more=0):
        """The last connection stalls, and so many more of those to come."""
        self.stalled = self.made + more


def test_a_connection_that_stalls_is_made_anew(visitor):
    ann, bob = visitor(), visitor()
    made = create(ann, game="capture-square", seats=[{"name": "Ann"}, {}], you=1)
    ann.goto(made["play"])
    line = Line(bob)
    bob.clock.install()
    bob.goto(made["invitation"])
    bob.get_by_role("button", name="Sit down").click()
    expect(ann.locator(".player.owner2 small")).to_have_text("connected")
    connections = line.made
    bob.clock.run_for(10_000)
    until(lambda: bob.evaluate("1") and line.pongs)
    bob.clock.run_for(6000)
    assert line.made == connections  # it was heard
    line.stall(1)
    ann.locator("[data-key=c0]").click()
    bob.clock.run_for(10_000)
    assert bob.locator("#moves li").count() == 0
    bob.clock.run_for(5100)
    expect(bob.locator("#notice")).to_contain_text("The connection is lost")
    bob.clock.run_for(6000)
    expect(bob.locator("#moves li")).to_have_text(["A1"])
    expect(bob.locator("#notice")).to_have_text("")
    expect(bob.locator("#sentence")).to_have_text("Your move.")


def test_a_move_that_was_answered_is_seen_although_the_connection_stalls(visitor):
    page = visitor()
    line = Line(page)
    at_table(page, game="matrix-capture", seed=7, seats=[{}, {"kind": "level:2"}], you=1)
    line.stall()
    page.locator("[data-key=c5]").click()
    expect(page.locator("#moves li")).to_have_count(2)
    expect(page.locator("#sentence")).to_have_text("Your move.")


def test_the_result_says_whether_you_won_and_by_how_much(visitor):
    page, other = visitor(), visitor()
    moves, computer = pg.load("number-grid-battle").texts, [{}, {"kind": "level:1"}]
    position = pg.load("number-grid-battle").deal(5)
    for move in moves:
        position = position.play(move)
    margin = position.game.margin(position)
    ends = [f"You {'won' if won else 'lost'} by {abs(margin)}." for won in (margin > 0, margin < 0)]
    at_table(page, game="number-grid-battle", seed=5, moves=moves[:8], seats=computer, you=1)
    page.locator(".spot.open").click()
    expect(page.locator("#sentence")).to_contain_text(ends[0])
    people = create(page, game="number-grid-battle", seed=5, moves=moves[:8], you=1)
    page.goto(people["play"])
    other.goto(people["invitation"])
    other.get_by_role("button", name="Sit down").click()
    expect(other.locator("#sentence")).to_have_text("Player 1 to move.")
    page.locator(".spot.open").click()
    for each, end in zip((page, other), ends, strict=True):
        expect(each.locator("#sentence")).to_have_text(f"{end} The game is over.")
    at_table(page, game="capture-square", seats=computer, you=1)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator("#sentence")).to_have_text(
        "You lost. The game is over: Player 2 has won, because Player 1 resigned."
    )


def test_a_message_changes_only_what_changed(visitor):
    ann, bob = visitor(), visitor()
    made = create(ann, game="capture-square", seats=[{"name": "Ann"}, {}], you=1)
    bob.goto(made["invitation"])
    bob.get_by_role("button", name="Sit down").click()
    ann.goto(made["play"])
    expect(ann.locator(".player.owner2 small")).to_have_text("connected")
    ann.locator("[data-key=c0]").click()
    expect(ann.locator("#moves li")).to_have_count(1)
    ann.get_by_role("button", name="Resign").click()
    yes = ann.get_by_role("button", name="Yes")
    expect(yes).to_be_focused()
    mark = "e => { e.marked = true; }"
    for selector in ("[data-key=c0]", "[data-key=c5]", ".player.owner1", "#moves li"):
        ann.locator(selector).first.evaluate(mark)
    bob.locator("[data-key=c5]").click()
    expect(ann.locator("#moves li")).to_have_count(2)
    bob.goto("about:blank")
    expect(ann.locator(".player.owner2 small")).to_have_text("away")
    expect(ann.get_by_text("Really resign?")).to_be_visible()
    expect(yes).to_be_focused()
    for selector in ("[data-key=c0]", "[data-key=c5]", ".player.owner1", "#moves li"):
        assert ann.locator(selector).first.evaluate("e => e.marked")
    ann.get_by_role("button", name="No").click()
    expect(ann.get_by_role("button", name="Resign")).to_be_focused()


def test_the_title_and_the_icon_say_that_it_is_your_turn_and_a_sound_if_asked(visitor):
    page = visitor(reduced_motion="reduce")
    page.add_init_script(
        "window.rung = 0; window.AudioContext = class extends AudioContext {"
        " constructor() { super(); window.rung++; } };"
    )
    at_table(page, game="capture-square", seats=[{}, {"kind": "level:3"}], you=1)
    icon = page.locator("link[rel=icon]")
    assert page.title().startswith("Your turn · Capture Square") and "icon-turn" in icon.get_attribute("href")
    page.locator("[data-key=c5]").click()
    until(lambda: not page.title().startswith("Your turn"))
    assert "icon-turn" not in icon.get_attribute("href")
    expect(page.locator("#moves li")).to_have_count(2)
    assert page.title().startswith("Your turn") and page.evaluate("window.rung") == 0  # nobody asked for a sound
    page.locator(".settings summary").click()
    page.locator("#sound").check()
    page.reload()
    page.locator(".spot.open").first.click()
    expect(page.locator("#moves li")).to_have_count(4)
    assert page.evaluate("window.rung") == 1


def test_an_invitation_says_what_it_is_to_before_one_sits_down(visitor):
    ann, bob, eve = visitor(), visitor(), visitor()
    made = create(
        ann, game="matrix-capture", size=5, rules={"pie": "on"}, turn_seconds=90, seats=[{"name": "Ann"}, {}], you=1
    )
    for guest in (bob, eve):
        guest.goto(made["invitation"])
        expect(guest.locator(".terms dd")).to_have_text(
            ["Matrix Capture, 5 × 5", "Ann", "Player 2, and move second", "90 seconds for each turn",
             "Pie rule: yes, the second player may swap sides"]
        )  # fmt: skip
    bob.get_by_role("button", name="Sit down").click()
    expect(bob.locator("#sentence")).to_have_text("Ann to move.")
    eve.reload()
    used = "This link has been used already: Player 2 has taken the seat. You can watch the game."
    expect(eve.locator("#notice")).to_contain_text(used)
    expect(eve.locator("#invited")).to_be_hidden()
    eve.goto(made["watch"] + "#" + "x" * 43)
    eve.reload()  # of the address, only what is behind # has changed
    expect(eve.locator("#notice")).to_contain_text("This link gives no seat in this game")
    bob.goto("/")
    bob.goto(made["invitation"])  # as it stands in the chat
    expect(bob.locator("#sentence")).to_have_text("Ann to move.")
    expect(bob.locator("#notice")).to_have_text("")
    eve.complaints.clear()  # the refused request, which Chromium reports


def test_trying_again_seats_the_player_whose_mistake_it_was(visitor):
    page = visitor()
    game = pg.load("capture-squares", pie="on")
    start = game.deal(3)
    moves = ["2,1", "swap"]
    position = start.play("2,1").play("swap")
    while len(moves) < 12:
        moves.append(min(position.moves(), key=lambda move: game.action(move, position)))
        position = position.play(moves[-1])
    page.goto("/analyze")
    text = "\n".join(f"{i}. {move}" for i, move in enumerate(moves, 1))
    board = " ".join(start.text.split("board=")[1].split()[0].split(","))
    head = f'[Game "capture-squares"]\n[Rules "pie=on"]\n[Board "{board}"]\n[Player1 "Ann"]\n[Player2 "Bob"]'
    record = f"{head}\n\n{text}\n*\n"
    page.locator("#text").fill(record)
    page.get_by_role("button", name="Open").click()
    page.locator(".turning li").first.wait_for()
    again = page.locator(".turning li", has_text="Bob’s").first
    number = int(again.inner_text().split(".")[0])
    again.get_by_role("button", name="Try it again from here").click()
    expect(page.locator("#play-on-seat")).to_have_text("It is Bob’s turn, and you take that seat.")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/play/*")
    expect(page.locator(".player.owner2 small")).to_have_text("you")
    expect(page.locator("#sentence")).to_have_text("Your move.")
    assert page.locator("#moves li").count() == number - 1

"""What the scripts of the pages must bear: a game that goes on, a browser that keeps nothing, late answers."""

from __future__ import annotations

import re

from playwright.sync_api import expect

NO_STORAGE = """
for (const place of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, place, { get() { throw new DOMException("not allowed", "SecurityError"); } });
"""


def begin(page, address):
    page.goto(address)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/play/*")
    page.wait_for_selector(".grid")


def sit_down(host, guest, game="number-grid-battle"):
    """Two people at a game by link."""
    begin(host, f"/new/{game}?with=link")
    link = host.get_by_label("For the other player")
    expect(link).to_have_value(re.compile("/play/.+#.+"))
    guest.goto(link.input_value())
    guest.get_by_role("button", name="Sit down").click()
    expect(host.locator(".player.owner2 small")).to_have_text("connected")  # the game has gone on, and the host knows


def test_a_link_for_another_device_can_be_made_when_the_game_has_gone_on(visitor):
    host, guest = visitor(), visitor()
    sit_down(host, guest)
    host.locator(".spot.open").first.click()
    expect(host.locator("#moves li")).to_have_count(1)
    host.get_by_text("Links", exact=True).click()
    host.get_by_role("button", name="Make").click()
    expect(host.get_by_label("For you on another device")).to_have_value(re.compile("/play/.+#.+"))


def test_a_link_that_cannot_be_made_says_why(visitor):
    host, guest = visitor(), visitor()
    sit_down(host, guest)
    host.route("**/link", lambda route: route.abort())
    host.get_by_text("Links", exact=True).click()
    host.get_by_role("button", name="Make").click()
    expect(host.locator("#notice")).to_contain_text("The server cannot be reached")


def test_who_comes_and_goes_does_not_take_a_question_away(visitor):
    host, guest = visitor(), visitor()
    sit_down(host, guest)
    host.get_by_role("button", name="Resign").click()
    guest.goto("/")
    expect(host.get_by_text("away")).to_be_visible()
    expect(host.get_by_role("button", name="Yes")).to_be_focused()
    host.get_by_role("button", name="No", exact=True).click()
    expect(host.get_by_role("button", name="Resign")).to_be_visible()


def test_pages_work_in_a_browser_that_keeps_nothing(visitor):
    page = visitor()
    page.add_init_script(NO_STORAGE)
    begin(page, "/new/number-cross?with=computer")
    page.locator(".spot.open").first.click()
    expect(page.locator("#moves li")).to_have_count(2)
    page.get_by_label("Who wins", exact=True).check()
    expect(page.locator("#truth")).to_contain_text("should win")
    page.goto("/analyze/matrix-capture")
    page.get_by_label("Who wins", exact=True).check()
    expect(page.locator("#truth")).to_contain_text("should win")
    page.goto("/")
    expect(page.get_by_role("heading", name="Matrix Capture")).to_be_visible()


def test_a_late_failure_does_not_speak_about_the_next_puzzle(visitor):
    page = visitor()
    page.goto("/puzzle?game=matrix-capture&difficulty=1&seed=1")
    page.wait_for_selector(".grid")
    late = []
    page.route("**/api/puzzle?game=matrix-capture&difficulty=5*", lambda route: late.append(route))
    page.locator("#another").get_by_label("5", exact=True).check()
    page.get_by_role("button", name="Another one").click()
    page.locator("#another").get_by_label("1", exact=True).check()
    with page.expect_response("**/api/puzzle?game=matrix-capture&difficulty=1"):
        page.get_by_role("button", name="Another one").click()
    expect(page.locator("#about")).to_contain_text("difficulty 1 of 5")
    late[0].abort()
    page.wait_for_timeout(300)
    expect(page.locator("#notice")).to_be_hidden()

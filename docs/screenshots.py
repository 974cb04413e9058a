"""Makes the pictures of the README and the docs, docs/images/*.png: python docs/screenshots.py (or make screenshots).

All show the real program: the full-screen app as Textual draws it, and the pages as Chromium shows them. Needs Chromium
and what the tests need.
"""

from __future__ import annotations

import asyncio
import base64
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from pentagrid.core.catalog import load
from pentagrid.terminal.app.application import PentagridApp

IMAGES = Path(__file__).parent / "images"
FONTS = re.compile(r"@font-face \{.*?\}", re.S)
"""Textual's pictures name fonts of other hosts; the machine's own will do."""


async def app_picture() -> str:
    """A game of Matrix Capture in the app after a move of each player, values shown, as SVG."""
    app = PentagridApp(pace=0.0)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("4")
        await pilot.pause()
        await pilot.press("ctrl+s")
        await pilot.pause(0.5)
        for key in ("right", "enter", "v", "a"):
            await pilot.press(key)
            await pilot.pause(1.0)
        return FONTS.sub("", app.export_screenshot())


def terminal(browser: Browser, svg: str) -> None:
    page = browser.new_page(viewport={"width": 1020, "height": 640}, device_scale_factor=1.2)
    page.set_content(f"<style>text {{ font-family: 'DejaVu Sans Mono', monospace !important }}</style>{svg}")
    page.locator("svg").first.screenshot(path=IMAGES / "terminal.png")


def web(browser: Browser, home: str) -> None:
    database = f"sqlite:///{home}/games.sqlite"
    command = [sys.executable, "-m", "pentagrid", "serve", "--port", "0", "--database", database]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+?:\d+", server.stdout.readline())
            assert found is not None
            game_page(browser, found[0])
            review_page(browser, found[0])
            phone_pages(browser, found[0])
        finally:
            server.terminate()


def create(page: Page, address: str, **body: Any) -> str:
    """A new game; returns the path of its page."""
    page.goto(f"{address}/api")
    made = page.evaluate(
        "body => fetch('/api/games', {method: 'POST', headers: {'content-type': 'application/json'},"
        " body: JSON.stringify(body)}).then(answer => answer.json())",
        body,
    )
    return str(made["play"])


def game_page(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1180, "height": 800}, device_scale_factor=1.2)
    seats = [{"kind": "human", "name": "Ann"}, {"kind": "level:5", "name": "Robot"}]
    page.goto(
        address + create(page, address, game="matrix-capture", seed=7, moves=["R1C1", "R2C3"], you=1, seats=seats)
    )
    page.check("input[name=layer][value='3']")
    page.locator("svg text", has_text="O+1").first.wait_for()
    page.screenshot(path=IMAGES / "browser.png")


def review_page(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1180, "height": 800}, device_scale_factor=1.2, color_scheme="dark")
    moves = "4,2;4,3;1,1;1,2;3,4;2,4;1,4;3,3;4,4;1,3;2,1;3,1;4,1;3,2;2,2;2,3"
    start = load("capture-squares").deal(3).text
    page.goto(f"{address}/analyze?{urlencode({'position': start, 'moves': moves, 'names': 'Ann,Bob'})}")
    page.locator(".turning").wait_for()
    page.check("input[name=layer][value='3']")
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=IMAGES / "review.png")


def phone_pages(browser: Browser, address: str) -> None:
    """Three pages of a phone side by side."""
    size: ViewportSize = {"width": 360, "height": 740}
    page = browser.new_page(viewport=size, device_scale_factor=1.5)
    seats = [{"kind": "human", "name": "Ann"}, {"kind": "human", "name": "Bob"}]
    before = ["1,4", "3,4", "2,3", "4,2", "2,1", "3,1"]
    board = "5 12 3 16/10 1 14 6/11 8 2 15/9 13 4 7"
    pictures = []
    for path, sign in (
        (create(page, address, game="capture-squares", board=board, moves=before, seats=seats), ".captured"),
        ("/", ".game"),
        ("/puzzle?game=matrix-capture&difficulty=3&seed=8", ".spot.open"),
    ):
        page.goto(address + path)
        page.locator(sign).first.wait_for()
        page.wait_for_timeout(500)
        pictures.append(base64.b64encode(page.screenshot()).decode())
    sheet = browser.new_page(viewport={"width": 3 * 360 + 80, "height": 780}, device_scale_factor=1.2)
    shown = "".join(f'<img src="data:image/png;base64,{picture}" width="360">' for picture in pictures)
    sheet.set_content(f"<style>body {{ margin: 20px; display: flex; gap: 20px; background: #8d8877 }}</style>{shown}")
    sheet.screenshot(path=IMAGES / "phone.png")


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"HOME": home, "XDG_STATE_HOME": home, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        svg = asyncio.run(app_picture())
        make_pictures(svg, chromium, home)


def make_pictures(svg: str, chromium: str | None, home: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        terminal(browser, svg)
        web(browser, home)
        browser.close()


if __name__ == "__main__":
    main()

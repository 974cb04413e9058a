"""Makes the pictures of the README, docs/images/*.png: python docs/screenshots.py (or make screenshots).

Both show the real program: the full-screen app as Textual draws it, and the page as Chromium shows it. Needs Chromium
and what the tests need.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

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
        finally:
            server.terminate()


def game_page(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1180, "height": 892}, device_scale_factor=1.2)
    page.goto(f"{address}/")
    body = {
        "game": "matrix-capture", "seed": 7, "moves": ["R1C1", "R2C3"], "you": 1,
        "seats": [{"kind": "human", "name": "Ann"}, {"kind": "level:5", "name": "Robot"}],
    }  # fmt: skip
    play = page.evaluate(
        "body => fetch('/api/games', {method: 'POST', headers: {'content-type': 'application/json'},"
        " body: JSON.stringify(body)}).then(answer => answer.json())",
        body,
    )["play"]
    page.goto(address + play)
    page.check("input[name=layer][value='3']")
    page.locator("svg text", has_text="O+1").first.wait_for()
    page.screenshot(path=IMAGES / "browser.png")


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

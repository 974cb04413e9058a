"""Makes the pictures of the README, docs/images/*.png: python docs/screenshots.py (or make screenshots).

Both show the real program: the terminal's lines as it prints them, in color, and the page as Chromium shows it. Needs
Chromium and what the tests need.
"""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

IMAGES = Path(__file__).parent / "images"
SIZE = {"width": 820, "height": 560}
COMMAND = ("play", "capture-squares", "--seed", "7", "--p2", "level:5", "--names", "Ann,Robot", "--values")
COLORS = {"2": "opacity:.55", "1;36": "color:#56c8d8;font-weight:bold", "1;35": "color:#e08ad0;font-weight:bold"}
LINES = 26
PAGE = """<body style="margin:0;background:#16181d"><pre style="margin:0;padding:18px 22px;color:#e6e6e6;
font:15px/1.32 'DejaVu Sans Mono',monospace">{}</pre></body>"""


def terminal_text(home: str) -> str:
    """What the program prints on a terminal: the opening and one move of each player."""
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "pentagrid", *COMMAND]
    env = {**os.environ, "HOME": home, "XDG_STATE_HOME": home, "TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=env) as process:
        os.close(child)
        text = ""
        for typed in ("2,2\n", None):
            while not text.endswith("): ") or text.count("): ") < (1 if typed else 2):
                if not select.select([parent], [], [], 20)[0]:
                    raise SystemExit(f"the program did not ask again:\n{text}")
                text += os.read(parent, 65536).decode().replace("\r", "")
            if typed:
                os.write(parent, typed.encode())
        process.kill()
    os.close(parent)
    return f"$ pentagrid {' '.join(COMMAND)}\n{text}"


def as_html(text: str) -> str:
    """ANSI colors as HTML; the last lines that fit."""
    text = escape("\n".join(text.split("\n")[-LINES:]))
    for code, style in COLORS.items():
        text = text.replace(f"\x1b[{code}m", f'<span style="{style}">')
    return PAGE.format(text.replace("\x1b[0m", "</span>") + "█")


def terminal(browser: Browser, home: str) -> None:
    page = browser.new_page(viewport=SIZE, device_scale_factor=1.5)
    page.set_content(as_html(terminal_text(home)))
    page.screenshot(path=IMAGES / "terminal.png")


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
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as home:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        terminal(browser, home)
        web(browser, home)
        browser.close()


if __name__ == "__main__":
    main()

"""Whole screens as text, looked at once and kept; and their colors, which must be readable in every theme.

After a change that was meant, SNAPSHOTS=write makes them anew; look at the difference.
"""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from rich.color import ColorType
from test_screens import MATRIX, SIZES, matrix, record_of

import pentagrid as pg
from pentagrid.play.match import Seat
from pentagrid.puzzles.puzzle import daily_puzzle
from pentagrid.terminal.app.game_plan import GamePlan
from pentagrid.terminal.app.game_screen import GameScreen
from pentagrid.terminal.app.puzzle_screen import PuzzleBoardScreen, PuzzleScreen
from pentagrid.terminal.app.review_screen import ReviewScreen
from pentagrid.terminal.app.watch_screen import WatchScreen
from pentagrid.terminal.saved_games import SaveFile

GOLDEN = Path(__file__).parent / "golden"
DAY = date(2026, 11, 17)
ENOUGH = 3.0
"""The least contrast of a text to what is behind it."""


def paused():
    plan = GamePlan(pg.load("matrix-capture"), (Seat("", "greedy"), Seat("", "perfect")))
    screen = WatchScreen(plan.begin(7), plan)
    screen.paused = True
    return screen


def puzzle_board():
    return PuzzleBoardScreen(daily_puzzle(DAY), DAY, PuzzleScreen.daily())


SCREENS = {
    "home": (None, []),
    "options": (None, ["4"]),
    "most options": (None, ["3", *["up"] * 5]),
    "keys": (lambda: GameScreen(matrix("R2C2")), ["question_mark"]),
    "game": (lambda: GameScreen(matrix("R2C2", seats=(Seat("Ann"), Seat("王小明")))), ["v", "a"]),
    "lines": (lambda: GameScreen(record_of("number-cross", ["Col3"])), ["v"]),
    "end": (lambda: GameScreen(record_of("capture-square", ["A1", "D4", "B1", "D3", "A2", "C4", "B2"])), []),
    "rules": (None, ["r"]),
    "streaks": (None, ["b"]),
    "palette": (None, ["ctrl+p"]),
    "puzzles": (None, ["p"]),
    "watching": (None, ["w"]),
    "joining": (None, ["o"]),
    "watch": (paused, []),
    "puzzle": (puzzle_board, []),
    "solution": (puzzle_board, ["s", *["l"] * 30]),
    "question": (lambda: GameScreen(matrix("R2C2")), ["x"]),
    "review": (lambda: ReviewScreen(matrix("R2C2", "R1C1", "R3C3", "R4C4")), ["n"]),
}


@pytest.fixture(autouse=True)
def same_day(monkeypatch):
    monkeypatch.setattr("pentagrid.terminal.app.streak_screen.today", lambda: DAY)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", SCREENS)
def test_screens_look_as_before(drive, name, size):
    assert MATRIX
    SaveFile.fresh(matrix("R2C2", seats=(Seat("Ann"), Seat("", "level:3")))) if name == "home" else None
    compare(drive, name, size, f"{name}-{size[0]}x{size[1]}.txt")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["options", "most options", "keys", "question", "joining"])
def test_screens_above_others_have_a_frame_without_color(drive, name, size, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    compare(drive, name, size, f"{name}-no-color-{size[0]}x{size[1]}.txt")


def compare(drive, name, size, file):
    first, keys = SCREENS[name]
    path = GOLDEN / file.replace(" ", "-")

    async def story(driver):
        await driver.press(*keys)
        seen = driver.text() + "\n"
        if os.environ.get("SNAPSHOTS") == "write":
            path.write_text(seen, encoding="utf-8")
        assert seen == path.read_text(encoding="utf-8")

    drive(story, size=size, first=first)


@pytest.mark.parametrize("keys", [[], ["4"], ["p"], ["w"], ["o"], ["s"], ["r"], ["ctrl+p"], ["question_mark"]])
def test_letters_only_covers_everything_drawn_from_home(drive, monkeypatch, keys):
    monkeypatch.setenv("PENTAGRID_ASCII", "1")

    async def story(driver):
        await driver.press(*keys)
        if keys == ["r"]:  # the rules have words of their own
            assert not set("─│…") & set(driver.text())
        else:
            assert driver.text().isascii(), driver.text()

    drive(story)


@pytest.mark.parametrize(
    "name", ["keys", "game", "lines", "end", "watch", "puzzle", "solution", "question", "streaks", "review"]
)
def test_letters_only_covers_everything_drawn_in_games(drive, monkeypatch, name):
    first, keys = SCREENS[name]
    monkeypatch.setenv("PENTAGRID_ASCII", "1")

    async def story(driver):
        await driver.press(*keys)
        seen = driver.text().replace("王小明", "")
        assert seen.isascii(), seen

    drive(story, size=(60, 20), first=first)


def luminance(color):
    parts = [part / 255 for part in color]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(style):
    light, dark = sorted((luminance(c.get_truecolor()) for c in (style.color, style.bgcolor)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
@pytest.mark.parametrize("name", [name for name in SCREENS if name not in ("palette", "keys")])
def test_all_text_is_readable(drive, name, theme):
    first, keys = SCREENS[name]

    async def story(driver):
        driver.app.theme = theme
        await driver.press(*keys)
        for strip in driver.screen._compositor.render_strips():
            for segment in strip:
                style = segment.style
                if segment.text.strip(" ─│┌┬┐├┼┤└┴┘▼▁▂▃▄▅▆▇█") and style and style.color and style.bgcolor:
                    assert style.color.type is ColorType.TRUECOLOR
                    assert contrast(style) >= ENOUGH, (segment.text, str(style))

    drive(story, first=first)

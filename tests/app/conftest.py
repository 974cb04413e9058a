"""The app without a terminal: driven by keys and clicks, with a home of its own."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from pentagrid.terminal.app.application import PentagridApp


class Driver:
    """The app at a size, and what a person at it does and sees."""

    def __init__(self, app, pilot):
        self.app = app
        self.pilot = pilot

    @property
    def screen(self):
        return self.app.screen

    async def press(self, *keys):
        for key in keys:
            await self.pilot.press(key)
        await self.settle()

    async def type(self, text):
        await self.press(*("space" if letter == " " else letter for letter in text), "enter")

    def fill(self, field, value):
        """Fill in a field of a form."""
        self.screen.query_one(f"#{field}").value = value

    async def settle(self):
        """Wait until all work in the background is done and shown."""
        for _ in range(3):
            waiting = [worker for worker in self.app.workers if not worker.is_finished and not is_dialog(worker)]
            await asyncio.gather(*(worker.wait() for worker in waiting), return_exceptions=True)
            await self.pilot.pause()

    def lines(self):
        """The screen as it is seen, line by line."""
        strips = self.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    def text(self):
        return "\n".join(self.lines())

    async def until(self, words, seconds=10):
        """Wait until words are on the screen."""
        deadline = asyncio.get_running_loop().time() + seconds
        while " ".join(words.split()) not in " ".join(self.text().split()):
            assert asyncio.get_running_loop().time() < deadline, f"never seen: {words!r}\n{self.text()}"
            await self.pilot.pause(0.02)

    async def click(self, words, column=0):
        """Click on the first place where words are seen."""
        for y, line in enumerate(self.lines()):
            if words in line:
                await self.pilot.click(offset=(line.index(words) + column, y))
                return await self.settle()
        raise AssertionError(f"not seen: {words!r}\n{self.text()}")


def is_dialog(worker):
    """Does this work wait for a person?"""
    return worker.name in ("action_play_game", "action_join", "action_resign", "action_play_on")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    return tmp_path


@pytest.fixture
def drive():
    """Runs a coroutine with a driver: `drive(story, size=(60, 20), first=lambda: GameScreen(record))`."""

    @asynccontextmanager
    async def opened(size, first):
        app = PentagridApp(first, pace=0)
        async with app.run_test(size=size, notifications=True) as pilot:
            driver = Driver(app, pilot)
            await driver.settle()
            yield driver

    def run(story, size=(80, 24), first=None):
        async def play():
            async with opened(size, first) as driver:
                await story(driver)
                return driver.app

        return asyncio.run(play())

    return run

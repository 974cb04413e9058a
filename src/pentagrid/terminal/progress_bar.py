"""Long work: a bar on a terminal, and Ctrl-C that asks for the best answer so far."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import time

SOON = 0.5
"""Seconds that nobody needs a bar for."""


@contextmanager
def patience(
    what: str, total: float = 1, unit: str | None = None, then: str = "enough"
) -> Iterator[tuple[Callable[[], bool], Callable[[float], None]]]:
    """Gives `stop`, true once Ctrl-C was typed, and `progress`, which draws a bar where there is a terminal.

    `progress` is told how much of the total is done. With a unit the bar shows how fast it goes and how long it takes.
    `then` is what Ctrl-C means here: the work ends with what it has, or is paused.
    """
    stopped = threading.Event()
    bar = _Bar(what, total, unit, then) if sys.stderr.isatty() else None
    before = signal.signal(signal.SIGINT, lambda *_: stopped.set())
    try:
        yield stopped.is_set, bar.draw if bar else lambda done: None
    finally:
        signal.signal(signal.SIGINT, before)
        if bar:
            bar.close()


class _Bar:
    """A bar that only appears when the work takes a while."""

    def __init__(self, what: str, total: float, unit: str | None, then: str) -> None:
        from tqdm import tqdm

        pace = " {rate_fmt}, {remaining} left" if unit else ""
        self._begun = False
        self._bar = tqdm(
            total=total,
            desc=what,
            unit=f" {unit}",
            unit_scale=True,
            delay=SOON,
            smoothing=0,
            leave=False,
            bar_format="{desc}: {bar} {percentage:3.0f} %" + pace + f" (Ctrl-C: {then})",
        )

    def draw(self, done: float) -> None:
        if not self._begun:  # what was there at the start says nothing about how fast it goes
            self._bar.initial = self._bar.n = self._bar.last_print_n = done
            self._bar.start_t = self._bar.last_print_t = time()
            self._begun = True
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        self._bar.close()

"""Long work: a bar on a terminal, and Ctrl-C that asks for the best answer so far."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SOON = 0.5
"""Seconds that nobody needs a bar for."""


@contextmanager
def patience(what: str) -> Iterator[tuple[Callable[[], bool], Callable[[float], None]]]:
    """Gives `stop`, true once Ctrl-C was typed, and `progress`, which draws a bar where there is a terminal."""
    stopped = threading.Event()
    bar = _Bar(what) if sys.stderr.isatty() else None
    before = signal.signal(signal.SIGINT, lambda *_: stopped.set())
    try:
        yield stopped.is_set, bar.draw if bar else lambda share: None
    finally:
        signal.signal(signal.SIGINT, before)
        if bar:
            bar.close()


class _Bar:
    """A bar that only appears when the work takes a while."""

    def __init__(self, what: str) -> None:
        from tqdm import tqdm

        self._bar = tqdm(
            total=100,
            desc=what,
            delay=SOON,
            leave=False,
            bar_format="{desc}: {bar} {percentage:3.0f} % (Ctrl-C: enough)",
        )

    def draw(self, share: float) -> None:
        self._bar.update(100 * share - self._bar.n)

    def close(self) -> None:
        self._bar.close()

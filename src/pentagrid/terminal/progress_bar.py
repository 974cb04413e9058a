"""The progress of long work: a bar on a terminal, and Ctrl-C that ends the work with the best answer so far."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import time

DELAY = 0.5
"""Seconds of work before a bar appears."""


@contextmanager
def progress_bar(
    title: str, total: float = 1, unit: str | None = None, ctrl_c: str = "enough"
) -> Iterator[tuple[Callable[[], bool], Callable[[float], None]]]:
    """Gives two functions: `stop`, true once Ctrl-C was typed, and `progress`, which draws the bar on a terminal.

    `progress` takes how much of the total is done. With a unit the bar shows the rate and the time left. `ctrl_c` says
    beside the bar what Ctrl-C does: the work ends with what it has, or pauses.
    """
    stopped = threading.Event()
    bar = _DelayedBar(title, total, unit, ctrl_c) if sys.stderr.isatty() else None
    handler = signal.signal(signal.SIGINT, lambda *_: stopped.set())
    try:
        yield stopped.is_set, bar.draw if bar else lambda done: None
    finally:
        signal.signal(signal.SIGINT, handler)
        if bar:
            bar.close()


def say_above_bar(line: str) -> None:
    """Print a line while a bar may be drawn: the bar stays below it."""
    if sys.stderr.isatty():
        from tqdm import tqdm

        tqdm.write(line)
    else:
        print(line, flush=True)


class _DelayedBar:
    """A bar that only appears when the work takes a while."""

    def __init__(self, title: str, total: float, unit: str | None, ctrl_c: str) -> None:
        from tqdm import tqdm

        rate = " {rate_fmt}, {remaining} left" if unit else ""
        self._begun = False
        self._bar = tqdm(
            total=total,
            desc=title,
            unit=f" {unit}",
            unit_scale=True,
            delay=DELAY,
            smoothing=0,
            leave=False,
            bar_format="{desc}: {bar} {percentage:3.0f} %" + rate + f" (Ctrl-C: {ctrl_c})",
        )

    def draw(self, done: float) -> None:
        if not self._begun:  # work done in an earlier run says nothing about the rate
            self._bar.initial = self._bar.n = self._bar.last_print_n = done
            self._bar.start_t = self._bar.last_print_t = time()
            self._begun = True
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        self._bar.close()

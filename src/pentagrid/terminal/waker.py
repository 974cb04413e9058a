"""A wait for a line that something else can end, from any thread."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Timer


class Waker:
    """Ends the present wait, or else the next one. `clear` it when what has happened is dealt with."""

    def __init__(self) -> None:
        self._called = Event()
        self._lock = Lock()
        self._on_call: Callable[[], None] | None = None
        self._timer: Timer | None = None
        self.fd = -1
        """Can be read once somebody has called; there is none on Windows, where no wait could look at it."""
        if sys.platform != "win32":
            self.fd, self._end = os.pipe()
            os.set_blocking(self.fd, False)
            os.set_blocking(self._end, False)

    def wake(self) -> None:
        """End the wait."""
        with self._lock:
            self._called.set()
            if self.fd >= 0:
                with suppress(BlockingIOError):  # if more than enough calls are there already
                    os.write(self._end, b".")
            if self._on_call is not None:
                self._on_call()

    def wake_after(self, seconds: float) -> None:
        """End the wait in so many seconds; only the last such wish counts."""
        self.forget()
        self._timer = Timer(seconds, self.wake)
        self._timer.daemon = True
        self._timer.start()

    def forget(self) -> None:
        """Do not wake later."""
        if self._timer is not None:
            self._timer.cancel()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for a call, for so many seconds at most; says whether there was one."""
        return self._called.wait(seconds)

    def clear(self) -> None:
        """Be ready for the next wait."""
        with self._lock:
            self._called.clear()
            if self.fd >= 0:
                with suppress(BlockingIOError):  # if nobody called
                    os.read(self.fd, 65536)

    @contextmanager
    def calling(self, on_call: Callable[[], None]) -> Iterator[None]:
        """Inside, every call is passed on at once; one that came before, too."""
        with self._lock:
            self._on_call = on_call
            if self._called.is_set():
                on_call()
        try:
            yield
        finally:
            with self._lock:
                self._on_call = None

"""Lines that a person or a program types, read so that a clock can end the wait."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Sequence
from functools import cache
from time import monotonic

from pentagrid.terminal.output import escape_controls, is_terminal

LONGEST = 4096
"""Bytes of a line that are kept; what comes behind them is read and dropped."""


class TimeUpError(Exception):
    """No line came in time."""


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


class LineInput:
    """The lines of a file descriptor. Never more than a few kilobytes are held, whatever is sent."""

    def __init__(self, fd: int = 0) -> None:
        self._fd = fd
        self._waiting = b""
        self._ended = not _is_open(fd)
        self.is_terminal = os.isatty(fd)

    def ask(
        self, prompt: str, seconds: float | None = None, *, turn: float | None = None, words: Sequence[str] = ()
    ) -> str | None:
        """The answer to a prompt, or None when there are no more; over a pipe it is shown behind the prompt.

        Raises `TimeUpError` as `read`. How long the whole turn lasts and what words may be completed matters only
        where lines are edited.
        """
        print(prompt, end=" ", flush=True)
        try:
            line = self.read(seconds)
        except TimeUpError:
            print()
            raise
        if line is None:
            print()
        elif not self.is_terminal:
            print(escape_controls(line))
        return None if line is None else line.strip()

    def read(self, seconds: float | None = None) -> str | None:
        """The next line without its end, or None when there are no more.

        Raises `TimeUpError` after so many seconds; what was typed of an unfinished line is then forgotten on a
        terminal, and kept on a pipe. Bytes that are not UTF-8 come as `\\xNN`.
        """
        if sys.platform == "win32":
            return self._read_on_windows(seconds)
        deadline = None if seconds is None else monotonic() + seconds
        while b"\n" not in self._waiting and not self._ended:
            if not self._ready(None if deadline is None else max(0.0, deadline - monotonic())):
                self._forget_typed()
                raise TimeUpError
            try:
                chunk = os.read(self._fd, 65536)
            except OSError:  # a terminal that has gone away
                chunk = b""
            self._ended = not chunk
            head, newline, tail = chunk.partition(b"\n")
            self._waiting = (self._waiting + head)[:LONGEST] + newline + tail
        if self._ended and self.is_terminal:
            self._ended = False  # Ctrl-D behind some text ends that line, alone it ends one wait; more can be typed
        if not self._waiting:
            return None
        line, _, self._waiting = self._waiting.partition(b"\n")
        return line[:LONGEST].decode("utf-8", errors="backslashreplace").rstrip("\r")

    def _ready(self, seconds: float | None) -> bool:
        """Wait for input. Signals wake the wait through a pipe: one that comes just before is not slept over."""
        woken, wake = os.pipe()
        os.set_blocking(wake, False)
        before = signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        try:
            while True:
                ready, _, _ = select.select([self._fd, woken], [], [], seconds)
                if woken not in ready:
                    return bool(ready)
                os.read(woken, 4096)  # Ctrl-C raises KeyboardInterrupt here; other signals are not ours
        finally:
            signal.set_wakeup_fd(before)
            os.close(woken)
            os.close(wake)

    def _forget_typed(self) -> None:
        if self.is_terminal:
            import termios

            termios.tcflush(self._fd, termios.TCIFLUSH)

    def _read_on_windows(self, seconds: float | None) -> str | None:
        if seconds is not None and self.is_terminal:
            return self._read_console(seconds)
        line = sys.stdin.readline(LONGEST)
        return line.rstrip("\r\n") if line else None

    def _read_console(self, seconds: float) -> str | None:
        """Key by key, since a Windows console offers no wait with a limit."""
        import msvcrt
        from time import sleep

        typed, deadline = "", monotonic() + seconds
        while monotonic() < deadline:
            if not msvcrt.kbhit():  # type: ignore[attr-defined,unused-ignore]
                sleep(0.02)
                continue
            key = msvcrt.getwche()  # type: ignore[attr-defined,unused-ignore]
            if key in "\r\n":
                print()
                return typed
            if key == "\x03":
                raise KeyboardInterrupt
            if key == "\x1a" and not typed:
                return None
            typed = typed[:-1] if key == "\b" else (typed + key)[:LONGEST]
        raise TimeUpError


@cache
def standard_input() -> LineInput:
    """The one reader of standard input: it reads ahead, so that a second one would miss lines.

    A person at a terminal can edit the line where the extra `tui` is installed.
    """
    if is_terminal() and os.environ.get("TERM") != "dumb":
        try:
            from pentagrid.terminal.line_editor import LineEditor
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] == "pentagrid":
                raise
        else:
            return LineEditor()
    return LineInput()


def agrees(typed: LineInput, question: str, seconds: float | None = None, turn: float | None = None) -> bool:
    """The answer to a question, yes or no; no answer is a no. Raises `TimeUpError` after so many seconds of a turn."""
    deadline = None if seconds is None else monotonic() + seconds
    while True:
        left = None if deadline is None else max(0.0, deadline - monotonic())
        answer = (typed.ask(f"{question} (y/n):", left, turn=turn) or "n").lower()
        if answer in ("y", "yes", "n", "no"):
            return answer.startswith("y")
        print("Please answer y or n.")

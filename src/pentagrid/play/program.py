"""A seat played by an outside program: one JSON object per line each way, described in docs/programs.md.

The program is started at its first turn of a match and ended with the match. One that answers `hello` stays up for the
next match, and the time it takes to answer that does not count. Nothing it does can hang the game: every wait has an
end, and what it started goes with it.
"""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from multiprocessing.util import Finalize
from queue import Empty, Queue
from time import monotonic
from typing import IO, Any

from pentagrid.core.position import Outcome, Position
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError, PentagridError, shown
from pentagrid.play.players import ForfeitError, OutsidePlayer

PROTOCOL = 1
PATIENCE = 30.0
"""Seconds for an answer where the match has no clock."""
GRACE = 1.0
"""Seconds that a program may take to end by itself after the result."""
LONGEST = 65536
"""Bytes of an answer."""
START_UP = 10.0
"""Seconds beyond the clock in which a program may answer `hello`."""


class _WrongAnswerError(Exception):
    """An answer that is no legal move; the program has one more try."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


class Program(OutsidePlayer):
    """A player that asks a program."""

    def __init__(self, command: str) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise OptionError(f"exec:{shown(command)} cannot be read as a command: {error}.") from None
        if not self._words or not command.isprintable():
            raise OptionError('exec: needs a command behind it, such as "exec:python my_bot.py".')
        self._running: _Process | None = None
        self._stays = False
        """Has the program answered `hello`?"""
        self._start: Position | None = None
        self._moves: list[str] = []
        self._seconds: float | None = None
        self._turn_seconds: float | None = None

    def inform(self, start: Position, moves: list[str], seconds: float | None, turn_seconds: float | None) -> None:
        self._start, self._moves, self._seconds, self._turn_seconds = start, moves, seconds, turn_seconds

    def choose(self, position: Position, dice: Dice) -> int:
        """The program's move. Raises `ForfeitError` if there is none in time, or none that is legal in two tries."""
        began = monotonic()
        self.start_up = 0.0
        deadline = began + (PATIENCE if self._seconds is None else self._seconds)
        failures: list[str] = []
        complaint: dict[str, Any] | None = None
        for _ in range(2):
            try:
                fresh = self._running is None
                if self._running is None:
                    self._running = self._begin(position, deadline)
                elif complaint is not None:
                    self._running.send(complaint, deadline)
                left = None if self._seconds is None else round(max(0.0, deadline - monotonic()), 3)
                self._running.send(self._question(position, left), deadline, keep=fresh)
                line = self._running.line(deadline + START_UP if fresh and self._seconds is not None else deadline)
                if fresh and _is_hello(line):
                    self._stays = True
                    self.start_up += monotonic() - began
                    deadline += self.start_up
                    line = self._running.line(deadline)
                if monotonic() > deadline:
                    raise ForfeitError("time", "it did not answer in time")
                return _action(line, position)
            except _WrongAnswerError as error:
                failures.append(str(error))
                complaint = {"type": "error", "code": error.code, "message": str(error)}
                if self._running is not None and not self._running.alive():
                    self.leave()
        raise ForfeitError("illegal", "; then ".join(failures))

    def _begin(self, position: Position, deadline: float) -> _Process:
        running = _waiting(self._words) or _Process(self._words)
        self._stays = False
        start = self._start or position
        hello = {
            **start.data(),
            "actions": list(start.actions()),
            "type": "hello",
            "protocol": PROTOCOL,
            "seat": position.mover,
            "turn_seconds": self._turn_seconds,
        }
        try:
            running.send(hello, deadline)
        except _WrongAnswerError:
            running.end()
            raise
        return running

    def _question(self, position: Position, left: float | None) -> dict[str, Any]:
        actions = list(position.actions())
        return {**position.data(), "type": "position", "actions": actions, "moves": self._moves, "seconds_left": left}

    def leave(self, outcome: Outcome | None = None, final: Position | None = None) -> None:
        """The match is over, or is left: tell the program, and see it ended, or waiting for the next if it stays."""
        running, self._running = self._running, None
        if running is None:
            return
        stays = False
        try:
            if outcome is not None and final is not None and running.alive():
                result = {
                    "type": "result",
                    "winner": outcome.winner,
                    "reason": outcome.reason,
                    "scores": final.scores,
                }
                running.send(result, monotonic() + GRACE)
                stays = self._stays
        except (_WrongAnswerError, ForfeitError):
            pass  # it does not want to hear it
        finally:
            if stays:
                _keep(self._words, running)
            else:
                running.end()


_staying: dict[tuple[str, ...], list[_Process]] = {}
"""Programs that wait for the next match, by their commands."""


def _keep(words: list[str], running: _Process) -> None:
    """Keep a program for the next match; all are ended with this process."""
    if not _staying:
        Finalize(None, end_staying, exitpriority=10)  # runs in worker processes too
    _staying.setdefault(tuple(words), []).append(running)


def _waiting(words: list[str]) -> _Process | None:
    """A program that waits for a match, if there is one."""
    kept = _staying.get(tuple(words), [])
    while kept:
        running = kept.pop()
        if running.alive():
            return running
        running.end()
    return None


def end_staying() -> None:
    """End all programs that wait for a match."""
    while _staying:
        for running in _staying.popitem()[1]:
            running.end()


def _is_hello(line: bytes) -> bool:
    """Is this the answer to `hello`?"""
    try:
        answer = json.loads(line)
    except ValueError:
        return False
    return isinstance(answer, dict) and answer.get("type") == "hello"


def _action(line: bytes, position: Position) -> int:
    """The action that an answer names. Raises `_WrongAnswerError`."""
    try:
        answer = json.loads(line)
    except ValueError:  # UnicodeDecodeError is one
        raise _WrongAnswerError("unreadable", f"it answered {shown(line.decode('utf-8', 'replace').strip())}") from None
    if not isinstance(answer, dict) or type(answer.get("move")) not in (str, int):
        raise _WrongAnswerError("unreadable", f"it answered {shown(json.dumps(answer))} without a move")
    move = answer["move"]
    try:
        position.play(move)
    except PentagridError as error:
        raise _WrongAnswerError(error.code, f"it answered {shown(str(move))}: {error}") from None
    return position.game.action(move)


class _Process:
    """One process, and the thread that listens to it."""

    def __init__(self, words: list[str]) -> None:
        self._complaints: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - `end` closes it
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                start_new_session=True,
            )
        except OSError as error:
            self._complaints.close()
            reason = os.strerror(error.errno or 0)
            raise OptionError(f"The program {shown(shlex.join(words))} cannot be started: {reason}.") from None
        self._lines: Queue[bytes] = Queue(maxsize=64)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        assert self._process.stdin is not None
        self._in = self._process.stdin.fileno()
        if sys.platform != "win32":
            os.set_blocking(self._in, False)

    def _listen(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while line := stream.readline(LONGEST):
            self._lines.put(line)
            while len(line) == LONGEST and not line.endswith(b"\n"):  # the rest of a line too long is no other answer
                line = stream.readline(LONGEST)
        self._lines.put(b"")

    def alive(self) -> bool:
        return self._process.poll() is None

    def send(self, message: dict[str, Any], deadline: float, keep: bool = False) -> None:
        """One line to the program; what it has said meanwhile is forgotten, or kept.

        Raises `ForfeitError` if it does not read, `_WrongAnswerError` if it has ended.
        """
        data = (json.dumps(message, ensure_ascii=False) + "\n").encode()
        if not keep:
            self._drain()
        try:
            while data:
                if sys.platform != "win32":
                    ready = select.select([], [self._in], [], max(0.0, deadline - monotonic()))[1]
                    if not ready:
                        raise ForfeitError("time", "it did not read what it was sent")
                data = data[os.write(self._in, data) :]
        except BrokenPipeError:
            raise self._ended() from None

    def _drain(self) -> None:
        """Forget what was said without being asked."""
        for _ in range(self._lines.qsize()):
            if not self._lines.queue[0]:
                return  # the end stays to be seen
            self._lines.get()

    def line(self, deadline: float) -> bytes:
        """The next line. Raises `ForfeitError` if none comes in time, `_WrongAnswerError` if the program has ended."""
        try:
            line = self._lines.get(timeout=max(0.0, deadline - monotonic()))
        except Empty:
            raise ForfeitError("time", "it did not answer in time") from None
        if not line:
            raise self._ended()
        return line

    def _ended(self) -> _WrongAnswerError:
        """What to say of a program that is no longer there."""
        try:
            code: int | str = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._kill()  # it closed its output, and no answer can come any more
            code = "none"
        self._complaints.seek(0, os.SEEK_END)
        self._complaints.seek(max(0, self._complaints.tell() - 2000))
        last = self._complaints.read().decode("utf-8", "replace").strip().splitlines()[-1:]
        because = f" ({shown(last[0], 100)})" if last else ""
        return _WrongAnswerError("ended", f"it ended with exit code {code}{because}")

    def _kill(self) -> None:
        """End it and whatever it has started."""
        if sys.platform != "win32":
            with suppress(ProcessLookupError):  # all of them have gone already
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait()

    def end(self) -> None:
        """Let it end by itself for a moment, then end it."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.close()
            self._process.wait(GRACE)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            pass
        self._kill()
        while self._listener.is_alive():
            try:
                self._lines.get(timeout=0.01)  # make room, so that it can see the end
            except Empty:
                continue
        self._process.stdout.close()
        self._complaints.close()

"""Long work in a process beside the app. On a thread, a search would make every key wait for the interpreter."""

from __future__ import annotations

import asyncio
import atexit
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from subprocess import DEVNULL, PIPE, Popen
from threading import Lock
from typing import Any, TypeVar

from pentagrid.errors import OptionError
from pentagrid.terminal.app import thinking_process
from pentagrid.terminal.app.background_thread import on_thread

T = TypeVar("T")


class Thinker:
    """One process, started when it is first needed. It does one thing after the other, and keeps its tables."""

    def __init__(self) -> None:
        self._numbers = count()
        self._given_up: set[int] = set()
        """What nobody waits for any more."""
        self._turn = Lock()
        self._sending = Lock()
        self._process: Popen[bytes] | None = None

    async def think(self, work: Callable[..., T], args: tuple[Any, ...], can_stop: bool) -> T:
        """The result of the work; see `think`."""
        number = next(self._numbers)
        try:
            result: T = await on_thread(lambda: self._answer(number, can_stop, work, args))
        except asyncio.CancelledError:
            self._given_up.add(number)
            if self._process is not None:
                self._send(self._process, number)
            raise
        return result

    def _answer(self, number: int, *asked: Any) -> Any:
        with self._turn:
            if number in self._given_up:
                return None
            self._process = process = self._process or _start()
            assert process.stdout is not None
            self._send(process, (number, *asked))
            try:
                is_done, result = pickle.load(process.stdout)
            except (EOFError, pickle.UnpicklingError):
                self._process = None
                _end(process)
                raise OptionError("The process that thinks has died, perhaps because memory ran out.") from None
        if not is_done:
            raise result
        return result

    def _send(self, process: Popen[bytes], message: Any) -> None:
        assert process.stdin is not None
        with self._sending, suppress(BrokenPipeError):  # whoever waits for the answer finds out
            process.stdin.write(pickle.dumps(message))
            process.stdin.flush()


def _start() -> Popen[bytes]:
    command = [sys.executable, "-m", thinking_process.__name__]
    process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    atexit.register(_end, process)
    return process


def _end(process: Popen[bytes]) -> None:
    process.kill()
    with suppress(BrokenPipeError), process:
        pass  # closes its pipes


_THINKER = Thinker()


async def think(work: Callable[..., T], *args: Any, can_stop: bool = False) -> T:
    """The result of the work, a function that can be pickled. One that can stop is told when by its argument `stop`.

    Raises what the work raises, and `OptionError` if the process dies.
    """
    return await _THINKER.think(work, args, can_stop)

"""Lines edited at a terminal: arrows, history, Tab, a clock in sight. Needs prompt_toolkit, of the extra `tui`."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import cached_property
from math import ceil
from time import monotonic

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application, get_app
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples, to_formatted_text
from prompt_toolkit.history import DummyHistory, History, InMemoryHistory
from prompt_toolkit.output import create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import CompleteStyle

from pentagrid.terminal.input import LONGEST, LineInput, TimeUpError, WokenError
from pentagrid.terminal.waker import Waker

WARNING = 1 / 4
"""The share of a turn that is left when the clock warns."""


class LineEditor(LineInput):
    """The lines that a person edits at the terminal."""

    shows_clock = True

    def __init__(self) -> None:
        super().__init__()
        self._pasted: deque[str] = deque()
        """Lines that were pasted together with one before them."""
        self._unfinished = ""
        """What was typed when something else happened."""

    @cached_property
    def _moves(self) -> PromptSession[str]:
        """Asks for moves: with a history."""
        return _session(InMemoryHistory())

    @cached_property
    def _questions(self) -> PromptSession[str]:
        """Asks for everything else."""
        return _session(DummyHistory())

    def ask(
        self,
        prompt: str,
        seconds: float | None = None,
        *,
        turn: float | None = None,
        words: Sequence[str] = (),
        waker: Waker | None = None,
    ) -> str | None:
        """The answer to a prompt, or None at Ctrl-D. Raises `TimeUpError`; what was typed is then forgotten.

        Raises `WokenError` if the waker is called: the prompt goes, and comes back with what was typed at the next
        `ask`. With words to complete, Up and Down bring back earlier answers to such prompts.
        """
        if self._pasted:
            line = self._pasted.popleft()
            print(prompt, line)
            return line
        session = self._moves if words else self._questions
        clock = None if seconds is None else _Clock(seconds, turn or seconds)

        def message() -> StyleAndTextTuples:
            return [*(clock.drawn() if clock else []), *to_formatted_text(ANSI(f"{prompt} "))]

        session.app.erase_when_done = False
        unfinished, self._unfinished = self._unfinished, ""

        def begin() -> None:
            if clock is not None:
                clock.start()
            if waker is not None:
                waiting.enter_context(waker.calling(_ender(session.app)))

        try:
            with ExitStack() as waiting:
                typed = session.prompt(
                    message, completer=WordCompleter(list(words), ignore_case=True, sentence=True), default=unfinished,
                    pre_run=begin,
                )  # fmt: skip
        except EOFError:
            return None
        except WokenError:
            self._unfinished = session.default_buffer.text
            raise
        first, *more = [line.strip()[:LONGEST] for line in typed.strip().split("\n")]
        self._pasted.extend(more)
        return first


def _session(history: History) -> PromptSession[str]:
    output = create_output()
    if isinstance(output, Vt100_Output):
        output.enable_cpr = False  # over a slow line the terminal's answer would be read as typed text
    return PromptSession(
        history=history, output=output, complete_style=CompleteStyle.READLINE_LIKE, complete_while_typing=False,
        enable_suspend=True,
    )  # fmt: skip


def _ender(app: Application[str]) -> Callable[[], None]:
    """Ends a prompt from any thread, and takes it off the screen."""
    loop = app.loop
    assert loop is not None

    def end() -> None:
        if not app.is_done:
            app.erase_when_done = True
            app.exit(exception=WokenError())

    def call() -> None:
        with suppress(RuntimeError):  # if the prompt has just ended, and its loop with it
            loop.call_soon_threadsafe(end)

    return call


class _Clock:
    """The clock above one prompt: it is drawn anew each second, and ends the wait."""

    def __init__(self, seconds: float, turn: float) -> None:
        self._deadline = monotonic() + seconds
        self._turn = turn

    def start(self) -> None:
        """Begin to count, once the prompt is there."""
        get_app().create_background_task(self._count_down())

    def drawn(self) -> StyleAndTextTuples:
        """The time left, in a line of its own."""
        left = max(0.0, self._deadline - monotonic())
        words = time_words(left)
        if left > self._turn * WARNING:
            return [("", f"Time left: {words}\n")]
        return [("bold", f"Only {words} left!"), ("", "\n")]

    async def _count_down(self) -> None:
        app = get_app()
        while (left := self._deadline - monotonic()) > 0:
            app.invalidate()
            await asyncio.sleep(left % 1 or 1)
        if not app.is_done:
            app.exit(exception=TimeUpError())


def time_words(seconds: float) -> str:
    """A span of time as a clock shows it: '9 s', '2:05'."""
    whole = ceil(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60}:{whole % 60:02}"

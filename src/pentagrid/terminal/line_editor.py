"""Lines edited at a terminal: arrows, history, Tab, a clock in sight. Needs prompt_toolkit, of the extra `tui`."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from functools import cached_property
from math import ceil
from time import monotonic

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples, to_formatted_text
from prompt_toolkit.history import DummyHistory, History, InMemoryHistory
from prompt_toolkit.output import create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import CompleteStyle

from pentagrid.terminal.input import LONGEST, LineInput, TimeUpError

WARNING = 1 / 4
"""The share of a turn that is left when the clock warns."""


class LineEditor(LineInput):
    """The lines that a person edits at the terminal."""

    def __init__(self) -> None:
        super().__init__()
        self._pasted: deque[str] = deque()
        """Lines that were pasted together with one before them."""

    @cached_property
    def _moves(self) -> PromptSession[str]:
        """Asks for moves: with a history."""
        return _session(InMemoryHistory())

    @cached_property
    def _questions(self) -> PromptSession[str]:
        """Asks for everything else."""
        return _session(DummyHistory())

    def ask(
        self, prompt: str, seconds: float | None = None, *, turn: float | None = None, words: Sequence[str] = ()
    ) -> str | None:
        """The answer to a prompt, or None at Ctrl-D. Raises `TimeUpError`; what was typed is then forgotten.

        With words to complete, Up and Down bring back earlier answers to such prompts.
        """
        if self._pasted:
            line = self._pasted.popleft()
            print(prompt, line)
            return line
        session = self._moves if words else self._questions
        clock = None if seconds is None else _Clock(seconds, turn or seconds)

        def message() -> StyleAndTextTuples:
            return [*(clock.drawn() if clock else []), *to_formatted_text(ANSI(f"{prompt} "))]

        try:
            typed = session.prompt(
                message, completer=WordCompleter(list(words), ignore_case=True, sentence=True),
                pre_run=clock.start if clock else None,
            )  # fmt: skip
        except EOFError:
            return None
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

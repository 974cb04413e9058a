"""The way into the full-screen app, without loading it: whether it can be opened here, and how to get it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from pentagrid.errors import OptionError
from pentagrid.terminal.output import is_terminal, say

if TYPE_CHECKING:
    from textual.screen import Screen

PLAIN = "PENTAGRID_PLAIN"
"""The environment variable that asks for line mode everywhere."""


def wants_plain() -> bool:
    """Is line mode asked for, or is there no person at both ends?"""
    return bool(os.environ.get(PLAIN)) or not is_terminal()


def why_no_app() -> str | None:
    """Why the app cannot be opened here, and how to get it, in a sentence; None where it can."""
    if find_spec("textual") is None:
        return 'For the full-screen app: pip install "pentagrid[tui]".'
    if sys.platform != "win32" and os.environ.get("TERM", "dumb") in ("dumb", "unknown", ""):
        return f"For the full-screen app, use a terminal that can move its cursor (TERM is {_term()})."
    return None


def _term() -> str:
    return os.environ.get("TERM") or "not set"


def require_app() -> None:
    """Raises `OptionError` where the app cannot be opened."""
    reason = why_no_app() if is_terminal() else "The full-screen app needs a terminal."
    if reason is not None:
        raise OptionError(reason)


def open_app(first: Callable[[], Screen[None]] | None = None) -> int:
    """Open the app at a screen, or at home; returns the exit code."""
    from pentagrid.terminal.app.application import PentagridApp

    _trust_the_terminal()
    app = PentagridApp(first)
    farewell = app.run()
    say(farewell or [])
    return app.return_code or 0


def _trust_the_terminal() -> None:
    """Forget a size that the environment names, if the terminal knows its own.

    Programs that use GNU readline leave COLUMNS and LINES to those they start. Textual takes them for the size, and
    would never see that it changes.
    """
    try:
        width, height = os.get_terminal_size(sys.__stdout__.fileno()) if sys.__stdout__ else (0, 0)
    except OSError:
        return
    if width and height:
        os.environ.pop("COLUMNS", None)
        os.environ.pop("LINES", None)

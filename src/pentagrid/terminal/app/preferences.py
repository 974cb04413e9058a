"""What a user has chosen for the app: the theme, and letters that every terminal has."""

from __future__ import annotations

import json
from typing import NamedTuple

from pentagrid.errors import PentagridError
from pentagrid.terminal.saved_games import state_folder
from pentagrid.util.files import read_regular_file, write_atomically

LARGEST_FILE = 1 << 16


class Preferences(NamedTuple):
    """All choices; what was never chosen is None."""

    theme: str | None = None
    ascii: bool | None = None


def read_preferences() -> Preferences:
    """The choices kept for this user; what cannot be read counts as never chosen."""
    path = state_folder("app") / "preferences.json"
    try:
        content = json.loads(read_regular_file(path, LARGEST_FILE).decode("utf-8"))
    except (PentagridError, ValueError, RecursionError):
        return Preferences()
    if not isinstance(content, dict):
        return Preferences()
    theme, ascii_only = content.get("theme"), content.get("ascii")
    return Preferences(theme if isinstance(theme, str) else None, ascii_only if isinstance(ascii_only, bool) else None)


def write_preferences(preferences: Preferences) -> str | None:
    """Keep the choices; returns what went wrong, if anything."""
    path = state_folder("app") / "preferences.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(preferences._asdict(), indent=1) + "\n")
    except PentagridError as error:
        return f"Your choice is not kept: {error}"
    except OSError as error:
        return f"Your choice is not kept: {path.parent} cannot be made: {error.strerror}."
    return None

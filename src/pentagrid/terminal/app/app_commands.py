"""What the command palette finds beside the looks: every game, its rules, and the rest of home."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from textual.app import App, SystemCommand

from pentagrid.terminal.app.games_offered import newcomers_first
from pentagrid.terminal.app.home_screen import HomeScreen

if TYPE_CHECKING:
    from collections.abc import Callable


def app_commands(app: App[Any]) -> Iterable[SystemCommand]:
    """The commands that open screens; each goes home first."""
    for game in newcomers_first():
        yield SystemCommand(f"Play {game.title}", game.sentence, partial(go_home_and, app, "play_game", game.name))
    for entry, what, name in (
        ("Puzzle of the day", "The same for everyone, easy on Monday, hard on Sunday", "daily"),
        ("Puzzles", "One after the other, by game and difficulty", "puzzles"),
        ("Watch", "Two computers at a chosen pace", "watch"),
        ("Saved games", "Go on with a game, or review it", "saved"),
        ("Streaks", "How many puzzles you have solved, and on which days", "streaks"),
        ("Join a game on a server", "Sit down with a link, come back to your seat, or watch", "join"),
    ):
        if name == "join" and find_spec("websockets") is None:
            continue
        yield SystemCommand(entry, what, partial(go_home_and, app, name))
    for game in newcomers_first():
        yield SystemCommand(
            f"Rules of {game.title}",
            "As settled, with notation and tips",
            partial(go_home_and, app, "rules", game.name),
        )


def go_home_and(app: App[Any], action: str, *words: str) -> None:
    """Go home, and do there what was asked for."""
    while not isinstance(app.screen, HomeScreen):
        app.pop_screen()
    command: Callable[..., None] = getattr(app.screen, f"action_{action}")
    command(*words)

"""Which puzzles: by game and difficulty."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Select, Static

from pentagrid.core.catalog import find
from pentagrid.puzzles.puzzle import puzzle_games
from pentagrid.terminal.app.new_game_screen import FormRow, chooser
from pentagrid.terminal.app.puzzle_screen import PuzzleScreen

ANY = "any"
HARDNESS = ("easy", "not so easy", "middling", "hard", "very hard")


class PuzzleChoice(ModalScreen[None]):
    """Asks for a game and a difficulty, and opens puzzles one after the other."""

    DEFAULT_CSS = """
    PuzzleChoice { align: center middle; }
    PuzzleChoice > Vertical { width: 56; max-width: 100%; height: auto; background: $panel; padding: 1 2; }
    PuzzleChoice:ansi > Vertical { border: ascii $foreground; }
    PuzzleChoice #buttons { height: 1; margin: 1 0 0 0; }
    PuzzleChoice Button { margin: 0 2 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Back"),
        Binding("ctrl+s", "start", "Start"),
        Binding("down", "app.focus_next", "Next field", show=False),
        Binding("up", "app.focus_previous", "Field before", show=False),
    ]

    def compose(self) -> ComposeResult:
        games = [("any game", ANY), *((find(name).title, name) for name in puzzle_games())]
        levels = [(f"{number}: {words}", str(number)) for number, words in enumerate(HARDNESS, 1)]
        with Vertical():
            yield Static("Puzzles: one move wins, and not the one that looks best.\n", markup=False)
            yield FormRow("Game", chooser(games, ANY, "game"))
            yield FormRow("Difficulty", chooser(levels, "3", "difficulty"))
            with Horizontal(id="buttons"):
                yield Button("Start (ctrl+s)", id="start", variant="primary", compact=True)
                yield Button("Back (esc)", id="cancel", compact=True)

    def on_mount(self) -> None:
        self.query_one("#start", Button).focus()

    @on(Button.Pressed, "#start")
    def action_start(self) -> None:
        game = str(self.query_one("#game", Select).value)
        difficulty = int(str(self.query_one("#difficulty", Select).value))
        self.app.switch_screen(PuzzleScreen(None if game == ANY else game, difficulty))

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        self.dismiss(None)

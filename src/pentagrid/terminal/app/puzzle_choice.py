"""Which puzzles: by game and difficulty."""

from __future__ import annotations

from textual.app import ComposeResult

from pentagrid.core.catalog import find
from pentagrid.puzzles.puzzle import puzzle_games
from pentagrid.terminal.app.form_screen import FormRow, FormScreen, chooser
from pentagrid.terminal.app.puzzle_screen import PuzzleScreen

ANY = "any"
HARDNESS = ("easy", "not so easy", "middling", "hard", "very hard")


class PuzzleChoice(FormScreen[None]):
    """Asks for a game and a difficulty, and opens puzzles one after the other."""

    def about(self) -> str:
        return "Puzzles: one move wins, and not the one that looks best."

    def rows(self) -> ComposeResult:
        games = [("any game", ANY), *((find(name).title, name) for name in puzzle_games())]
        levels = [(f"{number}: {words}", str(number)) for number, words in enumerate(HARDNESS, 1)]
        yield FormRow("Game", chooser(games, ANY, "game"))
        yield FormRow("Difficulty", chooser(levels, "3", "difficulty"))

    def start(self) -> None:
        game = self.value("game")
        self.app.switch_screen(PuzzleScreen(None if game == ANY else game, int(self.value("difficulty"))))

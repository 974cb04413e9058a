"""The rules of the games, as settled."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Markdown, Static

from pentagrid.core.catalog import find
from pentagrid.core.rulebook import rules_of
from pentagrid.terminal.app.games_offered import newcomers_first
from pentagrid.terminal.app.key_footer import KeyFooter


class RulesScreen(Screen[None]):
    """One game's rules; the arrows go to another game's."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", "Back"),
        Binding("left,h", "turn(-1)", "Game before", key_display="←"),
        Binding("right,l", "turn(1)", "Next game", key_display="→"),
        Binding("j", "scroll(1)", "Down", show=False),
        Binding("k", "scroll(-1)", "Up", show=False),
        Binding("enter", "play", "Play it"),
    ]

    def __init__(self, name: str) -> None:
        super().__init__()
        self.names = [game.name for game in newcomers_first()]
        self.at = self.names.index(name)

    def compose(self) -> ComposeResult:
        yield Static(self._title(), classes="title", markup=False, id="heading")
        with VerticalScroll():
            yield Markdown(rules_of(self.names[self.at]))
        yield KeyFooter()

    def _title(self) -> str:
        return f"Rules: {find(self.names[self.at]).title} ({self.at + 1} of {len(self.names)})"

    async def action_turn(self, by: int) -> None:
        self.at = (self.at + by) % len(self.names)
        self.query_one("#heading", Static).update(self._title())
        await self.query_one(Markdown).update(rules_of(self.names[self.at]))
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_play(self) -> None:
        from pentagrid.terminal.app.app_commands import go_home_and

        go_home_and(self.app, "play_game", self.names[self.at])

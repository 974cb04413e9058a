"""The saved games: Enter goes on with one, or reviews it."""

from __future__ import annotations

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option as ListEntry

from pentagrid.terminal.app.background_thread import on_thread
from pentagrid.terminal.app.choice_list import ChoiceList, hanging
from pentagrid.terminal.app.key_footer import KeyFooter
from pentagrid.terminal.app.review_screen import ReviewScreen
from pentagrid.terminal.app.saved_list import SavedRecord, open_saved, saved_records
from pentagrid.terminal.saved_games import state_folder


class SavedScreen(Screen[None]):
    """A list of all saved games, the last played first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", "Back"),
        Binding("r", "review", "Review"),
        Binding("j", "cursor_down", "Down", show=False),
        Binding("k", "cursor_up", "Up", show=False),
    ]
    DEFAULT_CSS = "SavedScreen OptionList { height: 1fr; padding: 0 1; }"

    def __init__(self) -> None:
        super().__init__()
        self.saved: list[SavedRecord] = []

    def compose(self) -> ComposeResult:
        yield Static("Saved games: Enter goes on with one, r reviews it", classes="title", markup=False)
        yield ChoiceList()
        yield Static("", classes="note", id="none", markup=False)
        yield KeyFooter()

    def on_screen_resume(self) -> None:
        self._look()

    @work(exclusive=True, group="look")
    async def _look(self) -> None:
        found = await on_thread(saved_records)
        entries = self.query_one(OptionList)
        before = None if entries.highlighted is None else self.saved[entries.highlighted].path
        self.saved = found
        width = self.app.size.width - 3
        entries.display = bool(found)
        entries.set_options(
            [ListEntry(hanging("", saved.sentence(), width), disabled=saved.record is None) for saved in self.saved]
        )
        paths = [saved.path for saved in self.saved]
        entries.highlighted = paths.index(before) if before in paths else 0 if paths else None
        self.query_one("#none", Static).update("" if self.saved else f"There are no saved games in {state_folder()}.")

    def action_cursor_down(self) -> None:
        self.query_one(OptionList).action_cursor_down()

    def action_cursor_up(self) -> None:
        self.query_one(OptionList).action_cursor_up()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        open_saved(self.app, self.saved[event.option_index])

    def action_review(self) -> None:
        at = self.query_one(OptionList).highlighted
        record = None if at is None else self.saved[at].record
        if record is not None:
            self.app.push_screen(ReviewScreen(record))

"""The way to a game on a server: its link, and a name to sit down with."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from pentagrid.errors import PentagridError
from pentagrid.play.match import check_name
from pentagrid.terminal.app.new_game_screen import FormRow
from pentagrid.terminal.remote.addresses import EXAMPLE, read_link
from pentagrid.terminal.remote.served_game import ServedGame


class JoinScreen(ModalScreen[ServedGame | None]):
    """Asks for the link and sits down; what is wrong with the link is said here."""

    DEFAULT_CSS = """
    JoinScreen { align: center middle; }
    JoinScreen > Vertical { width: 72; max-width: 100%; height: auto; background: $panel; padding: 0 1; }
    JoinScreen:ansi > Vertical { border: ascii $foreground; }
    JoinScreen .about { height: auto; margin: 0 0 1 0; }
    JoinScreen #trouble { color: $text-error; height: auto; }
    JoinScreen #buttons { height: 1; margin: 1 0; }
    JoinScreen #buttons Button { margin: 0 2 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Back"),
        Binding("ctrl+s", "sit_down", "Join"),
        Binding("down", "app.focus_next", "Next field", show=False),
        Binding("up", "app.focus_previous", "Field before", show=False),
    ]

    def compose(self) -> ComposeResult:
        about = "Join a game on a server: the link that you were sent, or one to come back to your seat or to watch."
        with Vertical():
            yield Static(about, classes="about", markup=False)
            yield FormRow("Link", Input(id="link", compact=True, placeholder=f"{EXAMPLE}/play/…"))
            yield FormRow("Your name", Input(id="name", compact=True, placeholder="none"))
            yield Static("", id="trouble", markup=False)
            with Horizontal(id="buttons"):
                yield Button("Join (enter)", id="join", variant="primary", compact=True)
                yield Button("Back (esc)", id="cancel", compact=True)

    def on_mount(self) -> None:
        self.query_one("#link", Input).focus()

    @on(Button.Pressed, "#join")
    @on(Input.Submitted)
    def action_sit_down(self) -> None:
        self._join(self.query_one("#link", Input).value, self.query_one("#name", Input).value.strip())

    @work(exclusive=True)
    async def _join(self, text: str, name: str) -> None:
        trouble = self.query_one("#trouble", Static)
        try:
            link = read_link(text)
            name = check_name(name) if name else ""
            trouble.update("Asking the server …")
            game = await asyncio.to_thread(ServedGame.join, link, name)
        except PentagridError as error:
            trouble.update(str(error))
            return
        self.dismiss(game)

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        self.dismiss(None)

"""The way to a game on a server: its link, and a name to sit down with."""

from __future__ import annotations

from textual import work
from textual.app import ComposeResult
from textual.widgets import Input

from pentagrid.errors import PentagridError
from pentagrid.play.match import check_name
from pentagrid.terminal.app.background_thread import on_thread
from pentagrid.terminal.app.form_screen import FormRow, FormScreen
from pentagrid.terminal.remote.addresses import EXAMPLE, GameLink, read_link
from pentagrid.terminal.remote.served_game import ServedGame


class JoinScreen(FormScreen[ServedGame]):
    """Asks for the link and sits down."""

    FIRST_FIELD = "link"
    START = "Join (enter)"

    def about(self) -> str:
        return "Join a game on a server: the link that you were sent, or one to come back to your seat or to watch."

    def rows(self) -> ComposeResult:
        yield FormRow("Link", Input(id="link", compact=True, placeholder=f"{EXAMPLE}/play/…"))
        yield FormRow("Your name", Input(id="name", compact=True, placeholder="none"))

    def start(self) -> None:
        link, name = read_link(self.value("link")), self.value("name")
        self._join(link, check_name(name) if name else "")

    @work(exclusive=True)
    async def _join(self, link: GameLink, name: str) -> None:
        self.complain("Asking the server …")
        try:
            game = await on_thread(lambda: ServedGame.join(link, name))
        except PentagridError as error:
            self.complain(str(error))
            return
        self.dismiss(game)

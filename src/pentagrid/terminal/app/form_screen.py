"""Forms: a few labeled fields above a screen, and two buttons."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Select, Static

from pentagrid.errors import PentagridError

T = TypeVar("T")


class FormRow(Horizontal):
    """A label with its field, and what it means where the label does not say it."""

    DEFAULT_CSS = """
    FormRow { height: 1; margin: 0 0 0 0; }
    FormRow > Static { width: 24; color: $quiet; }
    FormRow.-here > Static { color: $foreground; background: $cursor-back; text-style: bold; }
    FormRow.-here:ansi > Static { text-style: bold reverse; }
    FormRow > Input > .input--placeholder { color: $quiet; }
    FormRow > Input { width: 1fr; height: 1; border: none; background: $surface; }
    FormRow > Select { width: 1fr; }
    """

    def __init__(self, label: str, field: Input | Select[str], meaning: str = "") -> None:
        super().__init__(Static(label, markup=False), field)
        self.meaning = meaning


class Chooser(Select[str], inherit_bindings=False):
    """A field with fixed choices; the arrows go past it, Enter opens it."""

    DEFAULT_CSS = "Chooser:nocolor:focus > SelectCurrent > Static { text-style: reverse; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "show_overlay", "Show the choices", show=False)]


def chooser(choices: list[tuple[str, str]], value: str, field_id: str) -> Select[str]:
    """A field with fixed choices."""
    return Chooser(choices, value=value, allow_blank=False, compact=True, id=field_id)


class FormScreen(ModalScreen[T | None]):
    """Asks; what is wrong with an answer is said here. Left by Esc, it returns None."""

    DEFAULT_CSS = """
    FormScreen { align: center middle; }
    FormScreen > Vertical { width: 66; max-width: 100%; height: auto; max-height: 100%; background: $panel;
        padding: 0 1; }
    FormScreen:ansi > Vertical { border: ascii $foreground; }
    FormScreen VerticalScroll { height: auto; max-height: 100%; scrollbar-size: 1 1; }
    FormScreen #note { color: $quiet; height: auto; }
    FormScreen #note.-trouble { color: $text-error; }
    FormScreen #about { height: auto; margin: 0 0 1 0; }
    FormScreen #buttons { height: 1; margin: 1 0; }
    FormScreen.-low:ansi #about, FormScreen.-low:ansi #buttons { margin: 0; }
    FormScreen #buttons Button { margin: 0 2 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Back"),
        Binding("ctrl+s", "start", "Start"),
        Binding("question_mark", "app.keys", "Keys", key_display="?"),
        Binding("down", "app.focus_next", "Next field", show=False),
        Binding("up", "app.focus_previous", "Field before", show=False),
    ]
    FIRST_FIELD = "start"
    """The field to begin at."""
    START = "Start (ctrl+s)"

    @abstractmethod
    def about(self) -> str:
        """What the form is for."""

    @abstractmethod
    def rows(self) -> ComposeResult:
        """The fields."""

    @abstractmethod
    def start(self) -> None:
        """Do what is asked for. May raise `PentagridError`."""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.about(), id="about", markup=False)
            with VerticalScroll(can_focus=False):
                yield from self.rows()
            yield Static("", id="note", markup=False)
            with Horizontal(id="buttons"):
                yield Button(self.START, id="start", variant="primary", compact=True)
                yield Button("Back (esc)", id="cancel", compact=True)

    def on_mount(self) -> None:
        self.query_one(f"#{self.FIRST_FIELD}").focus()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Mark the field that someone has come to, and say what it means unless there is something wrong."""
        row = next((node for node in event.widget.ancestors if isinstance(node, FormRow)), None)
        for each in self.query(FormRow):
            each.set_class(each is row, "-here")
        note = self.query_one("#note", Static)
        if not note.has_class("-trouble"):
            note.update(row.meaning if row else "")

    def value(self, field_id: str) -> str:
        """What is filled in."""
        field: Any = self.query_one(f"#{field_id}")
        return str(field.value).strip()

    def complain(self, trouble: str) -> None:
        """Say what is wrong, or what is waited for."""
        note = self.query_one("#note", Static)
        note.set_class(bool(trouble), "-trouble")
        note.update(trouble)

    @on(Button.Pressed, "#start")
    @on(Input.Submitted)
    def action_start(self) -> None:
        try:
            self.start()
        except PentagridError as error:
            self.complain(str(error))

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        self.dismiss(None)

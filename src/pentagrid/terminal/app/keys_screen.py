"""The keys of a screen, shown above it."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

EVERYWHERE = ("tab", "shift+tab")
"""Keys that every screen has."""


class KeysScreen(ModalScreen[None]):
    """Every key that does something on the screen below, and what the marks on a board mean."""

    DEFAULT_CSS = """
    KeysScreen { align: center middle; }
    KeysScreen > VerticalScroll { width: 62; max-width: 95%; height: auto; max-height: 95%; background: $panel;
        padding: 1 2; border: none; }
    KeysScreen:ansi > VerticalScroll { border: ascii $foreground; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,enter", "dismiss", "Back"),
        Binding("j", "scroll(1)", show=False),
        Binding("k", "scroll(-1)", show=False),
    ]

    def __init__(self, below: Screen[Any]) -> None:
        super().__init__()
        self.below = below

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static("\n".join(self._lines()), markup=False, id="keys")

    def _lines(self) -> list[str]:
        keys: dict[str, list[str]] = {}
        active_first = sorted(self.below.active_bindings.values(), key=lambda active: active.node is self.app)
        for active in active_first:
            binding = active.binding
            if binding.description and active.enabled and not binding.system and binding.key not in EVERYWHERE:
                if isinstance(active.node, ScrollableContainer) or binding.action == "screen.copy_text":
                    continue
                shown = self.app.get_key_display(binding)
                if shown not in keys.setdefault(binding.description, []):
                    keys[binding.description].append(shown)
        together = {what: " ".join(which) for what, which in keys.items()}
        width = max(map(cell_len, together.values()), default=0)
        lines = [f"{which}{' ' * (width - cell_len(which))}  {what}" for what, which in together.items()]
        legend = getattr(self.below, "LEGEND", ())
        return ["Keys of this screen. Esc closes this.", "", *lines, *(["", *legend] if legend else [])]

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

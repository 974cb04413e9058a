"""The keys of a screen, in the line at its bottom."""

from __future__ import annotations

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Footer

ALL_KEYS = "question_mark"
"""The key that shows all keys."""


class KeyFooter(Footer):
    """As many keys as fit whole, and always the one that shows them all."""

    def __init__(self) -> None:
        super().__init__(compact=True, show_command_palette=False)

    def compose(self) -> ComposeResult:
        shown: dict[str, Binding] = {}
        for active in self.screen.active_bindings.values():
            if active.binding.show:
                shown.setdefault(active.binding.action, active.binding)
        room = self.app.size.width - sum(self._width(b) - 1 for b in shown.values() if b.key == ALL_KEYS)
        for binding, key in zip(shown.values(), super().compose(), strict=False):  # a key for each, or none yet
            if binding.key != ALL_KEYS:
                if self._width(binding) > room:
                    continue
                room -= self._width(binding)
            yield key

    def _width(self, binding: Binding) -> int:
        """The columns of a key with what it does and the blanks after both."""
        return cell_len(self.app.get_key_display(binding)) + 1 + cell_len(binding.description) + 1

    def on_resize(self) -> None:
        self.call_after_refresh(self.recompose)

"""The full-screen app: its screens, its commands, its looks."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.screen import Screen
from textual.timer import Timer, TimerCallback
from textual.widget import Widget

from pentagrid.terminal.app.app_commands import app_commands
from pentagrid.terminal.app.home_screen import HomeScreen
from pentagrid.terminal.app.keys_screen import KeysScreen
from pentagrid.terminal.app.letters_only import LettersOnly
from pentagrid.terminal.app.preferences import Preferences, read_preferences, write_preferences
from pentagrid.terminal.app.themes import board_colors, few_colors, fitting_theme, other_side

ASCII_ONLY = "PENTAGRID_ASCII"
"""The environment variable that asks for letters that every terminal has."""


class PentagridApp(App[list[str]]):
    """Home, and what is opened from there. It returns the lines to print for someone who leaves."""

    TITLE = "Pentagrid"
    ENABLE_COMMAND_PALETTE = True
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (76, "-normal"), (110, "-wide")]  # noqa: RUF012 - as App has it
    VERTICAL_BREAKPOINTS = [(0, "-low"), (22, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "keys", "Keys", key_display="?"),
        Binding("ctrl+t", "light_or_dark", "Light or dark", show=False),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, priority=True),
        Binding("ctrl+c", "quit", "Quit", show=False, priority=True),
    ]
    CSS = """
    Screen { background: $background; }
    .title { height: 1; width: 1fr; background: $panel; color: $foreground; text-style: bold; padding: 0 1; }
    .note { color: $text-muted; padding: 0 1; }
    OptionList { border: none; padding: 0; background: $background; scrollbar-size: 1 1; }
    OptionList:focus { border: none; }
    Footer { scrollbar-size: 0 0; }
    .title:ansi { text-style: bold reverse; }
    Button:nocolor:focus { text-style: reverse bold; }
    Input:nocolor > .input--cursor { text-style: reverse; }
    """

    def __init__(self, first: Callable[[], Screen[None]] | None = None, *, pace: float = 0.5) -> None:
        """`first` makes the screen to open above home; the computer's moves take at least `pace` seconds."""
        self.few_colors = few_colors(os.environ)
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.first = first
        self.pace = pace
        self.preferences = Preferences()
        self._letters_only = LettersOnly()
        self.theme = fitting_theme(os.environ)

    def get_css_variables(self) -> dict[str, str]:
        return {**super().get_css_variables(), **board_colors(self.current_theme)}

    def on_mount(self) -> None:
        self.preferences = read_preferences()
        theme = self.preferences.theme
        if theme in self.available_themes and not self.few_colors:
            self.theme = theme
        encoding = (getattr(sys.__stdout__, "encoding", None) or "utf-8").lower().replace("-", "")
        ascii_only = self.preferences.ascii
        if ascii_only is None:
            ascii_only = bool(os.environ.get(ASCII_ONLY)) or encoding not in ("utf8", "utf16")
        self.set_class(ascii_only, "-ascii")
        self.theme_changed_signal.subscribe(self, lambda changed: self._keep_theme(changed.name))
        self.push_screen(HomeScreen())
        if self.first is not None:
            self.push_screen(self.first())

    # Looks ----------------------------------------------------------------------------------------------

    def _keep_theme(self, name: str) -> None:
        if not self.few_colors and name != (self.preferences.theme or fitting_theme(os.environ)):
            self._prefer(self.preferences._replace(theme=name))

    def _prefer(self, preferences: Preferences) -> None:
        self.preferences = preferences
        trouble = write_preferences(preferences)
        if trouble:
            self.tell(trouble)

    def action_light_or_dark(self) -> None:
        self.theme = other_side(self.current_theme)

    def action_ascii(self) -> None:
        """Draw with letters that every terminal has, or with lines again."""
        self.set_class(not self.has_class("-ascii"), "-ascii")
        self._prefer(self.preferences._replace(ascii=self.has_class("-ascii")))
        for screen in self.screen_stack:
            for node in screen.walk_children(Widget, with_self=True):
                node.refresh()

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), *([self._letters_only] if self.has_class("-ascii") else [])]

    def get_key_display(self, binding: Binding) -> str:
        shown = super().get_key_display(binding)
        return binding.key if self.has_class("-ascii") and not shown.isascii() else shown

    def set_timer(
        self, delay: float, callback: TimerCallback | None = None, *, name: str | None = None, pause: bool = False
    ) -> Timer:
        """A timer that always goes off, however busy the machine is.

        Textual skips what comes too late, even of timers that go off once. If the app was held up for the
        8 milliseconds after which it looks at a new size of the terminal, it would never follow its size again.
        """
        timer = super().set_timer(delay, callback, name=name, pause=pause)
        timer._skip = False
        return timer

    def action_suspend_process(self) -> None:
        """Ctrl-Z stops the whole job, such as the `make` that started the app: the shell waits for all of it."""
        if sys.platform != "win32" and self._driver is not None and self._driver.can_suspend:
            with self.suspend():  # the terminal is as it was before any shell takes it
                own = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
                os.killpg(os.getpgrp(), signal.SIGTSTP)
                signal.signal(signal.SIGTSTP, own)

    # Words ----------------------------------------------------------------------------------------------

    def tell(self, text: str) -> None:
        """Show a text for a while; it may hold anything."""
        self.notify(text, markup=False)

    def action_keys(self) -> None:
        if not isinstance(self.screen, KeysScreen):
            self.push_screen(KeysScreen(self.screen))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        yield SystemCommand("Keys", "Show the keys of this screen", self.action_keys)
        yield SystemCommand("Light or dark", "Switch between a light and a dark theme", self.action_light_or_dark)
        yield SystemCommand("Theme", "Choose another theme", self.action_change_theme)
        yield SystemCommand("Letters only", "Draw with letters that every terminal has", self.action_ascii)
        yield from app_commands(self)
        yield SystemCommand("Leave Pentagrid", "Unfinished games are saved", self.action_leave)

    async def action_quit(self) -> None:
        self.action_leave()

    def action_leave(self) -> None:
        """End the app; whoever leaves a game reads how to come back."""
        farewells = (getattr(screen, "farewell", None) for screen in reversed(self.screen_stack))
        lines: list[str] = next((farewell() for farewell in farewells if farewell is not None), [])
        self.exit(lines)

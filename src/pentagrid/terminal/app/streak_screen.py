"""How many puzzles were solved, in a row and in all, and a calendar of the days."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from pentagrid.errors import PentagridError
from pentagrid.terminal.app.key_footer import KeyFooter
from pentagrid.terminal.commands.puzzle import today
from pentagrid.terminal.streaks import StreakFile, streak_lines

WEEKS = 6


def calendar_lines(days: Mapping[date, bool], last: date) -> list[str]:
    """The last weeks: # solved at the first try, x answered wrong at first, . not answered; [ ] is the last day."""
    monday = last - timedelta(days=last.weekday(), weeks=WEEKS - 1)
    lines = ["            Mo Tu We Th Fr Sa Su"]
    for week in range(WEEKS):
        first = monday + timedelta(weeks=week)
        cells = []
        for day in (first + timedelta(days=i) for i in range(7)):
            sign = " " if day > last else {True: "#", False: "x", None: "."}[days.get(day)]
            cells.append(f"[{sign}]" if day == last else f" {sign} ")
        lines.append(f"{first.isoformat()} {''.join(cells)}".rstrip())
    return [*lines, "", "# solved at the first try   x not   . not answered"]


class StreakScreen(Screen[None]):
    """The counts and the calendar."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", "Back"),
        Binding("d", "daily", "Puzzle of the day"),
    ]

    def compose(self) -> ComposeResult:
        yield Static("Streaks", classes="title", markup=False)
        with VerticalScroll():
            yield Static("\n".join(self._lines()), classes="note", markup=False, id="streaks")
        yield KeyFooter()

    def _lines(self) -> list[str]:
        try:
            streaks, trouble = StreakFile().look()
        except PentagridError as error:
            return [str(error)]
        return [
            *([trouble, ""] if trouble else []),
            *streak_lines(streaks, today()),
            "",
            *calendar_lines(streaks.days, today()),
        ]

    def action_daily(self) -> None:
        from pentagrid.terminal.app.puzzle_screen import PuzzleScreen

        self.app.switch_screen(PuzzleScreen.daily())

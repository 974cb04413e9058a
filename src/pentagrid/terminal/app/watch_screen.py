"""Two computers play, at a chosen pace; nothing is saved, but the game can be reviewed."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from pentagrid.analysis.sentences import counted
from pentagrid.core.catalog import find, load
from pentagrid.errors import PentagridError
from pentagrid.play.match import Seat
from pentagrid.play.record import Record
from pentagrid.terminal.app.form_screen import FormRow, FormScreen, chooser
from pentagrid.terminal.app.game_plan import GamePlan
from pentagrid.terminal.app.game_screen import GameScreen
from pentagrid.terminal.app.games_offered import newcomers_first
from pentagrid.terminal.app.new_game_screen import kind_choices

PACES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds a move."""


class WatchChoice(FormScreen[None]):
    """Asks which game and which two players."""

    def about(self) -> str:
        return "Watch two computers play."

    def rows(self) -> ComposeResult:
        games = [(game.title, game.name) for game in newcomers_first()]
        paces = [(f"{counted(pace, 'second')} a move", str(pace)) for pace in PACES]
        yield FormRow("Game", chooser(games, games[0][1], "game"))
        yield FormRow("First player", chooser(kind_choices(), "level:5", "first"))
        yield FormRow("Second player", chooser(kind_choices(), "perfect", "second"))
        yield FormRow("Pace", chooser(paces, "1.0", "pace"))

    def start(self) -> None:
        game = load(find(self.value("game")).name)
        plan = GamePlan(game, (Seat("", self.value("first")), Seat("", self.value("second"))))
        self.app.switch_screen(WatchScreen(plan.begin(), plan, PACES.index(float(self.value("pace")))))


class WatchScreen(GameScreen):
    """A game of two computers: faster, slower, pause, step."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "Pause", priority=True),
        Binding("full_stop,right,l", "step", "One move", key_display=".", priority=True),
        Binding("plus,equals_sign", "faster(-1)", "Faster", key_display="+"),
        Binding("minus", "faster(1)", "Slower", key_display="-"),
    ]

    def __init__(self, record: Record, plan: GamePlan, speed: int = 2) -> None:
        super().__init__(record, plan=plan)
        self.speed = speed
        self.paused = False
        self._stepping = False
        one, two = record.match.seats
        marks = self.speech.marks
        self._players = f"{marks[0]} {one.kind} - {marks[1]} {two.kind}"

    def heading(self) -> str:
        return f"Watch: {super().heading()}, {self._players}"

    def standing_lines(self) -> list[str]:
        pace = [f"{counted(PACES[self.speed], 'second')} a move", ""] if self.match.outcome is None else []
        return [*super().standing_lines(), *pace]

    def pace(self) -> float:
        return 0.0 if self._stepping else PACES[self.speed]

    def farewell(self) -> list[str]:
        return []

    def _keep(self) -> None:
        """Nothing is saved."""

    def make(self, action: int) -> None:
        if self.paused and not self._stepping:
            return
        self._stepping = False
        super().make(action)

    def let_think(self) -> None:
        if not self.paused or self._stepping:
            super().let_think()

    def follow(self, told: str = "") -> None:
        super().follow(told)
        if self.paused and self.match.outcome is None:
            self.say(*filter(None, [self._last_turn(), "Paused: space goes on, . makes one move."]))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("undo", "resign", "hint", "swap", "type"):
            return False
        if action in ("pause", "step", "faster"):
            return self.match.outcome is None
        return super().check_action(action, parameters)

    def action_pause(self) -> None:
        self.paused = not self.paused
        self.workers.cancel_group(self, "computer")
        self.follow()

    def action_step(self) -> None:
        """Make one move, and wait."""
        self.paused = self._stepping = True
        self.workers.cancel_group(self, "computer")
        self.let_think()

    def action_faster(self, by: int) -> None:
        self.speed = max(0, min(self.speed + by, len(PACES) - 1))
        self.show_standing()

    def action_rematch(self) -> None:
        plan = self.plan.rematch()
        try:
            record = plan.begin()
        except PentagridError as error:
            self.say(str(error))
            return
        self.app.switch_screen(WatchScreen(record, plan, self.speed))

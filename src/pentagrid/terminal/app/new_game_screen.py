"""The choices for a new game: opponent, who begins, names, size, rules, clock."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Select, Static

from pentagrid.analysis.komi import FAIR, load_fair
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice, fresh_seed
from pentagrid.core.scoring import KOMI
from pentagrid.core.speech import player_names
from pentagrid.errors import OptionError, PentagridError, shown
from pentagrid.play.match import Seat, check_name, check_names, check_turn_seconds
from pentagrid.play.players import HUMAN, KINDS
from pentagrid.terminal.app.game_plan import GamePlan

USUAL = "level:3"
"""The opponent of a first game."""
KIND_WORDS = {"random": "random moves", "greedy": "greedy: what looks best", "perfect": "perfect play"}


def kind_choices() -> list[tuple[str, str]]:
    """Every computer player in words, with the word it is asked for by."""
    asked = [choice for kind in KINDS.values() for choice in kind.choices]
    return [(KIND_WORDS.get(choice, choice.replace(":", " ")), choice) for choice in asked]


class FormRow(Horizontal):
    """A label with its field."""

    DEFAULT_CSS = """
    FormRow { height: 1; margin: 0 0 0 0; }
    FormRow > Static { width: 20; color: $quiet; }
    FormRow > Input > .input--placeholder { color: $quiet; }
    FormRow > Input { width: 1fr; height: 1; border: none; background: $surface; }
    FormRow > Select { width: 1fr; }
    """

    def __init__(self, label: str, field: Input | Select[str]) -> None:
        super().__init__(Static(label, markup=False), field)


def chooser(choices: list[tuple[str, str]], value: str, field_id: str) -> Select[str]:
    """A field with fixed choices."""
    return Select(choices, value=value, allow_blank=False, compact=True, id=field_id)


class NewGameScreen(ModalScreen[GamePlan | None]):
    """Asks what to play; Enter at once plays against the computer by the usual rules."""

    DEFAULT_CSS = """
    NewGameScreen { align: center middle; }
    NewGameScreen > Vertical { width: 66; max-width: 100%; height: auto; max-height: 100%; background: $panel;
        padding: 0 1; }
    NewGameScreen:ansi > Vertical { border: ascii $foreground; }
    NewGameScreen VerticalScroll { height: auto; max-height: 100%; scrollbar-size: 1 1; }
    NewGameScreen #trouble { color: $text-error; height: auto; }
    NewGameScreen #about { height: auto; margin: 0 0 1 0; }
    NewGameScreen #buttons { height: 1; margin: 1 0; }
    NewGameScreen #buttons Button { margin: 0 2 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Back"),
        Binding("ctrl+s", "start", "Start"),
        Binding("down", "app.focus_next", "Next field", show=False),
        Binding("up", "app.focus_previous", "Field before", show=False),
    ]

    def __init__(self, game: type[Game], start: Position | None = None) -> None:
        """With a start, the game goes on from there: size and rules are its own."""
        super().__init__()
        self.game = game
        self.start = start

    def compose(self) -> ComposeResult:
        game = self.game
        with Vertical():
            yield Static(f"{game.title}: {game.sentence}", id="about", markup=False)
            with VerticalScroll(can_focus=False):
                yield FormRow("Against", chooser([("a person, here", HUMAN), *kind_choices()], USUAL, "opponent"))
                first = [("you, or the first name", "1"), ("the other", "2"), ("chance decides", "random")]
                if self.start is None:
                    yield FormRow("Who begins", chooser(first, "1", "first"))
                else:
                    one, two = player_names(self.start.game)
                    seats = [(one, "1"), (two, "2")]
                    yield FormRow("You play", chooser(seats, str(self.start.mover), "first"))
                yield FormRow("Your name", Input(id="name-1", compact=True, placeholder="none"))
                yield FormRow("Other name", Input(id="name-2", compact=True, placeholder="none"))
                if self.start is None:
                    yield from self._variant()
                yield FormRow("Seconds a turn", Input(id="clock", compact=True, placeholder="no clock"))
            yield Static("", id="trouble", markup=False)
            with Horizontal(id="buttons"):
                yield Button("Start (ctrl+s)", id="start", variant="primary", compact=True)
                yield Button("Back (esc)", id="cancel", compact=True)

    def _variant(self) -> ComposeResult:
        game = self.game
        sizes = [(f"{size}x{size}", str(size)) for size in game.sizes]
        yield FormRow("Size", chooser(sizes, str(game.default_size), "size"))
        for rule in game.offered_rules:
            name = rule.name.replace("-", " ")
            if rule.reader is not None:
                usual = rule.values[0]
                fair = f", or {FAIR}" if rule.name == KOMI.name else ""
                field: Input | Select[str] = Input(id=f"rule-{rule.name}", compact=True, placeholder=f"{usual}{fair}")
            else:
                field = chooser([(value, value) for value in rule.values], rule.values[0], f"rule-{rule.name}")
            field.tooltip = rule.meaning
            yield FormRow(name, field)

    def on_mount(self) -> None:
        self.query_one("#start", Button).focus()

    def _value(self, field_id: str) -> str:
        field: Any = self.query_one(f"#{field_id}")
        return str(field.value).strip()

    def plan(self) -> GamePlan:
        """The plan as it is filled in. Raises `OptionError`."""
        fair = False
        if self.start is None:
            rules = {rule.name: self._value(f"rule-{rule.name}") or rule.values[0] for rule in self.game.offered_rules}
            game, fair = load_fair(self.game.name, int(self._value("size")), rules)
        else:
            game = self.start.game
        names = [check_name(name) if (name := self._value(f"name-{i}")) else "" for i in (1, 2)]
        check_names(names[0], names[1])
        seats = Seat(names[0]), Seat(names[1], self._value("opponent"))
        first = self._value("first")
        if first == "2" or (first == "random" and Dice(fresh_seed()).below(2)):
            seats = seats[1], seats[0]
        return GamePlan(game, seats, self._seconds(), fair, self.start)

    def _seconds(self) -> float | None:
        text = self._value("clock")
        if not text:
            return None
        try:
            return check_turn_seconds(float(text))
        except OptionError:
            raise
        except ValueError:
            raise OptionError(f"The seconds of a turn must be a number, not {shown(text)}.") from None

    @on(Button.Pressed, "#start")
    @on(Input.Submitted)
    def action_start(self) -> None:
        try:
            plan = self.plan()
        except PentagridError as error:
            self.query_one("#trouble", Static).update(str(error))
            return
        self.dismiss(plan)

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        self.dismiss(None)

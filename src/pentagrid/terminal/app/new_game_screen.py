"""The choices for a new game: opponent, who begins, names, size, rules, clock."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Input, Select

from pentagrid.analysis.komi import FAIR, load_fair
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice, fresh_seed
from pentagrid.core.scoring import KOMI
from pentagrid.core.speech import player_names
from pentagrid.errors import OptionError, shown
from pentagrid.play.match import Seat, check_name, check_names, check_turn_seconds
from pentagrid.play.players import HUMAN, KINDS
from pentagrid.terminal.app.form_screen import FormRow, FormScreen, chooser
from pentagrid.terminal.app.game_plan import GamePlan

USUAL = "level:3"
"""The opponent of a first game."""
KIND_WORDS = {
    "random": "random moves",
    "greedy": "greedy: what looks best",
    "perfect": "perfect play",
    "learned": "learned: taught itself",
}


def kind_choices() -> list[tuple[str, str]]:
    """Every computer player in words, with the word it is asked for by."""
    asked = [choice for kind in KINDS.values() for choice in kind.choices]
    return [(KIND_WORDS.get(choice, choice.replace(":", " ")), choice) for choice in asked]


class NewGameScreen(FormScreen[GamePlan]):
    """Asks what to play; Enter at once plays against the computer by the usual rules."""

    DEFAULT_CSS = "NewGameScreen #note { height: 3; }"

    def __init__(self, game: type[Game], start: Position | None = None) -> None:
        """With a start, the game goes on from there: size and rules are its own."""
        super().__init__()
        self.game = game
        self.start_position = start

    def about(self) -> str:
        return f"{self.game.title}: {self.game.sentence}"

    def rows(self) -> ComposeResult:
        yield FormRow("Against", chooser([("a person, here", HUMAN), *kind_choices()], USUAL, "opponent"))
        if self.start_position is None:
            first = [("you, or the first name", "1"), ("the other", "2"), ("chance decides", "random")]
            yield FormRow("Who begins", chooser(first, "1", "first"))
        else:
            one, two = player_names(self.start_position.game)
            seats = [(one, "1"), (two, "2")]
            yield FormRow("You play", chooser(seats, str(self.start_position.mover), "first"))
        yield FormRow("Your name", Input(id="name-1", compact=True, placeholder="none"))
        yield FormRow("Other name", Input(id="name-2", compact=True, placeholder="none"))
        if self.start_position is None:
            yield from self._variant()
        clock = Input(id="clock", compact=True, placeholder="no clock")
        yield FormRow("Seconds a turn", clock, "Whoever takes longer for a turn loses the game.")

    def _variant(self) -> ComposeResult:
        game = self.game
        sizes = [(f"{size}x{size}", str(size)) for size in game.sizes]
        yield FormRow("Size", chooser(sizes, str(game.default_size), "size"))
        for rule in game.offered_rules:
            if rule.reader is not None:
                usual = rule.values[0]
                fair = f", or {FAIR}" if rule.name == KOMI.name else ""
                field: Input | Select[str] = Input(id=f"rule-{rule.name}", compact=True, placeholder=f"{usual}{fair}")
            else:
                field = chooser(
                    [(rule.meant(value), value) for value in rule.values], rule.values[0], f"rule-{rule.name}"
                )
            yield FormRow(rule.label, field, f"{rule.meaning[0].upper()}{rule.meaning[1:]}.")

    def plan(self) -> GamePlan:
        """The plan as it is filled in. Raises `OptionError`."""
        fair = False
        if self.start_position is None:
            rules = {rule.name: self.value(f"rule-{rule.name}") or rule.values[0] for rule in self.game.offered_rules}
            game, fair = load_fair(self.game.name, int(self.value("size")), rules)
        else:
            game = self.start_position.game
        names = [check_name(name) if (name := self.value(f"name-{i}")) else "" for i in (1, 2)]
        check_names(names[0], names[1])
        seats = Seat(names[0]), Seat(names[1], self.value("opponent"))
        first = self.value("first")
        if first == "2" or (first == "random" and Dice(fresh_seed()).below(2)):
            seats = seats[1], seats[0]
        return GamePlan(game, seats, self._seconds(), fair, self.start_position)

    def _seconds(self) -> float | None:
        text = self.value("clock")
        if not text:
            return None
        try:
            return check_turn_seconds(float(text))
        except OptionError:
            raise
        except ValueError:
            raise OptionError(f"The seconds of a turn must be a number, not {shown(text)}.") from None

    def start(self) -> None:
        self.dismiss(self.plan())

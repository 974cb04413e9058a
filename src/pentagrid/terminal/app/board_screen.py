"""What all screens with a board share: the layout, values on the cells, the analysis panel, a line to type moves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Input, Static
from textual.widgets.option_list import Option as ListEntry

from pentagrid.analysis.sentences import sentence
from pentagrid.analysis.solver import SECONDS, analyze, solver_of
from pentagrid.analysis.values import Analysis
from pentagrid.core.deal_solver import Value
from pentagrid.core.position import Position
from pentagrid.core.speech import Speech
from pentagrid.errors import PentagridError
from pentagrid.terminal.app.board_widget import BoardFrame, BoardWidget
from pentagrid.terminal.app.cell_values import mover_value, value_legend
from pentagrid.terminal.app.choice_list import ChoiceList
from pentagrid.terminal.app.key_footer import KeyFooter
from pentagrid.terminal.app.thinking import think
from pentagrid.terminal.app.tug_of_war import tug_of_war
from pentagrid.terminal.output import join_moves, wrap

MOST_MOVES = 6
"""Moves that the analysis panel lists."""


class MoveInput(Input):
    """The line where a move is typed as in the rule text."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back to the board", show=False)]

    def __init__(self) -> None:
        super().__init__(id="typed", compact=True, select_on_focus=False)
        self.display = False

    def open(self, first: str) -> None:
        self.value = first
        self.cursor_position = len(first)
        self.display = True
        self.screen.set_focus(self)

    def action_leave(self) -> None:
        self.display = False
        self.screen.query_one(BoardWidget).focus()


class MoveList(ChoiceList, can_focus=False):
    """The moves made, the last in sight."""

    def __init__(self) -> None:
        super().__init__(id="moves")

    def on_resize(self) -> None:
        """What stands above the list may take some of its room."""
        self.call_after_refresh(self.scroll_to_highlight)

    def show(self, lines: Sequence[str], at: int | None = None) -> None:
        """Put these lines into the list, and the bar on one of them: the last, unless told otherwise."""
        known = [str(option.prompt) for option in self.options]
        if known != list(lines):
            if known == list(lines)[: len(known)]:
                self.add_options([ListEntry(line) for line in lines[len(known) :]])
            else:
                self.set_options([ListEntry(line) for line in lines])
        self.highlighted = (len(lines) - 1 if at is None else at) if lines else None


class BoardScreen(Screen[None]):
    """A board with its side: standing, moves, analysis; below it what has just happened."""

    DEFAULT_CSS = """
    BoardScreen #middle { height: 1fr; }
    BoardScreen #side { width: 20; padding: 0 0 0 1; }
    BoardScreen.-normal #side { width: 32; }
    BoardScreen.-wide #side { width: 44; }
    BoardScreen #standing { height: auto; }
    BoardScreen #clock { height: auto; display: none; }
    BoardScreen #clock.-urgent { color: $text-error; text-style: bold reverse; }
    BoardScreen #moves { height: 1fr; min-height: 2; }
    BoardScreen #panel { height: auto; max-height: 100%; display: none; }
    BoardScreen.-panel #panel { display: block; }
    BoardScreen.-panel #moves { display: none; }
    BoardScreen.-panel.-wide #moves { display: block; margin: 1 0 0 0; }
    BoardScreen #message { height: 3; padding: 0 1; }
    BoardScreen #typed { height: 1; border: none; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("v", "values", "Values"),
        Binding("a", "panel", "Analysis"),
        Binding("slash,colon", "type('')", "Type a move; a digit or capital begins it", show=False),
    ]
    LEGEND: ClassVar[tuple[str, ...]] = (
        "On the board:",
        "[5] cursor               (5) last move",
        "<5> captured or removed  *X* winning square",
        "+5+ a best move          {X} first of two cells",
        "X~  can be turned        ×   out of play",
    )

    def __init__(self, position: Position, speech: Speech) -> None:
        super().__init__()
        self.speech = speech
        self.board = BoardWidget(position)
        self.values_on = False
        self.panel_on = False
        self.analysis: Analysis | None = None
        """The analysis of the position shown, once it is there."""
        self._course_values: list[Value] = []
        self._said: tuple[str, ...] = ()
        self._said_before_legend: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        yield Static(self.heading(), classes="title", id="heading", markup=False)
        with Horizontal(id="middle"):
            yield BoardFrame(self.board)
            with Vertical(id="side"):
                yield Static("", id="standing", markup=False)
                yield Static("", id="clock", markup=False)
                yield Static("", id="panel", markup=False)
                yield MoveList()
        yield Static("", id="message", markup=False)
        yield MoveInput()
        yield KeyFooter()

    # What a screen says for itself ----------------------------------------------------------------------

    @abstractmethod
    def heading(self) -> str:
        """The line at the top."""

    @property
    @abstractmethod
    def course(self) -> Sequence[Position]:
        """The positions up to the one shown."""

    @property
    def shown(self) -> Position:
        """The position shown."""
        return self.board.position

    @abstractmethod
    def chosen(self, action: int) -> None:
        """An action was chosen on the board or typed. May raise `PentagridError`."""

    # Words ----------------------------------------------------------------------------------------------

    def say(self, *sentences: str) -> None:
        """What stands below the board."""
        self._said = sentences
        self.query_one("#message", Static).update("\n".join(sentences))

    def side_width(self) -> int:
        """The columns of the side."""
        return max(10, self.query_one("#side").size.width - 1)

    def show_standing(self) -> None:
        """Who plays, whose turn it is, the points, and what is special now."""
        self.query_one("#standing", Static).update("\n".join(self.standing_lines()))

    def standing_lines(self) -> list[str]:
        position, width = self.shown, self.side_width()
        lines = []
        for seat in (1, 2):
            score = "" if position.scores is None else str(position.scores[seat - 1])
            mark = f"{'>' if position.turn == seat else ' '} {self.speech.marks[seat - 1]} "
            room = max(1, width - cell_len(mark) - cell_len(score) - 1)
            name = self.speech.name(seat)
            more = self.about_player(seat)
            name += f" {more}" if more and cell_len(name) + 1 + cell_len(more) <= room else ""
            lines.append(f"{mark}{fitted(name, room)} {score}")
        lines += self.speech.terms(position)
        if self.values_on and position.turn is not None:
            lines.append(f"Values for {self.speech.marks[position.turn - 1]}")
        phase = self.speech.phase(position)
        return [*lines, *(["", phase] if phase else []), ""]

    def about_player(self, seat: int) -> str:
        """What stands behind a player's name where there is room."""
        return ""

    # Choosing and typing --------------------------------------------------------------------------------

    @on(BoardWidget.Chosen)
    def _chosen_on_board(self, event: BoardWidget.Chosen) -> None:
        self._try(event.action)

    @on(BoardWidget.Picked)
    def _picked(self) -> None:
        picked = self.board.marks.picked
        game = self.shown.game
        self.say("" if picked is None else f"{game.texts[picked]}, and with which cell? Esc lets it go.")

    def _try(self, move: int | str) -> bool:
        try:
            self.chosen(self.shown.game.action(move, self.shown, self.speech.secret))
        except PentagridError as error:
            self.board.unpick()
            self.say(self.speech.explain(error))
            return False
        return True

    def action_type(self, first: str) -> None:
        """Open the line where a move is typed."""
        if self.board.playable:
            typed = self.query_one(MoveInput)
            typed.placeholder = f"{self.shown.game.notation.words}, such as {self.speech.example(self.shown)}"
            typed.open(first)

    def on_key(self, event: events.Key) -> None:
        letter, typed = event.character, self.query_one(MoveInput)
        if typed.display and event.is_printable:  # typed faster than the line took the focus
            event.stop()
            typed.insert_text_at_cursor(letter or "")
        elif letter and (letter.isdigit() or letter.isupper() or letter == "(") and self.focused is self.board:
            event.stop()
            self.action_type(letter)

    @on(Input.Submitted, "#typed")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        typed = self.query_one(MoveInput)
        if not event.value.strip() or self._try(event.value):
            typed.action_leave()
        else:
            typed.select_all()  # the next letter begins anew, an arrow goes on with what is there

    def action_back(self) -> None:
        if not self.board.unpick():
            self.app.pop_screen()

    # Truth ----------------------------------------------------------------------------------------------

    def action_values(self) -> None:
        """Show the value of each move on its cell, or hide it again."""
        self.values_on = not self.values_on
        self.seek_truth()
        self.show_standing()
        if self.shown.turn is None:
            return
        legend = value_legend(self.shown, self.speech.name(self.shown.mover))
        if self.values_on:
            self._said_before_legend = self._said
            self.say(legend)
        elif self._said == (legend,):
            self.say(*self._said_before_legend)

    def action_panel(self) -> None:
        """Show the analysis panel, or hide it again."""
        self.panel_on = not self.panel_on
        self.set_class(self.panel_on, "-panel")
        self.seek_truth()

    def seek_truth(self) -> None:
        """Have the position analyzed, where its values are wanted; what was sought before is given up."""
        if self.analysis is not None and self.analysis.position != self.shown:
            self.analysis = None
        self.show_truth()
        if (self.values_on or self.panel_on) and self.analysis is None:
            self._find_truth()

    @work(exclusive=True, group="truth")
    async def _find_truth(self) -> None:
        analysis = await self.find_analysis()
        if analysis is not None:
            self.show_truth()

    async def find_analysis(self) -> Analysis | None:
        """The analysis of the position shown; None if another one is shown by then."""
        position = self.shown
        try:
            analysis, values = await think(find_truth, position, list(self.course), can_stop=True)
        except PentagridError as error:
            self.say(str(error))
            return None
        if self.shown != position:
            return None
        self.analysis, self._course_values = analysis, values
        return analysis

    def show_truth(self) -> None:
        """Show what is known and wanted."""
        self.board.show_values(self.analysis, self.values_on and self.shown.turn is not None)
        if self.panel_on:
            self.query_one("#panel", Static).update("\n".join(self.panel_lines()))

    def panel_lines(self) -> list[str]:
        """The analysis panel."""
        analysis = self.analysis
        if analysis is None:
            return ["Thinking …"]
        one, two = self.speech.both_names()
        width = self.side_width()
        names = fitted(one, width - 6).strip(), fitted(two, width - 6).strip()
        chart = tug_of_war(self._course_values, names, width, 3 if self.app.size.height > 20 else 2)
        lines = [sentence(analysis, (one, two)), "", *chart]
        if analysis.options:
            mover = analysis.position.mover
            best_first = sorted(
                analysis.options, key=lambda option: (not option.best, option.regret or 0, option.win_regret or 0)
            )
            values = (f"{'*' if o.best else ''}{o.move} {mover_value(o, mover)}" for o in best_first[:MOST_MOVES])
            legend = value_legend(analysis.position, self.speech.name(mover))
            lines += ["", *wrap(join_moves(values), width), "", legend]
        return lines

    def on_resize(self) -> None:
        self.call_after_refresh(self.show_standing)

    def on_screen_resume(self) -> None:
        """The size may be another one than when something was put above this."""
        self.call_after_refresh(self.show_standing)


def find_truth(
    position: Position, course: Sequence[Position], stop: Callable[[], bool]
) -> tuple[Analysis, list[Value]]:
    """The analysis of a position, and the values of those on the way to it."""
    solver = solver_of(position)
    return analyze(position, SECONDS, stop), [solver.value(passed) for passed in course]


def fitted(text: str, width: int) -> str:
    """A text in exactly so many columns, cut where it is longer; wide letters take two."""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, width - 1) + "…"

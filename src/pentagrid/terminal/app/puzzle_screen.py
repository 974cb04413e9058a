"""Puzzles: the question, answers and what they lead to played on the board, hints, the solution."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from pentagrid.analysis.sentences import ended
from pentagrid.core.catalog import load
from pentagrid.core.position import Position
from pentagrid.core.rng import fresh_seed
from pentagrid.core.speech import speech_for
from pentagrid.errors import NotAllowedError, PentagridError
from pentagrid.puzzles.hints import narrow_hint, puzzle_hint
from pentagrid.puzzles.playouts import Playout, main_line, play_out
from pentagrid.puzzles.puzzle import Puzzle, daily_puzzle, game_for_seed, make_puzzle
from pentagrid.terminal.app.board_screen import BoardScreen, MoveList
from pentagrid.terminal.app.key_footer import KeyFooter
from pentagrid.terminal.app.thinking import think
from pentagrid.terminal.commands.puzzle import today
from pentagrid.terminal.puzzle_count import PuzzleCount
from pentagrid.terminal.streaks import StreakFile
from pentagrid.terminal.suggested_commands import puzzle_command

PLAYOUT_PACE = 1.2
"""Seconds between two moves of an answer that is played out."""


class PuzzleScreen(Screen[None]):
    """Makes a puzzle, which may take a while, and then opens it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.pop_screen", "Back")]

    def __init__(self, game: str | None, difficulty: int, day: date | None = None) -> None:
        super().__init__()
        self.game = game
        self.difficulty = difficulty
        self.day = day

    @classmethod
    def daily(cls) -> PuzzleScreen:
        """The puzzle of today."""
        return cls(None, 0, today())

    def compose(self) -> ComposeResult:
        yield Static("Puzzles", classes="title", markup=False)
        yield Static("Making a puzzle …", classes="note", id="waiting", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self._make()

    @work(exclusive=True)
    async def _make(self) -> None:
        try:
            if self.day is not None:
                puzzle = await think(daily_puzzle, self.day)
            else:  # another one every time
                seed = fresh_seed()
                puzzle = await think(make_puzzle, load(self.game or game_for_seed(seed)), self.difficulty, seed)
        except PentagridError as error:
            self.query_one("#waiting", Static).update(str(error))
            return
        if self.is_current:
            self.app.switch_screen(PuzzleBoardScreen(puzzle, self.day, self))

    def again(self) -> PuzzleScreen:
        """The next puzzle of the same kind; after that of a day, any."""
        return PuzzleScreen(self.game, self.difficulty or 3)


class PuzzleBoardScreen(BoardScreen):
    """One puzzle until it is solved, given up or left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "hint", "Hint"),
        Binding("s", "solution", "Solution"),
        Binding("n", "next", "Next puzzle"),
        Binding("right,l,space", "step", "Next move of the line", show=False, priority=True),
        Binding("enter", "back_to_puzzle", "Back to the puzzle", show=False, priority=True),
    ]

    def __init__(self, puzzle: Puzzle, day: date | None, source: PuzzleScreen) -> None:
        position = puzzle.position
        speech = speech_for(position.game, people=[position.mover])
        speech.secret = puzzle.move
        self.puzzle = puzzle
        self.day = day
        self.source = source
        self.counts = PuzzleCount(position, day, StreakFile())
        self.names = speech.both_names()
        self.solved = False
        self._hinted = False
        self._playout: Playout | None = None
        self._step = 0
        self._timer: Timer | None = None
        self._told: list[str] = []
        super().__init__(position, speech)

    def heading(self) -> str:
        which = "Puzzle" if self.day is None else f"Puzzle of {self.day.isoformat()}"
        return f"{which}, {self.puzzle.position.game.title}, difficulty {self.puzzle.difficulty}"

    @property
    def course(self) -> Sequence[Position]:
        if self._playout is None:
            return [self.puzzle.position]
        return [self.puzzle.position, *(step.after for step in self._playout.steps[: self._step])]

    def farewell(self) -> list[str]:
        """The line for someone who leaves: how to come back."""
        return [] if self.solved else [f"The same puzzle again: {puzzle_command(self.puzzle)}"]

    def on_mount(self) -> None:
        self.call_after_refresh(self._ask)

    def _ask(self) -> None:
        self._stop()
        self._playout = None
        self.board.playable = not self.solved
        self.board.show(self.puzzle.position)
        self.show_standing()
        self.query_one(MoveList).show([])
        question = self.puzzle.question(self.names)
        self.say(question, *(self._told or self.counts.earlier_answer()))
        self.refresh_bindings()
        self.seek_truth()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("step", "back_to_puzzle"):
            return self._playout is not None
        if action == "next":
            return self.solved
        if action in ("values", "panel"):
            return self.solved  # they would give the answer away
        if action in ("hint", "solution", "type"):
            return not self.solved and self._playout is None
        return True

    # Answers --------------------------------------------------------------------------------------------

    def chosen(self, action: int) -> None:
        if self._playout is not None or self.solved:
            raise NotAllowedError("Enter goes back to the puzzle, n to the next one.")
        self.puzzle.position.play(action)
        self._answer(action)

    @work(exclusive=True, group="answer")
    async def _answer(self, action: int) -> None:
        self.board.playable = False
        try:
            playout = await think(play_out, self.puzzle, action)
        except PentagridError as error:
            self._fail(error)
            return
        self._told = self.counts.answered(playout.right)
        self.solved = playout.right
        self._show_playout(playout, playout.verdict(self.names))

    def _fail(self, error: PentagridError) -> None:
        """Say why nothing came of what was asked; the puzzle stands as it did."""
        self.board.playable = True
        self.say(str(error))

    def _show_playout(self, playout: Playout, verdict: str) -> None:
        self._playout, self._step, self._verdict = playout, 0, verdict
        self.action_step()
        self._timer = self.set_interval(PLAYOUT_PACE, self.action_step)

    def action_step(self) -> None:
        """Show the next move of the playout."""
        playout = self._playout
        if playout is None or self._step == len(playout.steps):
            return
        step = playout.steps[self._step]
        self._step += 1
        self.board.playable = False
        self.board.show(step.after, step.before, step.action)
        self.show_standing()
        marks = self.speech.marks
        self.query_one(MoveList).show([f"{marks[s.player - 1]} {s.move}" for s in playout.steps[: self._step]])
        over = self._step == len(playout.steps)
        end = [ended(playout.outcome, playout.value, self.names)] if over else []
        then = "n is the next puzzle." if self.solved else "Enter goes back to the puzzle."
        self.say(" ".join([self._verdict, *end]), " ".join([*self._told, then]))
        self.refresh_bindings()
        self.seek_truth()
        if over:
            self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def action_back_to_puzzle(self) -> None:
        self._told = []
        self._ask()

    def action_back(self) -> None:
        if self._playout is not None and not self.solved:
            self.action_back_to_puzzle()
        else:
            super().action_back()

    # Help -----------------------------------------------------------------------------------------------

    @work(exclusive=True, group="answer")
    async def action_hint(self) -> None:
        """What looks best and why it is wrong; asked again, a few moves of which one is right."""
        hinted, self._hinted = self._hinted, True
        self.say("Thinking …")
        try:
            asked = think(narrow_hint, self.puzzle) if hinted else think(puzzle_hint, self.puzzle, self.names)
            self.say(await asked)
        except PentagridError as error:
            self._fail(error)

    @work(exclusive=True, group="answer")
    async def action_solution(self) -> None:
        """Give up, and see the answer."""
        try:
            playout = await think(main_line, self.puzzle)
        except PentagridError as error:
            self._fail(error)
            return
        self._told = self.counts.given_up()
        self.solved = True
        self._show_playout(playout, playout.solution(self.names))

    def action_next(self) -> None:
        self.app.switch_screen(self.source.again())

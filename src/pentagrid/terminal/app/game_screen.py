"""A game in progress: people at this terminal, or against the computer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.widgets import Static

from pentagrid.analysis.review import Review, review
from pentagrid.analysis.sentences import hint
from pentagrid.core.options import SWAP
from pentagrid.core.position import Position
from pentagrid.errors import GameOverError, NotAllowedError, PentagridError
from pentagrid.play.match import Match, Seat
from pentagrid.play.players import is_outside
from pentagrid.play.record import Record
from pentagrid.terminal.app.background_thread import on_thread
from pentagrid.terminal.app.board_screen import BoardScreen, MoveList
from pentagrid.terminal.app.game_plan import GamePlan
from pentagrid.terminal.app.game_report import move_lines, nudge, report_lines, result_sentence
from pentagrid.terminal.app.question_screen import QuestionScreen
from pentagrid.terminal.app.thinking import think
from pentagrid.terminal.game_keeper import GameKeeper
from pentagrid.terminal.line_game import speech_for_record
from pentagrid.terminal.saved_games import SaveFile

TICK = 0.2
"""Seconds between two looks at the clock."""
WARNING = 0.25
"""The share of a turn's time that is left when the clock warns."""


class GameScreen(BoardScreen):
    """One game, from where it stands to its end; it is saved after every move."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "Take back"),
        Binding("t", "hint", "Hint"),
        Binding("w", "swap", "Swap sides"),
        Binding("x", "resign", "Resign", show=False),
        Binding("r", "review", "Review"),
        Binding("m", "rematch", "Rematch"),
        Binding("n", "another", "Another"),
    ]

    def __init__(self, record: Record, file: SaveFile | None = None, plan: GamePlan | None = None) -> None:
        self.record = record
        self.match = record.match
        self.plan = plan or GamePlan.of(record)
        self.keeper = GameKeeper(record, file)
        self.result: Review | None = None
        """The review of the finished game, once it is there."""
        self._hinted: Position | None = None
        super().__init__(self.match.position, speech_for_record(record, people=()))

    def heading(self) -> str:
        game = self.match.start.game
        rules = [f"{name}={value}" for name, value in game.chosen_rules.items()]
        size = [] if game.size == game.default_size else [f"{game.size}x{game.size}"]
        return ", ".join([game.title, *size, *rules])

    @property
    def course(self) -> Sequence[Position]:
        return course_of(self.record)

    def on_mount(self) -> None:
        self.set_interval(TICK, self._tick)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.match.start_turn()
        self.follow()

    def farewell(self) -> list[str]:
        """The lines for someone who leaves."""
        return self.keeper.farewell() if self.match.outcome is None and self.match.actions else []

    def on_unmount(self) -> None:
        self.match.close()

    # The course of the game -----------------------------------------------------------------------------

    def follow(self, told: str = "") -> None:
        """Show the game as it now stands, and let the next player move."""
        match, positions = self.match, self.course
        if match.actions:
            self.board.show(match.position, positions[-2], match.actions[-1])
        else:
            self.board.show(match.position)
        outcome = match.outcome
        self.board.playable = outcome is None and match.mover.is_human
        self.board.redraw()
        self.show_standing()
        self.query_one(MoveList).show(move_lines(self.record, self.speech))
        self.set_class(outcome is not None, "-over")
        self.refresh_bindings()
        if outcome is not None:
            self._end()
        elif match.mover.is_human:
            self.say(*filter(None, [told or self._last_turn(), self._prompt()]))
        else:
            self.say(*filter(None, [told or self._last_turn(), f"{self.speech.name(match.position.mover)} thinks …"]))
            self.let_think()
        self.seek_truth()  # after the computer's move was asked for: one thing is thought about at a time

    def _last_turn(self) -> str:
        match = self.match
        if not match.actions:
            return ""
        return self.speech.turn_sentence(self.course[-2], match.actions[-1], match.position)

    def _prompt(self) -> str:
        position = self.match.position
        swap = f" Or press w: {SWAP}." if SWAP in position.moves() else ""
        example = self.speech.example(position)
        return f"{self.speech.name(position.mover)} to move: arrows and Enter, or type such as {example}.{swap}"

    def chosen(self, action: int) -> None:
        if self.match.outcome is not None:
            raise GameOverError("The game is over.")
        if not self.match.mover.is_human:
            raise NotAllowedError("It is not your turn yet.")
        self.make(action)

    def make(self, action: int) -> None:
        """Make a move and save it. Raises `PentagridError` if the rules or the clock refuse it."""
        self.match.play(action)
        self._keep()
        self.follow()

    def _keep(self) -> None:
        trouble = self.keeper.keep()
        if trouble:
            self.app.notify(trouble, markup=False, severity="warning")

    def let_think(self) -> None:
        """Let the computer make its move."""
        self._think_and_move()

    @work(exclusive=True, group="computer")
    async def _think_and_move(self) -> None:
        position, began = self.match.position, monotonic()
        try:
            if is_outside(self.match.mover.kind):
                action = await on_thread(self.match.think)
            else:
                action = await think(choose_move, position, self.match.seats, self.match.seed)
            await asyncio.sleep(max(0.0, self.pace() - (monotonic() - began)))
        except PentagridError as error:  # an outside program has lost the game, or may not be started
            self._keep()
            self.follow(str(error))
            return
        if self.match.position is position and not self.match.flag():
            self.make(action)

    def pace(self) -> float:
        """The least seconds that a computer's move takes, so that it can be followed."""
        return float(getattr(self.app, "pace", 0))

    # The clock ------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        left, limit = self.match.time_left(), self.match.turn_seconds
        clock = self.query_one("#clock", Static)
        clock.display = limit is not None
        if left is None or limit is None:
            return
        over = self.match.outcome is not None
        urgent = not over and left < WARNING * limit
        text = "" if over else f"{'! ' if urgent else ''}{int(left // 60)}:{int(left % 60):02} left"
        if str(clock.content) != text:
            clock.update(text)
            clock.set_class(urgent, "-urgent")
        if not over and self.match.flag():
            self._keep()
            self.follow()

    # The end --------------------------------------------------------------------------------------------

    def _end(self) -> None:
        self.say(result_sentence(self.record, self.speech), "r reviews the game, m is a rematch, n another game.")
        if self.result is None:
            self._judge()

    @work(exclusive=True, group="judge")
    async def _judge(self) -> None:
        try:
            self.result = await think(review, self.match.start, list(self.match.actions), can_stop=True)
        except PentagridError as error:
            self.say(str(error))
            return
        self.show_standing()

    def standing_lines(self) -> list[str]:
        lines = super().standing_lines()
        if self.match.outcome is None:
            return lines
        return [*lines, *report_lines(self.record, self.result, self.speech), ""]

    def about_player(self, seat: int) -> str:
        sitting = self.match.seats[seat - 1]
        return "" if sitting.is_human else f"({sitting.kind})"

    # Commands -------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        over = self.match.outcome is not None
        if action in ("undo", "resign", "hint", "type"):
            return not over
        if action == "swap":
            return SWAP in self.match.position.moves()
        if action in ("review", "rematch", "another"):
            return over
        return True

    def action_undo(self) -> None:
        """Take that back: the last move, or against a computer everything up to one's own turn."""
        self.workers.cancel_group(self, "computer")
        try:
            taken = self.match.undo()
        except PentagridError as error:
            self.follow(str(error))
            return
        self._keep()
        self.follow(f"Taken back: {', '.join(taken)}.")

    def action_swap(self) -> None:
        self._try(SWAP)

    @work
    async def action_resign(self) -> None:
        seats = (self.match.position.mover, 3 - self.match.position.mover)
        people = [seat for seat in seats if self.match.seats[seat - 1].is_human]
        if not people:
            return
        name = self.speech.name(people[0])
        if await self.app.push_screen_wait(QuestionScreen(f"{name}, do you want to resign?")):
            self.workers.cancel_group(self, "computer")
            if not self.match.flag():
                self.match.resign(people[0])
            self._keep()
            self.follow()

    @work(exclusive=True, group="truth")
    async def action_hint(self) -> None:
        """First a nudge; asked again in the same position, the move."""
        if not self.match.mover.is_human:
            return
        again = self._hinted == self.shown
        self.say("Thinking …")
        analysis = self.analysis or await self.find_analysis()
        if analysis is None:
            return
        self.show_truth()
        names = self.speech.both_names()
        self._hinted = self.shown
        if again:
            self.board.point_out(option.action for option in analysis.best[:1])
            self.say(hint(analysis, names))
        else:
            self.say(nudge(analysis, self.speech), "t again shows the move.")

    def action_review(self) -> None:
        from pentagrid.terminal.app.review_screen import ReviewScreen

        self.app.push_screen(ReviewScreen(self.record, self.result))

    def action_rematch(self) -> None:
        plan = self.plan.rematch()
        try:
            record = plan.begin()
        except PentagridError as error:
            self.say(str(error))
            return
        self.app.switch_screen(GameScreen(record, plan=plan))

    def action_another(self) -> None:
        self.app.pop_screen()


def choose_move(position: Position, seats: tuple[Seat, Seat], seed: int) -> int:
    """The computer's move: the same for the same seed and position."""
    return Match(position, seats, seed=seed).think()


def course_of(record: Record) -> list[Position]:
    """Every position of a game, from its first to the one it stands at."""
    positions = [record.match.start]
    for action in record.match.actions:
        positions.append(positions[-1].play(action))
    return positions

"""A played game, looked at again: step by step, with the best move beside the played one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from pentagrid.analysis.review import Review, review
from pentagrid.core.position import Position
from pentagrid.errors import NotAllowedError, PentagridError
from pentagrid.play.record import Record
from pentagrid.terminal.app.board_screen import BoardScreen, MoveList
from pentagrid.terminal.app.game_report import report_lines, result_sentence, turning_points, verdict
from pentagrid.terminal.app.game_screen import GameScreen, course_of
from pentagrid.terminal.app.new_game_screen import NewGameScreen
from pentagrid.terminal.app.thinking import think
from pentagrid.terminal.line_game import speech_for_record


class ReviewScreen(BoardScreen):
    """Steps through a game both ways; any of its positions can be played on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "step(-1)", "Step back", priority=True),
        Binding("right,l", "step(1)", "Step", priority=True),
        Binding("home,g", "jump(0)", "To the beginning", show=False, priority=True),
        Binding("end,G", "jump(-1)", "To the end", show=False, priority=True),
        Binding("n", "turning(1)", "Turning point", priority=True),
        Binding("down,j", "turning(1)", "Turning point", show=False, priority=True),
        Binding("p,up,k", "turning(-1)", "Turning point before", show=False, priority=True),
        Binding("enter,c", "play_on", "Play on", priority=True),
    ]
    LEGEND: ClassVar[tuple[str, ...]] = (
        *BoardScreen.LEGEND,
        "",
        "In the list:",
        "?   gave something away  ??  threw the win away",
    )

    def __init__(self, record: Record, judged: Review | None = None) -> None:
        self.record = record
        self.positions = course_of(record)
        self.judged = judged
        self.at = 0
        """How many moves have been made in the position shown."""
        super().__init__(record.match.start, speech_for_record(record, people=()))
        self.board.playable = False

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "type"  # there is nothing to play

    def heading(self) -> str:
        return f"Review: {self.record.match.start.game.title}"

    @property
    def course(self) -> Sequence[Position]:
        return self.positions[: self.at + 1]

    def on_mount(self) -> None:
        self.call_after_refresh(self._go, 0)
        if self.judged is None:
            self._judge()

    @work(exclusive=True, group="judge")
    async def _judge(self) -> None:
        match = self.record.match
        try:
            self.judged = await think(review, match.start, list(match.actions), can_stop=True)
        except PentagridError as error:
            self.say(str(error))
            return
        self._go(self.at)

    # Going to and fro -----------------------------------------------------------------------------------

    def _go(self, at: int) -> None:
        self.at = max(0, min(at, len(self.positions) - 1))
        position, actions = self.positions[self.at], self.record.match.actions
        if self.at:
            self.board.show(position, self.positions[self.at - 1], actions[self.at - 1])
        else:
            self.board.show(position)
        self._mark_best()
        self.query_one(MoveList).show(self._lines(), self.at)
        self.show_standing()
        self.say(*self._words())
        self.seek_truth()

    def _mark_best(self) -> None:
        """Beside a move that gave something away, the best ones, where they are cells that are still seen."""
        if self.judged is None or not self.at or not self.judged.choices[self.at - 1].loss:
            return
        self.board.point_out(option.action for option in self.judged.analyses[self.at - 1].best[:3])

    def _lines(self) -> list[str]:
        lines = [" 0 the beginning"]
        for number, action in enumerate(self.record.match.actions, 1):
            before = self.positions[number - 1]
            choice = self.judged.choices[number - 1] if self.judged else None
            sign = "" if choice is None or not choice.loss else " ??" if choice.lost_the_win else " ?"
            lines.append(f"{number:>2} {self.speech.marks[before.mover - 1]} {before.game.texts[action]}{sign}")
        return lines

    def _words(self) -> list[str]:
        note = self.record.match.notes.get(self.at)
        last = self.at == len(self.positions) - 1
        words = []
        if self.at and self.judged is None:
            before, action = self.positions[self.at - 1], self.record.match.actions[self.at - 1]
            words.append(self.speech.turn_sentence(before, action, self.positions[self.at]))
        elif self.at and self.judged is not None:
            words.append(f"Move {self.at}: {verdict(self.judged.choices[self.at - 1], self.speech)}")
        else:
            words.append("The beginning. Right steps on, n goes to the next turning point, Enter plays on from here.")
        words += [f"({note})"] if note else []
        return [*words, *([result_sentence(self.record, self.speech)] if last else [])]

    def standing_lines(self) -> list[str]:
        lines = super().standing_lines()
        if self.at == len(self.positions) - 1:
            lines += [*report_lines(self.record, self.judged, self.speech), ""]
        return lines

    def action_step(self, by: int) -> None:
        self._go(self.at + by)

    def action_jump(self, to: int) -> None:
        self._go(to % len(self.positions))

    def action_turning(self, way: int) -> None:
        """Go to the next move that gave something away, or to the one before."""
        if self.judged is None:
            self.say("Judging the game …")
            return
        points = [n for n in turning_points(self.judged) if (n > self.at if way > 0 else n < self.at)]
        if points:
            self._go(points[0] if way > 0 else points[-1])
        else:
            self.say(f"There is no turning point {'after' if way > 0 else 'before'} this.")

    @on(OptionList.OptionSelected, "#moves")
    def _move_clicked(self, event: OptionList.OptionSelected) -> None:
        self._go(event.option_index)

    # Playing on -----------------------------------------------------------------------------------------

    def chosen(self, action: int) -> None:
        raise NotAllowedError("This is a review; Enter plays on from here.")

    @work
    async def action_play_on(self) -> None:
        position = self.positions[self.at]
        if position.turn is None:
            self.say("The game is over here; step back to play on.")
            return
        plan = await self.app.push_screen_wait(NewGameScreen(type(position.game), position))
        if plan is None:
            return
        try:
            record = plan.begin()
        except PentagridError as error:
            self.say(str(error))
            return
        self.app.push_screen(GameScreen(record, plan=plan))

"""The table where a puzzle is put: the question, answers and what becomes of them, hints, the solution."""

from __future__ import annotations

from datetime import date

from pentagrid.analysis.sentences import counted, ended
from pentagrid.core.position import Position
from pentagrid.core.speech import Paint, plain
from pentagrid.errors import OptionError, PentagridError
from pentagrid.play.match import Match
from pentagrid.play.record import Record
from pentagrid.puzzles.playouts import Playout, hint, main_line, narrow_hint, play_out
from pentagrid.puzzles.puzzle import Puzzle
from pentagrid.terminal.input import LineInput
from pentagrid.terminal.line_game import ALSO, LeaveError, speech_for_record
from pentagrid.terminal.output import joined, say, wrapped
from pentagrid.terminal.playout_drawing import strip
from pentagrid.terminal.streaks import StreakFile, Streaks
from pentagrid.terminal.suggestions import puzzle_command

COMMANDS = {
    "help": "this list",
    "moves": "the moves that are possible",
    "board": "the puzzle again",
    "hint": "what looks best and why it is wrong; asked again, a few moves of which one is right",
    "solution": "give up, and see the answer",
    "quit": "leave",
}


class LinePuzzle:
    """Puts one puzzle, until it is solved, given up or left."""

    def __init__(
        self, puzzle: Puzzle, day: date | None, lines: LineInput, file: StreakFile, paint: Paint = plain
    ) -> None:
        """The day is given for a puzzle of the day."""
        self.puzzle = puzzle
        self.position: Position = puzzle.position
        self.day = day
        self.lines = lines
        self.file = file
        self.speech = speech_for_record(Record(Match(self.position)), paint, people=[self.position.mover])
        self.speech.secret = puzzle.move
        self.names = (self.speech.name(1), self.speech.name(2))
        self.tries = 0
        """Wrong answers so far."""
        self._hinted = False
        self._counted = False
        self._done = False

    def play(self) -> None:
        """Ask until the puzzle is solved or given up. Raises `LeaveError` at `quit` and at the end of input."""
        self._open()
        while not self._done:
            line = self.lines.ask(self.speech.prompt(self.position))
            if line is None:
                raise LeaveError
            try:
                self._obey(line)
            except PentagridError as error:
                say(wrapped(str(error)))

    def _open(self) -> None:
        say([self.title(), *self.speech.updated(self.position), "", *wrapped(self.puzzle.question(self.names))])
        say([*self._known(), "(Instead of a move: hint, solution, quit or help.)"])
        say(["", *self.speech.turn(self.position)])

    def title(self) -> str:
        """Which puzzle it is: 'Puzzle 7, Matrix Capture, difficulty 3'."""
        game, day = self.position.game, self.day
        which = f"Puzzle {self.puzzle.seed}" if day is None else f"Puzzle of the day, {day:%A} {day.isoformat()}"
        size = [] if game.size == game.default_size else [f"size {game.size}"]
        rules = [f"{name}={value}" for name, value in game.chosen_rules.items()]
        return ", ".join([which, game.title, *size, *rules, f"difficulty {self.puzzle.difficulty}"])

    def farewell(self) -> list[str]:
        """What is said to someone who leaves: how to come back."""
        return [f"The same puzzle again: {puzzle_command(self.puzzle)}"]

    def _known(self) -> list[str]:
        """What there is to say of an earlier answer to this puzzle; a damaged file is told of when it is written."""
        try:
            streaks = self.file.read()
        except PentagridError:
            return []
        known = streaks.seen.get(self.position.text)
        if known is not None:
            how = "solved this puzzle" if known else "met this puzzle"
            return [f"You have {how} before: it does not count again."]
        if self.day in streaks.days:
            return ["You have answered another puzzle of this day already: for the days only the first counts."]
        return []

    # Answers --------------------------------------------------------------------------------------------

    def _obey(self, line: str) -> None:
        word = ALSO.get(line.lower(), line.lower())
        obey = getattr(self, f"_on_{word}", None) if word.isalpha() else None
        if obey is not None:
            obey()
        else:
            self._answer(play_out(self.puzzle, line))

    def _answer(self, line: Playout) -> None:
        told = self._count(line.right)
        say(["", *wrapped(line.verdict(self.names)), *self._drawn(line)])
        if line.right:
            say(["", *told])
            self._done = True
            return
        self.tries += 1
        say([*told, "", "Back to the puzzle:", *self.speech.updated(self.position), "", "Try again."])

    def _drawn(self, line: Playout) -> list[str]:
        return [*strip(line.steps, self.speech), "", ended(line.outcome, line.value, self.names)]

    # Counting -------------------------------------------------------------------------------------------

    def _count(self, right: bool) -> list[str]:
        """Note an answer at once, so that nothing done later can change the first one; what there is to say of it."""
        if self.tries:
            return self._count_later() if right else []
        position = self.position
        name, text = position.game.name, position.text
        try:
            before, after, told = self.file.change(lambda streaks: streaks.answered(name, text, right, self.day))
        except OptionError as error:
            return wrapped(f"This is not counted. {error}")
        lines = wrapped(told) if told else []
        self._counted = text not in before.seen
        if not self._counted:
            lines.append("You have met this puzzle before, so it does not count again.")
        elif right:
            tally = after.tally(name)
            lines.append(
                f"Solved at the first try: {tally.now} in a row in {position.game.title}, {tally.best} at best."
            )
        elif before.tally(name).now > 1:
            lines.append(f"That ends a run of {counted(before.tally(name).now, 'puzzle')} solved at the first try.")
        return [*lines, *self._told_days(before, after)]

    def _told_days(self, before: Streaks, after: Streaks) -> list[str]:
        if self.day is None or self.day in before.days or not after.days[self.day]:
            return []
        now, best = after.days_now(self.day), after.days_best()
        return [f"Puzzle of the day: {counted(now, 'day')} in a row, {best} at best."]

    def _count_later(self) -> list[str]:
        """A right answer behind wrong ones."""
        told = [f"Solved at try {self.tries + 1}."]
        if self._counted:
            try:
                self.file.change(lambda streaks: streaks.solved_later(self.position.game.name))
            except OptionError as error:
                told += wrapped(f"This is not counted. {error}")
        return told

    # What may be typed instead of a move ----------------------------------------------------------------

    def _on_help(self) -> None:
        width, example = max(map(len, COMMANDS)), self.speech.example(self.position)
        say(wrapped(f"A move is {self.position.game.notation.words}, such as {example}. You can also type:"))
        say(f"  {word.ljust(width)}  {meaning}" for word, meaning in COMMANDS.items())

    def _on_moves(self) -> None:
        say(wrapped(f"Possible moves: {joined(self.position.moves())}"))

    def _on_board(self) -> None:
        say([*self.speech.updated(self.position), "", *wrapped(self.puzzle.question(self.names))])

    def _on_hint(self) -> None:
        say(wrapped(narrow_hint(self.puzzle) if self._hinted else hint(self.puzzle, self.names)))
        self._hinted = True

    def _on_solution(self) -> None:
        told = self._count(False)
        line = main_line(self.puzzle)
        say(["", *wrapped(line.moral(self.names)), *self._drawn(line), *(["", *told] if told else [])])
        self._done = True

    def _on_quit(self) -> None:
        raise LeaveError

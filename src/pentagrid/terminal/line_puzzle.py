"""A puzzle solved line by line: the question, answers and what they lead to, hints, the solution."""

from __future__ import annotations

from datetime import date

from pentagrid.analysis.sentences import counted, ended
from pentagrid.core.position import Position
from pentagrid.core.speech import Paint, plain, speech_for
from pentagrid.errors import OptionError, PentagridError
from pentagrid.puzzles.hints import narrow_hint, puzzle_hint
from pentagrid.puzzles.playouts import Playout, main_line, play_out
from pentagrid.puzzles.puzzle import Puzzle
from pentagrid.terminal.input import LineInput
from pentagrid.terminal.line_game import LeaveError
from pentagrid.terminal.near_misses import full_word, suggest_command
from pentagrid.terminal.output import join_moves, say, wrap
from pentagrid.terminal.playout_drawing import draw_playout
from pentagrid.terminal.streaks import StreakFile, Streaks
from pentagrid.terminal.suggested_commands import puzzle_command

COMMANDS = {
    "help": "this list",
    "moves": "the moves that are possible",
    "board": "the puzzle again",
    "hint": "what looks best and why it is wrong; asked again, a few moves of which one is right",
    "solution": "give up, and see the answer",
    "quit": "leave",
}


class LinePuzzle:
    """Asks one puzzle until it is solved, given up or left."""

    def __init__(
        self, puzzle: Puzzle, day: date | None, typed: LineInput, file: StreakFile, paint: Paint = plain
    ) -> None:
        """The day is given for a puzzle of the day."""
        self.puzzle = puzzle
        self.position: Position = puzzle.position
        self.day = day
        self.input = typed
        self.file = file
        self.speech = speech_for(self.position.game, people=[self.position.mover], paint=paint)
        self.speech.secret = puzzle.move
        self.names = self.speech.both_names()
        self.tries = 0
        """Wrong answers so far."""
        self._hinted = False
        self._counted = False
        self._done = False

    def play(self) -> None:
        """Ask until the puzzle is solved or given up. Raises `LeaveError` at `quit` and at the end of input."""
        self._open()
        while not self._done:
            words = (*self.position.moves(), *COMMANDS)
            line = self.input.ask(self.speech.prompt(self.position), words=words)
            if line is None:
                raise LeaveError
            try:
                self._obey(line)
            except PentagridError as error:
                say(wrap(self.speech.explain(error)))

    def _open(self) -> None:
        say([self.title(), *self.speech.shown(self.position), "", *wrap(self.puzzle.question(self.names))])
        say([*self._earlier_answer(), "(Instead of a move: hint, solution, quit or help.)"])
        say(["", *self.speech.turn(self.position)])

    def title(self) -> str:
        """Which puzzle it is: 'Puzzle 7, Matrix Capture, difficulty 3'."""
        game, day = self.position.game, self.day
        which = f"Puzzle {self.puzzle.seed}" if day is None else f"Puzzle of the day, {day:%A} {day.isoformat()}"
        size = [] if game.size == game.default_size else [f"size {game.size}"]
        rules = [f"{name}={value}" for name, value in game.chosen_rules.items()]
        return ", ".join([which, game.title, *size, *rules, f"difficulty {self.puzzle.difficulty}"])

    def farewell(self) -> list[str]:
        """The lines for someone who leaves: how to come back."""
        return [f"The same puzzle again: {puzzle_command(self.puzzle)}"]

    def _earlier_answer(self) -> list[str]:
        """A line about an earlier answer to this puzzle, if any; a damaged file is named when it is written."""
        try:
            streaks = self.file.read()
        except PentagridError:
            return []
        right = streaks.seen.get(self.position.text)
        if right is not None:
            return [f"You have {'solved' if right else 'met'} this puzzle before: it does not count again."]
        if self.day in streaks.days:
            return ["You have answered another puzzle of this day already: for the days only the first counts."]
        return []

    # Answers --------------------------------------------------------------------------------------------

    def _obey(self, line: str) -> None:
        word = full_word(line)
        command = getattr(self, f"_on_{word}", None) if word.isalpha() else None
        if command is not None:
            command()
        else:
            with suggest_command(line, COMMANDS):
                playout = play_out(self.puzzle, line)
            self._answer(playout)

    def _answer(self, playout: Playout) -> None:
        count_lines = self._count(playout.right)
        say(["", *wrap(playout.verdict(self.names)), *self._drawn(playout)])
        if playout.right:
            say(["", *count_lines])
            self._done = True
            return
        self.tries += 1
        say([*count_lines, "Try again; board shows the puzzle.", ""])  # what stays in sight is the refutation

    def _drawn(self, playout: Playout) -> list[str]:
        return [*draw_playout(playout.steps, self.speech), "", ended(playout.outcome, playout.value, self.names)]

    # Counting -------------------------------------------------------------------------------------------

    def _count(self, right: bool) -> list[str]:
        """Write an answer down at once, so that nothing done later can change the first; returns lines about it."""
        if self.tries:
            return self._count_later() if right else []
        position = self.position
        name, text = position.game.name, position.text
        try:
            before, after, trouble = self.file.change(lambda streaks: streaks.answered(name, text, right, self.day))
        except OptionError as error:
            return wrap(f"This is not counted. {error}")
        lines = wrap(trouble) if trouble else []
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
        return [*lines, *self._day_lines(before, after)]

    def _day_lines(self, before: Streaks, after: Streaks) -> list[str]:
        if self.day is None or self.day in before.days or not after.days[self.day]:
            return []
        now, best = after.days_now(self.day), after.days_best()
        return [f"Puzzle of the day: {counted(now, 'day')} in a row, {best} at best."]

    def _count_later(self) -> list[str]:
        """Count a right answer after wrong ones; returns lines about it."""
        lines = [f"Solved at try {self.tries + 1}."]
        if self._counted:
            try:
                self.file.change(lambda streaks: streaks.solved_later(self.position.game.name))
            except OptionError as error:
                lines += wrap(f"This is not counted. {error}")
        return lines

    # What may be typed instead of a move ----------------------------------------------------------------

    def _on_help(self) -> None:
        width, example = max(map(len, COMMANDS)), self.speech.example(self.position)
        say(wrap(f"A move is {self.position.game.notation.words}, such as {example}. You can also type:"))
        say(f"  {word.ljust(width)}  {meaning}" for word, meaning in COMMANDS.items())

    def _on_moves(self) -> None:
        say(wrap(f"Possible moves: {join_moves(self.position.moves())}"))

    def _on_board(self) -> None:
        say([*self.speech.shown(self.position), "", *wrap(self.puzzle.question(self.names))])

    def _on_hint(self) -> None:
        say(wrap(narrow_hint(self.puzzle) if self._hinted else puzzle_hint(self.puzzle, self.names)))
        self._hinted = True

    def _on_solution(self) -> None:
        count_lines = self._count(False)
        playout = main_line(self.puzzle)
        say(["", *wrap(playout.solution(self.names)), *self._drawn(playout)])
        say(["", *count_lines] if count_lines else [])
        self._done = True

    def _on_quit(self) -> None:
        raise LeaveError

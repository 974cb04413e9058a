"""A puzzle solved line by line: the question, answers and what they lead to, hints, the solution."""

from __future__ import annotations

from datetime import date

from pentagrid.analysis.sentences import ended
from pentagrid.core.position import Position
from pentagrid.core.speech import Paint, plain, speech_for
from pentagrid.errors import PentagridError
from pentagrid.puzzles.hints import narrow_hint, puzzle_hint
from pentagrid.puzzles.playouts import Playout, main_line, play_out
from pentagrid.puzzles.puzzle import Puzzle
from pentagrid.terminal.input import LineInput
from pentagrid.terminal.line_game import LeaveError
from pentagrid.terminal.near_misses import full_word, suggest_command
from pentagrid.terminal.output import join_moves, say, wrap
from pentagrid.terminal.playout_drawing import draw_playout
from pentagrid.terminal.puzzle_count import PuzzleCount
from pentagrid.terminal.streaks import StreakFile
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
        self.speech = speech_for(self.position.game, people=[self.position.mover], paint=paint)
        self.speech.secret = puzzle.move
        self.names = self.speech.both_names()
        self.counts = PuzzleCount(self.position, day, file)
        self._hinted = False
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
        say([*self.counts.earlier_answer(), "(Instead of a move: hint, solution, quit or help.)"])
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
        count_lines = [line for told in self.counts.answered(playout.right) for line in wrap(told)]
        say(["", *wrap(playout.verdict(self.names)), *self._drawn(playout)])
        if playout.right:
            say(["", *count_lines])
            self._done = True
            return
        say([*count_lines, "Try again; board shows the puzzle.", ""])  # what stays in sight is the refutation

    def _drawn(self, playout: Playout) -> list[str]:
        return [*draw_playout(playout.steps, self.speech), "", ended(playout.outcome, playout.value, self.names)]

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
        count_lines = [line for told in self.counts.given_up() for line in wrap(told)]
        playout = main_line(self.puzzle)
        say(["", *wrap(playout.solution(self.names)), *self._drawn(playout)])
        say(["", *count_lines] if count_lines else [])
        self._done = True

    def _on_quit(self) -> None:
        raise LeaveError

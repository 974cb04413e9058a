"""A game played line by line, on a terminal or over a pipe."""

from __future__ import annotations

from collections.abc import Container

from pentagrid.analysis.sentences import counted, hint
from pentagrid.analysis.solver import SECONDS, analyze
from pentagrid.analysis.values import Analysis
from pentagrid.core.options import SWAP
from pentagrid.core.position import Position
from pentagrid.core.speech import Paint, Speech, plain, speech_for
from pentagrid.errors import GameOverError, PentagridError
from pentagrid.play.record import Record
from pentagrid.terminal.analysis_text import analysis_lines, beside_board, legend
from pentagrid.terminal.game_keeper import GameKeeper
from pentagrid.terminal.input import LineInput, TimeUpError, agrees
from pentagrid.terminal.near_misses import full_word, suggest_command
from pentagrid.terminal.output import fit, fitted, is_terminal, join_moves, say, wrap
from pentagrid.terminal.progress_bar import progress_bar
from pentagrid.terminal.saved_games import SaveFile

COMMANDS = {
    "help": "this list",
    "moves": "the moves that are possible now",
    "hint": "a best move, and why",
    "analyze": "every move with who wins after it and by how much",
    "undo": "take back a move (against a computer: back to your own turn)",
    "save [FILE]": "save the game, or a copy of it in FILE",
    "resign": "give up",
    "quit": "leave; the game can be resumed later",
}


class LeaveError(Exception):
    """The player leaves with the game unfinished."""


def speech_for_record(record: Record, paint: Paint = plain, people: Container[int] | None = None) -> Speech:
    """The words for a record's game and players; those in `people`, by default all humans, are spoken to."""
    one, two = seats = record.match.seats
    if people is None:
        people = [number for number, seat in enumerate(seats, 1) if seat.is_human]
    return speech_for(record.match.start.game, (one.name, two.name), people, paint)


def opening_lines(speech: Speech, start: Position) -> list[str]:
    """The lines that open a game: the game's welcome or, where it does not begin at the beginning, the board."""
    if start.ply == 0:
        terms = speech.terms(start)
        return [*speech.welcome(start), *(["", *terms] if terms else [])]
    return [f"{start.game.title}, begun from a position after {counted(start.ply, 'turn')}.", *speech.shown(start)]


class LineGame:
    """Plays one match to its end, or until someone leaves."""

    def __init__(
        self, record: Record, typed: LineInput, file: SaveFile | None, paint: Paint = plain, values: bool = False
    ) -> None:
        self.record = record
        self.match = record.match
        self.input = typed
        self.keeper = GameKeeper(record, file)
        self.copies: dict[str, SaveFile] = {}
        """The copies that the players have asked for, by the names they gave."""
        self.speech = speech_for_record(record, paint)
        self.values = values

    def play(self) -> None:
        """Play on until the game is over. Raises `LeaveError` at `quit` and at the end of input."""
        self._open()
        while self.match.outcome is None:
            if self.match.mover.is_human:
                self._ask()
            else:
                self._let_think()
        self._close()

    def _open(self) -> None:
        say(self._valued(opening_lines(self.speech, self.match.start), self.match.start))
        notes = [
            f"{self.speech.name(number)} is played by the computer ({seat.kind})."
            for number, seat in enumerate(self.match.seats, 1)
            if not seat.is_human
        ]
        if self.match.turn_seconds is not None:
            notes.append(f"Each turn may last {self.match.turn_seconds:g} seconds.")
        if self.values:
            notes += wrap(legend(self.match.position, self.speech.both_names()))
        say(["", *notes] if notes else [])
        if self.match.actions:
            say(["", *wrap(f"Moves made so far: {join_moves(self.match.moves)}"), *self._updated()])
            self._keep()

    def _updated(self) -> list[str]:
        """The board and the scores as they now are, with values if they are wanted."""
        position = self.match.position
        lines = self.speech.updated(position) if self.match.actions else self.speech.shown(position)
        return self._valued(lines, position)

    def _valued(self, lines: list[str], position: Position) -> list[str]:
        if not self.values or position is not self.match.position or position.turn is None:
            return lines
        return beside_board(lines, self.speech.board(position), self._analysis())

    def _analysis(self) -> Analysis:
        """The position now; never longer than the clock allows."""
        left = self.match.time_left()
        with progress_bar("Thinking") as (stop, progress):
            return analyze(self.match.position, SECONDS if left is None else min(SECONDS, left / 2), stop, progress)

    def _close(self) -> None:
        outcome = self.match.outcome
        assert outcome is not None
        if self.match.position.outcome() is None:
            say(["", *fitted(self.speech.forfeit(outcome))])
        else:
            say(["", *fitted(self.speech.closing(self.match.position, self.match.actions, outcome))])
        self._keep()

    def _let_think(self) -> None:
        try:
            action = self.match.think()
        except GameOverError as error:  # an outside program has lost the game
            say(["", str(error)])
            return
        if self.match.flag():
            return
        say(["", f"{self.speech.name(self.match.position.mover)} plays {self.match.start.game.texts[action]}."])
        self._make(action)

    def _ask(self) -> None:
        """One person's turn, up to a move made or the game ended."""
        say(["", *fitted(self.speech.turn(self.match.position))])
        if SWAP in self.match.position.moves():
            say([f"You may also answer {SWAP}, and exchange sides."])
        self.match.start_turn()
        position = self.match.position
        while self.match.position is position and self.match.outcome is None:
            try:
                self._obey(self._line(self.speech.prompt(position)))
            except TimeUpError:
                self.match.flag()
            except PentagridError as error:
                say(fit(self.speech.explain(error)))

    def _line(self, prompt: str) -> str:
        words = (*self.match.position.moves(), *(command.split()[0] for command in COMMANDS))
        line = self.input.ask(prompt, self.match.time_left(), turn=self.match.turn_seconds, words=words)
        if line is None:
            raise LeaveError
        return line

    def _obey(self, line: str) -> None:
        """Run a command, or else make a move: its text is read here, and only its action is passed on."""
        first, _, rest = line.partition(" ")
        word = full_word(first)
        command = getattr(self, f"_on_{word}", None) if word.isalpha() else None
        if command is None or (rest and word != "save"):
            with suggest_command(line, COMMANDS):
                action = self.match.start.game.action(line, self.match.position)
            self._make(action)
        else:
            command(rest.strip())

    def _make(self, action: int) -> None:
        before = self.match.position
        after = self.match.play(action)
        say([*fitted(self.speech.said(before, action, after)), *self._updated()])
        self._keep()

    # Keeping --------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        """Write the game to its file; what there is to tell about that is said."""
        news = self.keeper.keep()
        say([news] if news else [])

    def farewell(self) -> list[str]:
        """The lines for someone who leaves: how to come back."""
        return self.keeper.farewell()

    def where_saved(self) -> list[str]:
        """A line that names the game's file; nothing where it is in none."""
        return self.keeper.where_saved()

    # What a player may type instead of a move -----------------------------------------------------------

    def _on_help(self, _: str) -> None:
        width = max(map(len, COMMANDS))
        game = self.match.start.game
        example = game.notation.example(self.match.position)
        say(wrap(f"A move is {game.notation.words}, such as {example}. You can also type:"))
        say(f"  {word.ljust(width)}  {meaning}" for word, meaning in COMMANDS.items())

    def _on_moves(self, _: str) -> None:
        say(wrap(f"Possible moves: {join_moves(self.match.position.moves())}"))

    def _on_undo(self, _: str) -> None:
        taken = self.match.undo()
        say([f"Taken back: {', '.join(taken)}", *self._updated()])
        self._keep()

    def _on_hint(self, _: str) -> None:
        say(wrap(hint(self._analysis(), self.speech.both_names())))

    def _on_analyze(self, _: str) -> None:
        say(analysis_lines(self._analysis(), self.speech))

    def _on_save(self, name: str) -> None:
        if not name:
            told_before = self.keeper.trouble is not None
            self._keep()
            say(self.where_saved())
            if told_before and self.keeper.trouble is not None:
                say([f"The game is not being saved. {self.keeper.trouble}"])
            return
        copy = self.copies.get(name) or SaveFile.named(name)
        copy.write(self.record)
        self.copies[name] = copy
        say([f"Saved a copy in {name}."])

    def _on_resign(self, _: str) -> None:
        match = self.match
        if not is_terminal() or agrees(self.input, "Really resign?", match.time_left(), match.turn_seconds):
            match.resign(match.position.mover)

    def _on_quit(self, _: str) -> None:
        raise LeaveError

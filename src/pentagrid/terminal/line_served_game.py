"""A game on a server, played line by line: what happens there is said here, what is typed here is sent there."""

from __future__ import annotations

from time import monotonic

from pentagrid.core.options import SWAP
from pentagrid.core.position import Position
from pentagrid.core.speech import Paint, Speech, plain, speech_for
from pentagrid.errors import PentagridError
from pentagrid.play.players import HUMAN
from pentagrid.terminal.input import LineInput, TimeUpError, WokenError
from pentagrid.terminal.line_game import LeaveError, opening_lines
from pentagrid.terminal.near_misses import full_word, suggest_command
from pentagrid.terminal.output import fitted, join_moves, say, wrap
from pentagrid.terminal.remote.event_feed import ConnectionLost
from pentagrid.terminal.remote.news_reader import MoveHeard, NewsReader, TakenBack
from pentagrid.terminal.remote.served_game import ServedGame
from pentagrid.terminal.remote.server_client import RefusedError, UnreachableError
from pentagrid.terminal.remote.way_back import way_back
from pentagrid.terminal.waker import Waker

COMMANDS = {
    "help": "this list",
    "moves": "the moves that are possible now",
    "board": "the board once more, whose turn it is, and the time left",
    "undo": "take back a move; another person is asked first",
    "yes": "agree when the other player asks to take back a move",
    "no": "refuse it",
    "link": "the link for the free seat; then one to your own seat, for another device",
    "resign": "give up",
    "quit": "leave; your seat stays yours",
}
ANSWERS = {"y": "yes", "n": "no"}
AGAIN_SECONDS = 1.0
"""The pause before something that could not be sent is sent again."""
ECHO_SECONDS = 2.0
"""How long the next line waits until what the last one did has been heard of."""
STALE = "The game has just gone on; look again."


class LineServedGame:
    """Plays or watches one game to its end, or until this player leaves."""

    def __init__(self, game: ServedGame, typed: LineInput, waker: Waker, paint: Paint = plain) -> None:
        self.game = game
        self.input = typed
        self.paint = paint
        self._waker = waker
        self._news = NewsReader(game)
        self._due: object = None
        """What the player was last asked for."""
        self._prompt = ""
        self._waiting: str | None = None
        """A line to obey later: what did not reach the server, and over a pipe what comes before its turn."""
        self._retry_at = 0.0
        self._meant_for: object = None
        """How the game stood when a request did not get through; None for a line that waits for its turn."""
        self._resigning = False
        self._asked: Position | None = None
        """The position that the player was last asked about in full."""
        self._has_ended = False
        """Has a pipe no more lines?"""

    @property
    def speech(self) -> Speech:
        now = self.game.now
        return speech_for(now.match.start.game, now.names, self.game.you, self.paint)

    # Playing --------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Play on until the game is over. Raises `LeaveError` when the player leaves or the input ends."""
        self._open()
        self.game.listen(self._waker.wake)
        while True:
            self._hear()
            if self.game.now.outcome is not None:
                break
            self._ask()
            line = self._line()
            if line is not None:
                self._obey(line)
        self._close()

    def play_again(self) -> ServedGame | None:
        """The rematch, if this player wants one. Raises `LeaveError` when they leave."""
        if not self.game.you or not all(seat.joined for seat in self.game.now.seats):
            if self.game.now.rematch is not None:
                say(["", f"There is a rematch: {self.game.link._replace(game=self.game.now.rematch)}"])
            return None
        print()
        while True:
            self._hear()
            made = self.game.now.rematch is not None
            self._prompt = f"{'Sit down at the rematch' if made else 'Rematch with the seats swapped'}? (y/n):"
            if self._has_ended and self._waiting is None:
                return None
            line = self._line()
            if line is None:
                continue
            try:
                match _word(line):
                    case "yes" | "rematch":
                        return self.game.rematch()
                    case "no" | "quit":
                        return None
                    case _:
                        print("Please answer y or n.")
            except (UnreachableError, RefusedError) as error:
                if isinstance(error, RefusedError) and error.reason != "stale":
                    raise
                say([str(error)])

    def _open(self) -> None:
        now, match, speech = self.game.now, self.game.now.match, self.speech
        say(opening_lines(speech, match.start))
        notes = [
            f"{speech.name(number)} is played by the computer ({seat.kind})."
            for number, seat in enumerate(now.seats, 1)
            if seat.kind != HUMAN
        ]
        if now.turn_seconds is not None:
            notes.append(f"Each turn may last {now.turn_seconds:g} seconds.")
        seats = sorted(self.game.you)
        notes.append(f"You are {' and '.join(map(speech.marked, seats))}." if seats else "You watch this game.")
        notes += [
            f"{speech.name(number)} has not sat down yet."
            for number, seat in enumerate(now.seats, 1)
            if not seat.joined and number not in seats
        ]
        say(["", *notes, *self._news.absences()])
        if match.actions:
            say(["", *wrap(f"Moves made so far: {join_moves(match.moves)}"), *speech.updated(match.position)])

    def _close(self) -> None:
        self._waker.forget()
        match, outcome, speech = self.game.now.match, self.game.now.outcome, self.speech
        assert outcome is not None
        self.input.break_off()
        if match.position.outcome() is None:
            say(["", *fitted(speech.forfeit(outcome))])
        else:
            say(["", *fitted(speech.closing(match.position, match.actions, outcome))])

    def farewell(self) -> list[str]:
        """The lines for someone who leaves: how to come back."""
        self.input.break_off()
        return way_back(self.game)

    # What happens ---------------------------------------------------------------------------------------

    def _hear(self) -> None:
        """Tell everything that has happened since."""
        self._waker.clear()
        while (tellings := self._news.read()) is not None:
            for telling in tellings:
                match telling:
                    case ConnectionLost():
                        self._tell(["The connection is lost; coming back…"])
                    case TakenBack(said):
                        self._tell([*said, *self.speech.shown(self.game.now.position)])
                        self._asked = None
                    case MoveHeard():
                        self._tell_move(telling)
                    case _:
                        self._tell([telling])

    def _tell(self, lines: list[str]) -> None:
        self.input.break_off()
        say(lines)
        self._due = None

    def _tell_move(self, move: MoveHeard) -> None:
        """Tell a move in the game's words."""
        speech, game = self.speech, move.before.game
        if move.before.mover not in self.game.you:
            self._tell(["", f"{speech.name(move.before.mover)} plays {game.texts[move.action]}."])
        self._tell(speech.said(*move[:3]))
        if move.is_last:
            self._tell(speech.updated(move.after))

    # What is typed --------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Say what is wanted of the player, once, and again after something else was said."""
        game, now, speech = self.game, self.game.now, self.speech
        due = now.revision, game.is_connected, self.game.is_under_way
        if due == self._due:
            return
        self._due, self._prompt = due, ">" if self.input.is_terminal else ""
        if not game.is_connected or self.game.is_under_way:
            return
        self.input.break_off()
        if game.is_undo_mine_to_answer:
            say(["Type yes to agree, or no to refuse; a move of yours refuses, too."])
        mover = now.position.mover
        if not game.is_my_turn:
            if now.seats[mover - 1].joined or not game.you:
                say(["", f"{speech.name(mover)} to move{self._time_words()}."])
            else:
                say(["", f"Waiting for {speech.name(mover)} to sit down."])
            return
        if self._asked != now.position:
            self._asked = now.position
            say(["", *fitted(speech.turn(now.position))])
            if SWAP in now.position.moves():
                say([f"You may also answer {SWAP}, and exchange sides."])
        if self._time_words():
            say([f"Your move{self._time_words()}."])
        self._prompt = speech.prompt(now.position)

    def _time_words(self) -> str:
        left = self.game.time_left()
        return "" if left is None or self.input.shows_clock else f" ({_duration(left)} left)"

    def _line(self) -> str | None:
        """The next line to obey, or None when something has happened. Raises `LeaveError` at the end of input."""
        if self._waiting is not None and self._can_be_sent():
            waited, self._waiting = self._waiting, None
            if self._meant_for is None:
                print(self._prompt, waited)
            return waited
        if self.game.is_under_way and self.game.is_connected and self._waker.wait(ECHO_SECONDS):
            return None
        if self._has_ended:
            if self._is_free and self._waiting is None:
                raise LeaveError
            self._waker.wait()
            return None
        if self._waiting is not None and self._meant_for is None:
            self._waker.wait()  # nothing overtakes a line that waits for its turn
            return None
        game, now = self.game, self.game.now
        words = (*(now.position.moves() if game.is_my_turn else ()), *COMMANDS)
        try:
            line = self.input.ask(
                self._prompt, game.time_left() or None, turn=now.turn_seconds, words=words, waker=self._waker
            )
        except WokenError:
            return None
        except TimeUpError:
            self._waker.wait(ECHO_SECONDS)  # the server says so, too
            return None
        if line is None:
            if self.input.is_terminal:
                raise LeaveError
            self._has_ended = True
        return line

    def _can_be_sent(self) -> bool:
        """Is it time for the line that waits? One that the game has left behind is forgotten."""
        if self._meant_for is not None:
            if self._meant_for != self.game.standing:
                self._waiting = None
                return False
            return monotonic() >= self._retry_at
        if self._waiting in ("yes", "no") and self.game.is_undo_mine_to_answer:
            return True
        return self._is_free or self.game.now.outcome is not None

    @property
    def _is_free(self) -> bool:
        """Is it this player's turn, with no move under way?"""
        return self.game.is_my_turn and not self.game.is_under_way

    def _obey(self, line: str) -> None:
        """Run a command, or else make a move."""
        if not line:
            self._due = None
            return
        resigning, self._resigning = self._resigning, False
        is_again, self._meant_for = self._meant_for is not None, None
        try:
            word = _word(line)
            command = getattr(self, f"_on_{word}", None) if word.isalpha() else None
            if word == "resign":
                self._resign(resigning)
            elif command is not None:
                command()
            else:
                self._move(line)
        except UnreachableError as error:
            self._try_again(line)
            if not is_again:
                say([f"{error} Trying again…"])
        except RefusedError as error:
            if error.reason == "stale" and is_again:
                self._try_again(line)  # what has happened meanwhile will be heard first
            else:
                say([STALE if error.reason == "stale" else str(error)])
        except PentagridError as error:
            say([self.speech.explain(error)])

    def _try_again(self, line: str) -> None:
        """Obey a line once more in a moment, if the game still stands as it does now."""
        self._waiting, self._meant_for = line, self.game.standing
        self._retry_at = monotonic() + AGAIN_SECONDS
        self._waker.wake_after(AGAIN_SECONDS)

    def _move(self, line: str) -> None:
        """Make a move, if the rules allow it; only then the server hears of it."""
        position = self.game.now.position
        if not self.game.you:
            say(["You watch this game; type quit to leave."])
        elif self._is_free:
            with suggest_command(line, COMMANDS):
                action = position.game.action(line, position)
            position.play(action)
            self.game.play(position.game.texts[action])
        elif self.input.is_terminal:
            say([f"It is {self.speech.name(position.mover)}'s turn. Type help to see what you can do meanwhile."])
        else:
            self._waiting = line

    def _resign(self, sure: bool) -> None:
        if self.input.is_terminal and not sure:
            self._resigning = True
            say(["Type resign once more to give up the game."])
        else:
            self.game.resign()

    def _on_help(self) -> None:
        width = max(map(len, COMMANDS))
        position = self.game.now.position
        example = position.game.notation.example(position)
        say(wrap(f"A move is {position.game.notation.words}, such as {example}. You can also type:"))
        say(f"  {word.ljust(width)}  {meaning}" for word, meaning in COMMANDS.items())

    def _on_moves(self) -> None:
        say(wrap(f"Possible moves: {join_moves(self.game.now.position.moves())}"))

    def _on_board(self) -> None:
        say(self.speech.shown(self.game.now.position))
        self._due = self._asked = None

    def _on_undo(self) -> None:
        self.game.undo()

    def _on_yes(self) -> None:
        self._answer("yes")

    def _on_no(self) -> None:
        self._answer("no")

    def _answer(self, word: str) -> None:
        """Answer the other player's wish; over a pipe, an answer that comes before its question waits for it."""
        if self.game.is_undo_mine_to_answer or self.input.is_terminal or self._is_free or not self.game.you:
            self.game.answer_undo(grant=word == "yes")
        else:
            self._waiting = word

    def _on_link(self) -> None:
        mine = sorted(self.game.you)
        if not mine:
            say(["You watch this game; it has no seat of yours."])
            return
        if self.game.invitation is not None and any(seat.open for seat in self.game.now.seats):
            say([f"For the other player, once: {self.game.invitation}"])
            return
        say([f"For you on another device, once: {self.game.invite(mine[0])}"])

    def _on_quit(self) -> None:
        raise LeaveError


def _word(line: str) -> str:
    return ANSWERS.get(line.lower(), full_word(line))


def _duration(seconds: float) -> str:
    whole = max(0, round(seconds))
    if whole < 120:
        return f"{whole} second{'' if whole == 1 else 's'}"
    return f"{whole // 60}:{whole % 60:02} minutes"


def play_served(game: ServedGame, typed: LineInput, paint: Paint = plain) -> None:
    """Play or watch a game and its rematches. Whoever leaves, even by Ctrl-C, reads how to come back."""
    waker = Waker()
    following: ServedGame | None = game
    while following is not None:
        table = LineServedGame(following, typed, waker, paint)
        try:
            table.play()
            following = table.play_again()
            if following is not None:
                print()
        except LeaveError:
            say(table.farewell())
            return
        except KeyboardInterrupt:
            say(["", *table.farewell()])
            raise
        finally:
            waker.forget()
            table.game.close()

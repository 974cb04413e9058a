"""A game on a server of `pentagrid serve`: played at this board against someone elsewhere, or watched."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from threading import Thread
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static

from pentagrid.core.options import SWAP
from pentagrid.core.position import Position
from pentagrid.core.speech import Speech, speech_for
from pentagrid.errors import GameOverError, NotAllowedError, PentagridError
from pentagrid.play.players import HUMAN
from pentagrid.play.record import Record
from pentagrid.terminal.app.background_thread import on_thread
from pentagrid.terminal.app.board_screen import BoardScreen, MoveList
from pentagrid.terminal.app.game_report import move_lines, result_sentence
from pentagrid.terminal.app.game_screen import TICK, WARNING, course_of
from pentagrid.terminal.app.question_screen import QuestionScreen
from pentagrid.terminal.remote.addresses import GameLink
from pentagrid.terminal.remote.event_feed import ConnectionLost
from pentagrid.terminal.remote.news_reader import MoveHeard, NewsReader, TakenBack
from pentagrid.terminal.remote.served_game import ServedGame
from pentagrid.terminal.remote.server_client import RefusedError, UnreachableError
from pentagrid.terminal.remote.way_back import way_back

AGAIN_SECONDS = 1.0
"""The pause before a request that did not get through is sent again."""

WAY_BACK_SECONDS = 30.0
"""How long someone who leaves can read, and copy, how to come back."""


class ServedScreen(BoardScreen):
    """One served game. What happens there is shown here; what is done here is asked of the server."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Agree"),
        Binding("n", "answer(False)", "Refuse"),
        Binding("u", "undo", "Take back"),
        Binding("w", "swap", "Swap sides"),
        Binding("x", "resign", "Resign"),
        Binding("i", "link", "Link"),
        Binding("r", "review", "Review"),
        Binding("m", "rematch", "Rematch"),
    ]

    class NewsCame(Message):
        """The game has something to hear."""

    def __init__(self, game: ServedGame, invitation: GameLink | None = None) -> None:
        """`game` is closed with the screen; `invitation` is the link for the open seat, if it is known."""
        self.game = game
        self.invitation = invitation
        self._news = NewsReader(game)
        self._drawn: Position | None = None
        self._told = "" if game.you else "You watch this game."
        """What happened last."""
        self._trouble = ""
        """Why the last request came to nothing."""
        self._is_asking = False
        self._is_ended = False
        """Has the server nothing more to say?"""
        super().__init__(game.now.position, self._speech())
        self.board.playable = False

    def _speech(self) -> Speech:
        return speech_for(self.game.now.match.start.game, self.game.now.names)

    def heading(self) -> str:
        return f"{self.game.now.match.start.game.title} on {self.game.link.server}"

    @property
    def record(self) -> Record:
        """The game as it stands."""
        return Record(self.game.now.match)

    @property
    def course(self) -> Sequence[Position]:
        return course_of(self.record)

    def on_mount(self) -> None:
        self.set_interval(TICK, self._tick)
        self.game.listen(self._notify)
        self.call_after_refresh(self.follow)

    def _notify(self) -> None:
        """Called on the thread that listens."""
        self.post_message(self.NewsCame())

    def on_unmount(self) -> None:
        Thread(target=self.game.close, daemon=True).start()  # a server that hangs holds nobody up

    def farewell(self) -> list[str]:
        """The lines for someone who leaves."""
        try:
            lines = way_back(self.game, " --app")
        except PentagridError as error:  # the file of keys is out of reach
            lines = [str(error)]
        return [*([f"For the other player, once: {self.invitation}"] if self._is_inviting else []), *lines]

    def action_back(self) -> None:
        if not self.board.unpick():
            for line in self.farewell():
                self.app.notify(line, markup=False, timeout=WAY_BACK_SECONDS)
            self.app.pop_screen()

    # What happens ---------------------------------------------------------------------------------------

    @on(NewsCame)
    def _hear(self) -> None:
        """Take in everything that has happened since."""
        told: list[str] = []
        try:
            while (tellings := self._news.read()) is not None:
                self.speech = self._speech()
                for telling in tellings:
                    match telling:
                        case ConnectionLost():
                            pass  # the prompt says so for as long as it lasts
                        case TakenBack(said):
                            told += said
                        case MoveHeard():
                            told.append(self.speech.turn_sentence(*telling[:3]))
                        case _:
                            told.append(telling)
        except PentagridError as error:
            self._is_ended = True
            told.append(str(error))
        if told:
            self._told, self._trouble = " ".join(told), ""
        self.follow()

    # What is shown --------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Show the game as it now stands."""
        game, now = self.game, self.game.now
        if self._drawn != now.position:  # else a cell that is picked stays so
            self._drawn = now.position
            if now.match.actions:
                self.board.show(now.position, self.course[-2], now.match.actions[-1])
            else:
                self.board.show(now.position)
        over = now.outcome is not None
        self.board.playable = self._is_free
        self.board.redraw()
        if over and not self.has_class("-over") and self.focused is not self.board:
            self.board.focus()
        self.set_class(over, "-over")
        self.show_standing()
        self.query_one(MoveList).show(move_lines(self.record, self.speech))
        self.refresh_bindings()
        self.seek_truth()
        self._tick()
        asks = game.is_undo_mine_to_answer or self._is_inviting
        told = "" if over or (asks and game.is_connected and not self._is_ended) else self._told  # there is no room
        self.say(*filter(None, [self._trouble or told, self._prompt()]))

    def _prompt(self) -> str:
        """What is wanted of the player, or whom all wait for."""
        game, now, position = self.game, self.game.now, self.game.now.position
        if now.outcome is not None:
            result = result_sentence(self.record, self.speech)
            return f"{result}\n{self._rematch_words()}r reviews the game, Esc goes back."
        if self._is_ended:
            return "Esc goes back; the link brings you here again."
        if not game.is_connected:
            return "The connection is lost; coming back …"
        if game.is_undo_mine_to_answer:
            asker = self.speech.name(now.undo_asked or 1)
            return f"{asker} asks to take back a move: y agrees, n refuses; a move of yours refuses, too."
        if self._is_asking or self.game.is_under_way:
            return "Sent …"
        if self._is_inviting:
            may = "Your move. " if game.is_my_turn else ""
            return f"{may}For the other player, once (i copies it):\n{self.invitation}"
        name = self.speech.name(position.mover)
        if not game.is_my_turn:
            return f"{name} to move." if now.seats[position.mover - 1].joined else f"Waiting for {name} to sit down."
        swap = f" Or press w: {SWAP}." if SWAP in position.moves() else ""
        example = self.speech.example(position)
        return f"Your move, {name}: arrows and Enter, or type such as {example}.{swap}"

    def _rematch_words(self) -> str:
        """What m does, if anything."""
        if not self._can_rematch():
            return ""
        if not self.game.now.rematch:
            return "m is a rematch, "
        others = [self.speech.name(seat) for seat in (1, 2) if seat not in self.game.you]
        return f"{others[0]} wants a rematch: press m; " if len(others) == 1 else "m is the rematch, "

    def about_player(self, seat: int) -> str:
        sitting = self.game.now.seats[seat - 1]
        if seat in self.game.you:
            return "(you)"
        if sitting.kind != HUMAN:
            return f"({sitting.kind})"
        if not sitting.joined:
            return "(seat open)" if sitting.open else "(not here yet)"
        return "" if self.game.connected.players[seat - 1] else "(not here)"

    def standing_lines(self) -> list[str]:
        count = self.game.connected.spectators
        watchers = [f"{count} watching", ""] if count and self.game.you else []
        return [*super().standing_lines(), *watchers]

    def _tick(self) -> None:
        limit, left = self.game.now.turn_seconds, self.game.time_left()
        clock = self.query_one("#clock", Static)
        clock.display = limit is not None
        if limit is None:
            return
        urgent = left is not None and left < WARNING * limit
        text = "" if left is None else f"{'! ' if urgent else ''}{int(left // 60)}:{int(left % 60):02} left"
        if str(clock.content) != text:
            clock.update(text)
            clock.set_class(urgent, "-urgent")

    # What is done ---------------------------------------------------------------------------------------

    @property
    def _is_free(self) -> bool:
        """Is it this player's turn, with nothing under way?"""
        return self.game.is_my_turn and not (self._is_asking or self.game.is_under_way or self._is_ended)

    @property
    def _is_inviting(self) -> bool:
        """Is there a link that nobody has used yet?"""
        return self.invitation is not None and self._open_seat() is not None and self.game.now.outcome is None

    def _open_seat(self) -> int | None:
        """The seat that somebody new can still take."""
        return next((number for number, seat in enumerate(self.game.now.seats, 1) if seat.open), None)

    def _can_rematch(self) -> bool:
        now = self.game.now
        if now.outcome is None:
            return False
        return all(seat.joined for seat in now.seats) if self.game.you else now.rematch is not None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        game, over = self.game, self.game.now.outcome is not None
        if action == "answer":
            return game.is_undo_mine_to_answer and not over
        if action == "undo":
            return bool(game.you and game.now.match.actions) and not over and not game.is_undo_mine_to_answer
        if action in ("resign", "link"):
            return bool(game.you) and not over
        if action == "swap":
            return self._is_free and SWAP in game.now.position.moves()
        if action in ("values", "panel"):  # as in the browser: no values in a running game between people
            return over or not game.now.people
        if action == "review":
            return over
        return self._can_rematch() if action == "rematch" else True

    def chosen(self, action: int) -> None:
        position = self.game.now.position
        if self.game.now.outcome is not None:
            raise GameOverError("The game is over.")
        if not self.game.you:
            raise NotAllowedError("You watch this game.")
        if not self._is_free:
            raise NotAllowedError("It is not your turn yet.")
        position.play(action)  # only what the rules allow is sent
        move = position.game.texts[action]
        self._request(lambda: self.game.play(move))

    def action_swap(self) -> None:
        self._try(SWAP)

    def action_undo(self) -> None:
        self._request(self.game.undo)

    def action_answer(self, grant: bool) -> None:
        self._request(lambda: self.game.answer_undo(grant))

    @work
    async def action_resign(self) -> None:
        if await self.app.push_screen_wait(QuestionScreen("Do you want to resign?")) and not self.game.now.outcome:
            self._request(self.game.resign)

    def _request(self, act: Callable[[], int]) -> None:
        """Ask something of the server, one thing at a time."""
        if not (self._is_asking or self.game.is_under_way):
            self._is_asking, self._trouble = True, ""
            self.follow()
            self._send(act)

    @work(group="request")
    async def _send(self, act: Callable[[], int]) -> None:
        """Send a request, and again if the server cannot be reached and the game still stands as it did."""
        standing = self.game.standing
        try:
            while self.game.standing == standing and not self._is_ended:
                try:
                    await on_thread(act)
                    break
                except UnreachableError as error:
                    self._trouble = f"{error} Trying again …"
                except RefusedError as error:
                    if error.reason != "stale":
                        raise
                    if not self._trouble:
                        self._trouble = "The game has just gone on; look again."
                        break
                self.follow()
                await asyncio.sleep(AGAIN_SECONDS)
        except PentagridError as error:
            self._trouble = str(error)
        finally:
            self._is_asking = False
        self.follow()

    @work(exclusive=True, group="link")
    async def action_link(self) -> None:
        """A link for the open seat, or for one's own seat on another device; it is copied, too."""
        seat = self._open_seat()
        try:
            if seat is None:
                link = await on_thread(lambda: self.game.invite(min(self.game.you)))
            elif self.invitation is None:
                link = self.invitation = await on_thread(lambda: self.game.invite(seat))
            else:
                link = self.invitation
        except PentagridError as error:
            self.say(str(error))
            return
        self.app.copy_to_clipboard(str(link))
        whose = "you on another device" if seat is None else "the other player"
        self.say(f"Copied, if your terminal lets it. For {whose}, once:", str(link))

    def action_review(self) -> None:
        from pentagrid.terminal.app.review_screen import ReviewScreen

        self.app.push_screen(ReviewScreen(self.record))

    @work(exclusive=True, group="rematch")
    async def action_rematch(self) -> None:
        """Sit down at the rematch; whoever watches goes on to watch it."""
        game, rematch = self.game, self.game.now.rematch
        try:
            if game.you:
                following = await on_thread(game.rematch)
            else:
                assert rematch is not None, "checked by `check_action`"
                following = await on_thread(lambda: ServedGame.join(game.link._replace(game=rematch)))
        except PentagridError as error:
            self._trouble = str(error)
            self.follow()
            return
        if self.is_current:
            self.app.switch_screen(ServedScreen(following))

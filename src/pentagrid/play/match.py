"""One game in progress: who sits where, the moves, the turn clock, undo, the result. No input, no output."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import monotonic
from typing import Literal, NamedTuple

from pentagrid.core.position import Outcome, Position
from pentagrid.core.rng import Dice, fresh_seed
from pentagrid.core.speech import player_names
from pentagrid.errors import GameOverError, NotAllowedError, OptionError, UnreadableError, shown
from pentagrid.play import players

MAX_TURN_SECONDS = 86400
LONGEST_NAME = 40
Forfeit = Literal["time", "resign", "illegal"]
"""Why a game is lost away from the board."""
JOINER = "\u200d"
"""Holds some emoji together; the only letter in a name that cannot be seen."""


class Seat(NamedTuple):
    """Who sits at one seat: a name (empty if none was given) and a kind of player (`human`, `level:5`)."""

    name: str = ""
    kind: str = players.HUMAN

    @property
    def is_human(self) -> bool:
        return self.kind == players.HUMAN


def check_name(name: str) -> str:
    """A player's name, trimmed. Raises `OptionError`."""
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.replace(JOINER, "").isprintable():
        raise OptionError(f"{shown(name)} is not a name: it needs 1 to {LONGEST_NAME} printable characters.")
    if re.fullmatch(r"player\s*[12ab]", name.casefold()):
        raise OptionError(f"{shown(name)} is what a player without a name is called; give another name.")
    return name


def check_names(one: str, two: str) -> None:
    """Raise `OptionError` if the two players cannot be told apart."""
    if one and one.casefold() == two.casefold():
        raise OptionError(f"Both players are called {shown(one)}; they need different names.")


def check_turn_seconds(seconds: float) -> float:
    """A time limit for a turn, in whole milliseconds. Raises `OptionError`."""
    if not 0.001 <= seconds <= MAX_TURN_SECONDS:
        raise OptionError(f"A turn must last between 0.001 and {MAX_TURN_SECONDS:g} seconds, not {seconds:g}.")
    return round(seconds, 3)


class Match:
    """A game between two seats, from its first position to its outcome."""

    def __init__(
        self,
        start: Position,
        seats: tuple[Seat, Seat] = (Seat(), Seat()),
        *,
        seed: int | None = None,
        turn_seconds: float | None = None,
        programs: bool = False,
        now: Callable[[], float] = monotonic,
    ) -> None:
        if not isinstance(start, Position):
            raise UnreadableError(f"{shown(str(start))} is not a position; read one with pentagrid.read_position.")
        self.seats = seats
        self.programs = programs
        """May outside programs be started? Only where the user has named them."""
        self.seed = fresh_seed() if seed is None else seed
        self.turn_seconds = None if turn_seconds is None else check_turn_seconds(turn_seconds)
        self.actions: list[int] = []
        self.notes: dict[int, str] = {}
        """Comments, by the number of the move they follow (0: before the first)."""
        self._positions = [start]
        self._forfeit: Outcome | None = None
        self._players = [players.make_player(seat.kind, programs=True) for seat in seats]
        for seat in seats:
            players.check_plays(seat.kind, start.game)
        self._outside = [player for player in self._players if isinstance(player, players.OutsidePlayer)]
        self._now = now
        self.start_turn()

    @property
    def start(self) -> Position:
        """The position before the first move."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def moves(self) -> list[str]:
        """The moves made, as text."""
        return [self.start.game.texts[action] for action in self.actions]

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, on the board or away from it; None while the game goes on."""
        return self._forfeit or self.position.outcome()

    @property
    def mover(self) -> Seat:
        """The seat whose turn it is."""
        return self.seats[self.position.mover - 1]

    def play(self, move: str | int) -> Position:
        """Make a move. Raises as `Position.play`, or `GameOverError` when the turn's time has run out."""
        self._check_running()
        before = self.position
        action = before.game.action(move, before)
        after = before.play(action)
        self.actions.append(action)
        self._positions.append(after)
        self.start_turn()
        if not after.game.legal_on_board(after):
            self.close()
        return after

    def think(self) -> int:
        """The action the computer at the mover's seat chooses: the same for the same seed and position.

        Raises `GameOverError` if an outside program has just lost the game by not giving one, and `OptionError` if
        it may not be started.
        """
        self._check_running()
        player = self._players[self.position.mover - 1]
        if player is None:
            raise OptionError("It is a person's turn: no computer sits at this seat.")
        dice = Dice(self.seed, self.position.ply, self.position.mover)
        if player not in self._outside:
            return player.choose(self.position, dice)
        assert isinstance(player, players.OutsidePlayer)
        if not self.programs:
            raise OptionError(f"{shown(self.mover.kind)} would start a program, which was not allowed here.")
        player.inform(self.start, self.moves, self.time_left(), self.turn_seconds)
        try:
            action = player.choose(self.position, dice)
            self._turn_began += player.start_up
            return action
        except players.ForfeitError as lost:
            name = self.mover.name or player_names(self.start.game)[self.position.mover - 1]
            why = f"{name}'s program: {lost}."
            self.notes[len(self.actions)] = why.translate({ord("{"): "(", ord("}"): ")"})
            if not self.flag():
                self.forfeit(self.position.mover, lost.reason)
            raise GameOverError(why) from None

    def undo(self) -> list[str]:
        """Take back the last move, and more until it is a person's turn again; returns the moves taken back.

        Raises `NotAllowedError` when there is none.
        """
        self._check_running()
        turns = [i for i, p in enumerate(self._positions[:-1]) if self.seats[p.mover - 1].is_human]
        if not turns:
            raise NotAllowedError("There is no move to take back.")
        taken = self.moves[turns[-1] :]
        del self.actions[turns[-1] :]
        del self._positions[turns[-1] + 1 :]
        self.notes = {ply: note for ply, note in self.notes.items() if ply <= turns[-1]}
        self.start_turn()
        return taken

    def resign(self, seat: int) -> None:
        """A player gives up."""
        self.forfeit(seat, "resign")

    def forfeit(self, seat: int, reason: Forfeit) -> None:
        """A player loses away from the board: by `resign`, `time` or `illegal`."""
        self._check_running()
        self._forfeit = Outcome(3 - seat, reason)
        self.close()

    def close(self) -> None:
        """Send outside programs away, with the result if there is one. A match that goes on calls them again."""
        for player in self._outside:
            player.leave(self.outcome, self.position)

    # The clock ------------------------------------------------------------------------------------------

    def start_turn(self) -> None:
        """Give the mover the full time from now on."""
        self._turn_began = self._now()

    def time_left(self) -> float | None:
        """Seconds left for this turn, or None without a clock."""
        if self.turn_seconds is None:
            return None
        return max(0.0, self.turn_seconds - (self._now() - self._turn_began))

    def flag(self) -> bool:
        """End the game if the mover's time has run out; says whether it is over."""
        if self.outcome is None and self.time_left() == 0:
            self._forfeit = Outcome(3 - self.position.mover, "time")
            self.close()
        return self.outcome is not None

    def _check_running(self) -> None:
        if self.flag():
            raise GameOverError("The game is over.")

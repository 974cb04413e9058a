"""The words of a game: what the terminal says line by line, and the sentences that every front end shows.

A game's `text.py` fills in a `Speech`; `speech_for` makes one. It returns text and prints nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Sequence
from typing import ClassVar

from pentagrid.core.catalog import part
from pentagrid.core.game import Game
from pentagrid.core.position import Outcome, Position
from pentagrid.errors import NotAllowedError, PentagridError, Refusal

Paint = Callable[[str, int], str]
"""Colors a piece of text for its owner (1, 2, or 0 for what is out of play); plain where there is no color."""


def plain(text: str, owner: int) -> str:
    """The text without color."""
    return text


def speech_for(
    game: Game, names: tuple[str, str] = ("", ""), people: Container[int] = (), paint: Paint = plain
) -> Speech:
    """The words of a game about two players by name, or by the game's own names for them.

    The seats in `people` are spoken to ("You claimed …"), the others are spoken of.
    """
    speech: Speech = part(game.name, "text").SPEECH(game, names, people, paint)
    return speech


def player_names(game: Game, given: tuple[str, str] = ("", "")) -> tuple[str, str]:
    """What the two players are called: by the names they gave, else as the game calls its players."""
    return speech_for(game, given).both_names()


class Speech(ABC):
    """The words of one game for two players. Made by `speech_for`."""

    marks: ClassVar[tuple[str, str]] = ("X", "O")
    default_names: ClassVar[tuple[str, str]] = ("Player 1", "Player 2")
    """What players are called who gave no name."""
    examples: ClassVar[tuple[str, ...]] = ()
    """The positions that the boards in the game's rules show, in order, as the words of their text after the name."""

    def __init__(
        self,
        game: Game,
        names: tuple[str, str] = ("", ""),
        people: Container[int] = (1, 2),
        paint: Paint = plain,
    ) -> None:
        self.game = game
        self.names = names
        self.people = people
        self.paint = paint
        self.secret: str | None = None
        """A move that no example may be: the answer to a puzzle."""

    def example(self, position: Position) -> str:
        """A possible move, for a prompt."""
        return self.game.notation.example(position, self.secret)

    def name(self, seat: int) -> str:
        """A player by name, or as the game calls that seat."""
        return self.names[seat - 1] or self.default_names[seat - 1]

    def both_names(self) -> tuple[str, str]:
        """Both players by name."""
        return self.name(1), self.name(2)

    def marked(self, seat: int) -> str:
        """A player with the mark: 'Player 1 (X)'."""
        return f"{self.name(seat)} ({self.mark(seat)})"

    def mark(self, seat: int) -> str:
        """A player's mark, in the player's color."""
        return self.paint(self.marks[seat - 1], seat)

    def you(self, seat: int) -> str:
        """The one who moved, at the head of a sentence."""
        return "You" if seat in self.people else self.name(seat)

    def your(self, seat: int) -> str:
        """The one who moved, as an owner at the head of a sentence."""
        return "Your" if seat in self.people else f"{self.name(seat)}'s"

    def scores(self, position: Position) -> list[str]:
        """Both scores, a line each: 'Player 1 (X): 9'."""
        return [f"{self.marked(seat)}: {score}" for seat, score in enumerate(position.scores or (), 1)]

    def standing(self, position: Position) -> list[str]:
        """Whose points are whose, a short line each, the komi named: 'Player 2: 16 + 4.5 komi'."""
        komi, seat = self.game.komi, self.game.side(2, position)
        return [
            f"{self.name(i)}: {score}"
            + (f" {'-' if komi < 0 else '+'} {abs(komi):g} komi" if komi and i == seat else "")
            for i, score in enumerate(position.scores or (), 1)
        ]

    def turn_sentence(self, before: Position, action: int, after: Position) -> str:
        """A turn in a sentence or two that can be followed by ear: what it does, and the points after it."""
        sentence = f"{self.name(before.mover)} {self.deed(before, action, after)}."
        if after.scores is None:
            return sentence
        points = " and ".join(line.replace(": ", " has ", 1) for line in self.standing(after))
        return f"{sentence} {points}."

    def explain(self, error: PentagridError) -> str:
        """What is wrong with a move, in the game's own words where its rules refused it."""
        if not isinstance(error, NotAllowedError) or error.refusal is None:
            return str(error)
        if error.refusal.code == "no-swap":
            return f"Sorry, sides can be swapped only by {self.name(2)}, in answer to the first move."
        return self.refused(error.refusal)

    def gist(self, outcome: Outcome) -> str:
        """What a line that ends like this is about, in a sentence, where its moves do not show it; else nothing."""
        return ""

    # What is said under every rule option; calls the game's own words -----------------------------------

    def said(self, before: Position, action: int, after: Position) -> list[str]:
        """What is said of a turn just made."""
        if action != self.game.swap_action:
            return self.made(before, action, after)
        mover, other = self.name(before.mover), self.name(3 - before.mover)
        return [f"{mover} swaps: what {other} has is now {mover}'s, and {other} plays the other side."]

    def updated(self, position: Position) -> list[str]:
        """The board and both scores after a turn, and the terms beside them."""
        return [*self.update(position), *self.terms(position)]

    def shown(self, position: Position) -> list[str]:
        """The board and both scores where no turn has just been made, and the terms beside them."""
        return [*self.state(position), *self.terms(position)]

    def terms(self, position: Position) -> list[str]:
        """What holds in this game beyond its usual rules: who receives a komi, and the totals with it."""
        komi = self.game.komi
        if not komi or position.scores is None:
            return []
        seat = self.game.side(2, position)
        totals = list(map(float, position.scores))
        totals[seat - 1] += komi
        both = ", ".join(f"{self.name(i)} {total:g}" for i, total in enumerate(totals, 1))
        return [f"Komi for {self.name(seat)}: {komi:g} (with it: {both})"]

    # The game's own words -------------------------------------------------------------------------------

    @abstractmethod
    def welcome(self, position: Position) -> list[str]:
        """The lines that open a game, with the board."""

    @abstractmethod
    def board(self, position: Position) -> list[str]:
        """The board drawn as the rule text draws it."""

    @abstractmethod
    def turn(self, position: Position) -> list[str]:
        """What is said before the prompt."""

    @abstractmethod
    def prompt(self, position: Position) -> str:
        """The line that asks for a move, without the blank behind it."""

    @abstractmethod
    def made(self, before: Position, action: int, after: Position) -> list[str]:
        """What is said of a move just made."""

    @abstractmethod
    def refused(self, refusal: Refusal) -> str:
        """Why the rules do not allow a move, as a sentence to the player."""

    def deed(self, before: Position, action: int, after: Position) -> str:
        """What a move does, to be said behind its player's name: 'takes 7 at R2C3'."""
        return "swaps sides" if action == self.game.swap_action else f"plays {self.game.texts[action]}"

    @abstractmethod
    def update(self, position: Position) -> list[str]:
        """The board and both scores after a turn."""

    def state(self, position: Position) -> list[str]:
        """The board and both scores where no turn has just been made: under a heading that speaks of none."""
        return self.update(position)

    @abstractmethod
    def closing(self, final: Position, actions: Sequence[int], outcome: Outcome) -> list[str]:
        """The lines that end a game decided on the board."""

    def edges(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What stands beside the rows and above the columns of a drawn board, as moves name them; nothing where the
        lines have names of their own."""
        numbers = tuple(str(number) for number in range(1, self.game.size + 1))
        return numbers, numbers

    def phase(self, position: Position) -> str:
        """A part of the game with rules of its own, if this position is in one: what it is and what is done in it."""
        return ""

    def forfeit(self, outcome: Outcome) -> list[str]:
        """The lines that end a game decided away from the board."""
        loser, winner = self.name(3 - outcome.winner), self.name(outcome.winner)
        why = {
            "time": f"Time is up, {loser}.",
            "resign": f"{loser} resigns.",
            "illegal": f"{loser} would not make a legal move.",
        }[outcome.reason]
        return [why, "", f"{winner} wins!"]

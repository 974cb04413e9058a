"""What the terminal says in Capture Squares, and how its grid is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.core.drawing import Cell
from pentagrid.core.position import Outcome, Position
from pentagrid.core.speech import Speech
from pentagrid.errors import Refusal
from pentagrid.games.capture_squares.rules import CaptureSquares


class CaptureSquaresSpeech(Speech):
    examples = (
        "board=5,12,3,16/10,1,14,6/11,8,2,15/9,13,4,7 claims=...1/..1./...2/.2..",
        "board=5,12,3,16/10,1,14,6/11,8,2,15/9,13,4,7 claims=...1/2.1./2..2/.2..",
    )
    marks = ("A", "B")
    default_names = ("Player A", "Player B")
    game: CaptureSquares

    def marked(self, seat: int) -> str:
        """'Player A' has the mark in it already; a name needs it beside it."""
        return super().marked(seat) if self.names[seat - 1] else self.name(seat)

    def welcome(self, position: Position) -> list[str]:
        return [
            "Welcome to Capture Squares!",
            "",
            "Initial Grid:",
            *self.board(position),
            "",
            f"{self.marked(1)}, you go first.",
        ]

    def board(self, position: Position) -> list[str]:
        rule = "+" + "----+" * self.game.size
        lines = [rule]
        for row in position.cells():
            lines += ["|" + "|".join(self._drawn(cell) for cell in row) + "|", rule]
        return lines

    def _drawn(self, cell: Cell) -> str:
        if not cell.owner:
            return f" {cell.label:>2} "
        text = self.marks[cell.owner - 1] + cell.label
        return " " + self.paint(text, cell.owner) + " " * (3 - len(text))

    def turn(self, position: Position) -> list[str]:
        return []

    def prompt(self, position: Position) -> str:
        return f"{self.marked(position.mover)}, enter the position of the cell you want to claim (row,column):"

    def made(self, before: Position, action: int, after: Position) -> list[str]:
        mover, texts = before.mover, self.game.texts
        captured = self.game.captures(before, action)
        return [
            f"{self.you(mover)} claimed cell ({texts[action]}) with number {before.numbers[action]}.",
            "Capturing adjacent opponent cells...",
            *(f"Captured cell ({texts[cell]}) from {self.name(3 - mover)}." for cell in captured),
            *([] if captured else ["No cells captured."]),
        ]

    def refused(self, refusal: Refusal) -> str:
        owner = self.name(refusal.facts["owner"])
        return f"Sorry, cell ({refusal.move}) has already been claimed by {owner}. Please choose another cell."

    def deed(self, before: Position, action: int, after: Position) -> str:
        if action == self.game.swap_action:
            return super().deed(before, action, after)
        texts, numbers = self.game.texts, before.numbers
        deed = f"claims {numbers[action]} at {texts[action]}"
        captured = [f"{numbers[cell]} at {texts[cell]}" for cell in self.game.captures(before, action)]
        return f"{deed} and captures {' and '.join(captured)}" if captured else deed

    def update(self, position: Position) -> list[str]:
        return ["", "Game Board State:", *self.board(position), "", "Scores:", *self.scores(position)]

    def closing(self, final: Position, actions: Sequence[int], outcome: Outcome) -> list[str]:
        winner = self.name(outcome.winner)
        tie = f"It's a tie! According to the tiebreaker rule, {winner}, who moved second, wins the game!"
        return [
            "All cells have been claimed!",
            "",
            "Final Scores:",
            *self.scores(final),
            "",
            tie if outcome.reason == "tie-break" else f"{winner} wins!",
        ]


SPEECH = CaptureSquaresSpeech

"""What the terminal says in Number Cross, and how its grid is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.core.position import Outcome, Position
from pentagrid.core.speech import Speech
from pentagrid.errors import Refusal

WIDTH = 6
"""Characters from one column to the next."""


class NumberCrossSpeech(Speech):
    examples = (
        "board=4,9,2/3,5,7/8,1,6",
        "board=4,9,2/3,5,7/8,1,6 claims=211/212",
    )
    marks = ("P1", "P2")

    def welcome(self, position: Position) -> list[str]:
        return [
            "Welcome to Number Cross!",
            "",
            "Initializing the game grid...",
            *self.board(position),
            "",
            f"{self.name(1)}, you will go first.",
        ]

    def board(self, position: Position) -> list[str]:
        """The grid with its line names; a claimed line has its owner behind (a row) or below (a column) its name."""
        n = self.game.size
        rule = "+" + "-----+" * n
        lines = [rule]
        for r, row in enumerate(position.board or ()):
            drawn = "".join(f"{number:^5}|" for number in row)
            lines += [f"|{drawn}  Row {r + 1}{self._owner(position, r, ' ')}", rule]
        lines.append("  " + "".join(f"C{c + 1}".ljust(WIDTH) for c in range(n)).rstrip())
        owned = [(c * WIDTH + 1, n + c) for c in range(n) if position.owner(n + c)]
        if owned:
            line, length = "", 0
            for place, column in owned:
                line += " " * (place - length) + self._owner(position, column)
                length = place + len("(P1)")
            lines.append(line)
        return lines

    def _owner(self, position: Position, line: int, before: str = "") -> str:
        owner = position.owner(line)
        return f"{before}({self.mark(owner)})" if owner else ""

    def edges(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (), ()

    def turn(self, position: Position) -> list[str]:
        return [
            f"{self.name(position.mover)}'s Turn:",
            f"Available lines to claim: {', '.join(position.moves())}",
        ]

    def prompt(self, position: Position) -> str:
        return "Enter the line you want to claim:"

    def made(self, before: Position, action: int, after: Position) -> list[str]:
        return ["", f"{self.name(before.mover)} has claimed {self.game.texts[action]}."]

    def deed(self, before: Position, action: int, after: Position) -> str:
        if action == self.game.swap_action:
            return super().deed(before, action, after)
        worth = sum(before.numbers[cell] for cell in self.game.drawing.lines(before)[action].cells)
        return f"claims {self.game.texts[action]}, worth {worth}"

    def refused(self, refusal: Refusal) -> str:
        owner = self.name(refusal.facts["owner"])
        return f"Sorry, {refusal.move} has already been claimed by {owner}. Please choose another line."

    def update(self, position: Position) -> list[str]:
        return ["", *self.board(position), "", *self.scores(position)]

    def scores(self, position: Position) -> list[str]:
        return [f"{self.name(seat)}'s sum so far: {score}" for seat, score in enumerate(position.scores or (), 1)]

    def closing(self, final: Position, actions: Sequence[int], outcome: Outcome) -> list[str]:
        lines = ["All lines have been claimed. Calculating scores...", ""]
        before = [line for line in range(self.game.swap_action) if line not in actions]  # claimed before the game began
        for seat in (1, 2):
            lines.append(f"{self.name(seat)}'s claimed lines:")
            total = 0
            for line in (*before, *actions):
                if final.owner(line) == seat:
                    numbers = [final.numbers[cell] for cell in final.lines()[line].cells]
                    total += sum(numbers)
                    lines.append(f"- {self.game.texts[line]}: {' + '.join(map(str, numbers))} = {sum(numbers)}")
            lines += [f"Total Sum: {total}", ""]
        winner = self.name(outcome.winner)
        if outcome.reason == "tie-break":
            lines += ["It's a tie!", "", f"According to the tiebreaker rule, {winner} wins the game!"]
        else:
            lines.append(f"{winner} wins the game!")
        return [*lines, "", f"Congratulations, {winner}!"]


SPEECH = NumberCrossSpeech

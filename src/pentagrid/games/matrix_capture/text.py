"""What the terminal says in Matrix Capture, and how its matrix is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.core.position import Outcome, Position
from pentagrid.core.speech import Speech
from pentagrid.errors import Refusal

LARGEST_LISTED = 6
"""The largest board beside which the available cells are listed; with a larger one the list would push it away."""


class MatrixCaptureSpeech(Speech):
    examples = (
        "board=5,3,6,2/4,7,1,8/9,2,5,3/6,4,7,1",
        "board=5,3,6,2/4,7,1,8/9,2,5,3/6,4,7,1 claims=..2./.1../..../....",
        "size=2 board=9,5/2,9",
    )

    def welcome(self, position: Position) -> list[str]:
        return [
            "Welcome to Matrix Capture!",
            "",
            "Initial Matrix:",
            *self.board(position),
            "",
            f"{self.name(1)} starts the game.",
        ]

    def board(self, position: Position) -> list[str]:
        header = "     " + "".join(f"C{c + 1}".ljust(4) for c in range(self.game.size)).rstrip()
        lines = [header]
        for r, row in enumerate(position.cells(), 1):
            drawn = (cell.label.ljust(4) if cell.available else self.paint("X", 0) + "   " for cell in row)
            lines.append(f"R{r}:".ljust(5) + "".join(drawn).rstrip())
        return lines

    def edges(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        rows, columns = super().edges()
        return tuple(f"R{row}" for row in rows), tuple(f"C{column}" for column in columns)

    def turn(self, position: Position) -> list[str]:
        whose = f"{self.name(position.mover)}'s turn."
        if self.game.size > LARGEST_LISTED:
            return [whose, "Available cells: those whose number you see.", ""]
        lines = [whose, "Available cells:"]
        for r, row in enumerate(position.cells(), 1):
            cells = [f"R{r}C{c}: {cell.label}" for c, cell in enumerate(row, 1) if cell.available]
            if cells:
                lines.append(", ".join(cells))
        return [*lines, ""]

    def prompt(self, position: Position) -> str:
        return f"Enter the row and column of your selected number (e.g., {self.example(position)}):"

    def made(self, before: Position, action: int, after: Position) -> list[str]:
        assert after.scores is not None
        row, column = divmod(action, self.game.size)
        return [
            "",
            f"{self.you(before.mover)} selected number {before.numbers[action]} at {self.game.texts[action]}.",
            f"{self.your(before.mover)} total sum is now {after.scores[before.mover - 1]}.",
            "",
            f"Rows and columns removed: Row {row + 1} and Column {column + 1}",
        ]

    def refused(self, refusal: Refusal) -> str:
        if refusal.code == "captured":
            return f"Sorry, {refusal.move} has already been captured. Please choose an available cell."
        gone = [f"{line.capitalize()} {number}" for line, number in refusal.facts.items()]
        have = "have" if len(gone) > 1 else "has"
        return (
            f"Sorry, {refusal.move} is not available: {' and '.join(gone)} {have} been removed. "
            "Please choose an available cell."
        )

    def deed(self, before: Position, action: int, after: Position) -> str:
        if action == self.game.swap_action:
            return super().deed(before, action, after)
        row, column = divmod(action, self.game.size)
        taken = f"takes {before.numbers[action]} at {self.game.texts[action]}"
        return f"{taken}; row {row + 1} and column {column + 1} are gone"

    def update(self, position: Position) -> list[str]:
        return self._under("Updated Matrix:", position)

    def state(self, position: Position) -> list[str]:
        return self._under("Matrix:", position)

    def _under(self, heading: str, position: Position) -> list[str]:
        return ["", heading, *self.board(position), "", *self._sums(position, "total sum")]

    def _sums(self, position: Position, what: str) -> list[str]:
        return [f"{self.name(seat)}'s {what}: {score}" for seat, score in enumerate(position.scores or (), 1)]

    def closing(self, final: Position, actions: Sequence[int], outcome: Outcome) -> list[str]:
        winner = self.name(outcome.winner)
        komi = final.game.rules["komi"] != "0"
        won = f"{winner} wins with a higher total sum{', komi counted' if komi else ''}."
        tie = f"The sums are equal, so {winner}, who took the second turn, wins."
        return [
            "All rows and columns have been removed from play.",
            "",
            "End of Game:",
            *(f"- {line}" for line in self._sums(final, "Total Sum")),
            f"- Winner: {tie if outcome.reason == 'tie-break' else won}",
        ]


SPEECH = MatrixCaptureSpeech

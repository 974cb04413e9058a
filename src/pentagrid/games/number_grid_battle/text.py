"""What the terminal says in Number Grid Battle, and how its grid is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from pentagrid.core.position import Outcome, Position
from pentagrid.core.speech import Speech
from pentagrid.errors import Refusal


class NumberGridBattleSpeech(Speech):
    examples = (
        "board=7,9,2/4,1,5/8,6,3",
        "board=7,9,2/4,1,5/8,6,3 claims=21./2.2/11.",
    )

    def welcome(self, position: Position) -> list[str]:
        return ["Welcome to Number Grid Battle!", "", "Initial Grid:", *self.board(position)]

    def board(self, position: Position) -> list[str]:
        width = len(str(self.game.cell_count))
        rule = "+" + ("-" * (width + 2) + "+") * self.game.size
        lines = [rule]
        for row in position.cells():
            drawn = (
                " " * (width - 1) + self.mark(cell.owner) if cell.owner else cell.label.rjust(width) for cell in row
            )
            lines += ["| " + " | ".join(drawn) + " |", rule]
        return lines

    def edges(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        numbers = tuple(str(number) for number in range(self.game.size))
        return numbers, numbers

    def turn(self, position: Position) -> list[str]:
        return [f"{self.marked(position.mover)}, it's your turn."]

    def prompt(self, position: Position) -> str:
        example = ""
        if position.ply == 0 or (position.ply == 1 and 1 not in self.people):  # the first time a person is asked
            place = " for top-middle" if self.game.size == 3 and self.example(position) == "0 1" else ""
            example = f" (e.g., {self.example(position)}{place})"
        return f"Enter the row and column of the cell you want to claim{example}:"

    def made(self, before: Position, action: int, after: Position) -> list[str]:
        assert after.scores is not None
        row, column = divmod(action, self.game.size)
        return [
            f"{self.you(before.mover)} claimed cell ({row},{column}) with value {before.numbers[action]}.",
            f"{self.your(before.mover)} current score: {after.scores[before.mover - 1]}",
        ]

    def deed(self, before: Position, action: int, after: Position) -> str:
        if action == self.game.swap_action:
            return super().deed(before, action, after)
        return f"claims {before.numbers[action]} at {self.game.texts[action]}"

    def refused(self, refusal: Refusal) -> str:
        cell = ",".join(refusal.move.split())
        return f"Sorry, cell ({cell}) has already been claimed. Please choose another cell."

    def update(self, position: Position) -> list[str]:
        return self._under("Updated Grid:", position)

    def state(self, position: Position) -> list[str]:
        return self._under("Grid:", position)

    def _under(self, heading: str, position: Position) -> list[str]:
        return ["", heading, *self.board(position), "", "Scores:", *self.scores(position)]

    def closing(self, final: Position, actions: Sequence[int], outcome: Outcome) -> list[str]:
        tie = f"The scores are equal, and {self.name(3 - outcome.winner)} took the last turn and loses."
        return [
            "All cells have been claimed!",
            "",
            "Final Scores:",
            *self.scores(final),
            "",
            *([tie, ""] if outcome.reason == "tie-break" else []),
            f"{self.name(outcome.winner)} wins!",
        ]


SPEECH = NumberGridBattleSpeech

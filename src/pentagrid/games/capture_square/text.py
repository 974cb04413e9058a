"""What the terminal says in Capture Square, and how its grid is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase

from pentagrid.core.position import Outcome, Position, bits
from pentagrid.core.speech import Speech
from pentagrid.errors import Refusal
from pentagrid.games.capture_square.rules import CaptureSquare


class CaptureSquareSpeech(Speech):
    examples = (
        "claims=21../11../..2./....",
        "claims=2121/1112/2122/2211",
    )

    game: CaptureSquare

    def welcome(self, position: Position) -> list[str]:
        return ["Welcome to Capture Square!", "", f"{self.marked(1)}, you go first.", "", *self.board(position)]

    def terms(self, position: Position) -> list[str]:
        """With the komi: who begins Sudden Death where that was chosen or tossed, and what decides without it."""
        game, lines = self.game, super().terms(position)
        if game.has_points and position.ply == 0:
            tie = "" if game.komi else f"; if they are as many, {self.marked(game.side(2, position))} wins"
            lines.append(f"There is no Sudden Death. A full board is won by more 2x2 blocks of exactly three{tie}.")
        first = game.rules["sudden-death-first"]
        if first in ("1", "2") and position.one | position.two != (1 << game.cell_count) - 1:
            lines.append(f"{self.marked(game.side(int(first), position))} begins Sudden Death.")
        return lines

    def scores(self, position: Position) -> list[str]:
        if position.scores is None:
            return []
        return ["Blocks of three: " + ", ".join(super().scores(position)).replace("): ", ") ")]

    def board(self, position: Position) -> list[str]:
        n = self.game.size
        lines = ["  " + "   ".join(ascii_uppercase[:n])]
        for r, row in enumerate(position.cells(), 1):
            drawn = " | ".join(self.mark(cell.owner) if cell.owner else "." for cell in row)
            lines += [f"{r} {drawn} ", "  " + "+".join(["---"] * n)]
        return lines[:-1]

    def edges(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return super().edges()[0], tuple(ascii_uppercase[: self.game.size])

    def turn(self, position: Position) -> list[str]:
        turns = self.game.sudden_death_turns(position)
        if turns is None:
            return []
        if turns > 0:
            return [self._counted(turns)]
        return ["All cells are filled without a winner. Sudden Death begins!", *self._first_turn(position)]

    def _first_turn(self, position: Position) -> list[str]:
        return [self._counted(0), self._limit(f", {self.marked(self.game.side(2, position))},")]

    def _limit(self, name: str) -> str:
        """Until when Sudden Death lasts, and who wins then."""
        return f"If nobody has a square after turn {self.game.cell_count}, the second player{name} wins."

    def _counted(self, turns: int) -> str:
        return f"Sudden Death, turn {turns + 1} of {self.game.cell_count}."

    def phase(self, position: Position) -> str:
        turns = self.game.sudden_death_turns(position)
        if turns is None or position.turn is None:
            return ""
        own, other, second = map(self.mark, (position.mover, 3 - position.mover, self.game.side(2, position)))
        task = f"turns an {other} into an {own}"
        if self.game.exchanges:
            task = f"lets an {own} and an {other} trade places"
        return f"{self._counted(turns)} A move {task}. {self._limit(f' ({second})')}"

    def prompt(self, position: Position) -> str:
        mover = position.mover
        ask = "enter your move"
        if self.game.sudden_death_turns(position) is not None:
            own, other = self.mark(mover), self.mark(3 - mover)
            ask = f"enter the {other} to turn into {own}"
            if self.game.exchanges:
                ask = f"enter your {own} and the {other} it trades places with"
        return f"{self.marked(mover)}, {ask} (e.g., {self.example(position)}):"

    def made(self, before: Position, action: int, after: Position) -> list[str]:
        turns = self.game.sudden_death_turns(before)
        announced = before.mover in self.people  # a person was told when asked
        if turns is None or announced:
            return []
        return [self._counted(turns)] if turns > 0 else self._first_turn(before)

    def refused(self, refusal: Refusal) -> str:
        move, facts = refusal.move, refusal.facts
        mark, other = self.marks if facts.get("mover") == 1 else self.marks[::-1]
        return {
            "occupied": f"Sorry, {move} is already occupied. Please choose another cell.",
            "needs-pair": f"Sorry, {move} is not enough. In Sudden Death name your own {mark} and the {other} "
            "it trades with.",
            "already-yours": f"Sorry, {move} is already yours. Please choose a cell marked {other}.",
            "not-sudden-death": "Sorry, markers trade places only in Sudden Death. Please choose an empty cell.",
            "not-yours": f"Sorry, {facts.get('cell')} is not yours. Name your own {mark} first, then the {other} "
            "it trades with.",
            "both-yours": f"Sorry, {facts.get('cell')} is already yours. Your {mark} must trade places "
            f"with an {other}.",
        }[refusal.code]

    def deed(self, before: Position, action: int, after: Position) -> str:
        """The marker, and the squares it completes, stops and threatens."""
        if action == self.game.swap_action:
            return super().deed(before, action, after)
        game, mover, turns = self.game, before.mover, self.game.sudden_death_turns(before)
        cells = game.drawing.touch(action).at
        deed = f"marks {game.texts[action]}"
        if turns is not None:
            how = "turns {}" if len(cells) == 1 else "lets {} and {} trade places"
            deed = f"{how.format(*(game.texts[cell] for cell in cells))} on turn {turns + 1} of Sudden Death"
        outcome = after.outcome()
        if outcome is not None:
            return f"{deed} and completes a square" if outcome == (mover, "square") else deed
        stopped = game.completions(before, 3 - mover).bit_count() > game.completions(after, 3 - mover).bit_count()
        does = ["stops a square"] if stopped else []
        threats = [game.texts[cell] for cell in bits(game.completions(after, mover))]
        if threats and after.one | after.two != (1 << game.cell_count) - 1:
            does.append(
                f"threatens one with {' and '.join(threats)}"
                if stopped
                else f"threatens a square with {' and '.join(threats)}"
            )
        return f"{deed} and {' and '.join(does)}" if does else deed

    def gist(self, outcome: Outcome) -> str:
        if outcome.reason != "limit":
            return ""
        turns = self.game.cell_count
        return f"{self.name(outcome.winner)} only has to hold out until turn {turns} of Sudden Death."

    def update(self, position: Position) -> list[str]:
        return ["", *self.board(position), *self.scores(position)]

    def closing(self, final: Position, actions: Sequence[int], outcome: Outcome) -> list[str]:
        winner = self.name(outcome.winner)
        if final.scores is not None and outcome.reason != "square":
            counts = f"No square on the full board: {self.scores(final)[0][0].lower()}{self.scores(final)[0][1:]}."
            if outcome.reason == "tie-break":
                return [counts, f"That is a tie, so the second player, {winner}, wins the game!"]
            return [counts, f"Congratulations, {winner}! You have more blocks of three and won the game!"]
        if outcome.reason == "limit":
            turns = self.game.cell_count
            return [f"No square after {turns} turns of Sudden Death: the second player, {winner}, wins the game!"]
        return [f"Congratulations, {winner}! You've formed a square and won the game!"]


SPEECH = CaptureSquareSpeech

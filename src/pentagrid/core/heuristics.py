"""What looks good at first sight: greedy, natural and tempting moves. Values are in `pentagrid.analysis`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pentagrid.core.game import Game
    from pentagrid.core.position import Position


class Heuristics(ABC):
    """How moves of one game look to a player who does not look ahead."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @abstractmethod
    def greed(self, position: Position, action: int) -> int:
        """How good a legal action looks right after it: more is better."""

    def greedy_actions(self, position: Position) -> list[int]:
        """The legal actions that look best right after them."""
        greed = {action: self.greed(position, action) for action in position.actions()}
        most = max(greed.values())
        return [action for action, value in greed.items() if value == most]

    def natural(self, position: Position, action: int) -> int:
        """How much a person leans to a legal action among equally good ones: more is likelier."""
        return self.greed(position, action)

    def temptations(self, position: Position) -> tuple[int, ...]:
        """The legal actions that draw a player who has not looked ahead: those that look most natural."""
        looks = {action: self.natural(position, action) for action in position.actions()}
        most = max(looks.values())
        return tuple(action for action in looks if looks[action] == most)

    def leaves_enough(self, position: Position) -> bool:
        """Is enough of the game left to ask for the best move as a puzzle? Once it is not, it never is again."""
        return True


class LeadHeuristics(Heuristics):
    """Games won on points: a move looks as good as the lead right after it."""

    def greed(self, position: Position, action: int) -> int:
        scores = self.game.after(position, action).scores
        assert scores is not None
        lead = scores[0] - scores[1]
        return lead if position.mover == 1 else -lead

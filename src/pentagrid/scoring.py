"""Games won on points: what the four number games share."""

from __future__ import annotations

from pentagrid.core import Game, Outcome, Position, bits
from pentagrid.errors import BoardError


class ScoringGame(Game):
    """A game in which every claim is worth points and the higher total wins."""

    def _after(self, position: Position, action: int) -> Position:
        """A claim that pays its worth and changes nothing else."""
        _, numbers, one, two, mover, ply, scores = position
        assert scores is not None
        ply += 1
        worth = self._worth(numbers, action)
        if mover == 1:
            scores = (scores[0] + worth, scores[1])
            return Position(self, numbers, one | 1 << action, two, self._mover_at(ply), ply, scores)
        scores = (scores[0], scores[1] + worth)
        return Position(self, numbers, one, two | 1 << action, self._mover_at(ply), ply, scores)

    def _worth(self, numbers: tuple[int, ...], claim: int) -> int:
        """The points of one claim."""
        return numbers[claim]

    def _recount(self, numbers: tuple[int, ...], one: int, two: int) -> tuple[int, int]:
        return (
            sum(self._worth(numbers, claim) for claim in bits(one)),
            sum(self._worth(numbers, claim) for claim in bits(two)),
        )

    def _outcome(self, position: Position) -> Outcome:
        assert position.scores is not None
        first, second = position.scores
        return Outcome(self.winner_by(first - second), "tie-break" if first == second else "score")

    def winner_by(self, margin: int) -> int:
        """Who wins with this final margin (Player 1's score minus Player 2's)."""
        if margin == 0:
            return self._tie_winner()
        return 1 if margin > 0 else 2

    def _tie_winner(self) -> int:
        """Who wins at equal totals: the second player."""
        return 2

    def _check(self, position: Position) -> None:
        claims = position.one.bit_count() + position.two.bit_count()
        if position.ply != claims:
            raise BoardError(f"ply={position.ply} cannot be: every turn is a claim, and there are {claims}.")
        self._check_shares(position)

    def _check_shares(self, position: Position) -> None:
        """Raise `BoardError` unless each player owns as many claims as he has had turns."""
        turns = sum(1 for ply in range(position.ply) if self._mover_at(ply) == 1)
        if position.one.bit_count() != turns:
            raise BoardError(
                f"Player 1 owns {position.one.bit_count()} claims and Player 2 {position.two.bit_count()}; "
                f"after {position.ply} turns it must be {turns} and {position.ply - turns}."
            )

    def greed(self, position: Position, action: int) -> int:
        """The mover's lead right after the move."""
        scores = self._after(position, action).scores
        assert scores is not None
        lead = scores[0] - scores[1]
        return lead if position.mover == 1 else -lead

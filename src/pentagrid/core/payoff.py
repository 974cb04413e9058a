"""What a game is played for: to win, or for points. Environments, the arena and tasks for language models share it.

Under `win` a won game pays 1 and a lost one -1, and every winning move is as good as any other. Under `points` a game
pays its final margin, komi counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from pentagrid.core.deal_solver import Loss
from pentagrid.core.game import Game
from pentagrid.core.position import Outcome, Position
from pentagrid.errors import GameOverError, OptionError, shown

Payoff = Literal["win", "points"]
PAYOFFS: tuple[Payoff, ...] = get_args(Payoff)


def read_payoff(payoff: str, game: Game) -> Payoff:
    """The payoff that is asked for. Raises `OptionError`, also for `points` in a game without points."""
    if payoff not in PAYOFFS:
        raise OptionError(f"payoff must be {' or '.join(PAYOFFS)}, not {shown(str(payoff))}.")
    if payoff == "points" and not game.has_points:
        raise OptionError(f"payoff must be win in {game.title}, not points: it is not played for points.")
    return payoff


def paid(position: Position, seat: int, payoff: Payoff = "win", outcome: Outcome | None = None) -> float:
    """What a seat receives when a game ends in a position; the other seat receives the opposite.

    `outcome` is how it ended away from the board (on time, by an illegal move): under `points` that costs the loser
    all points of the deal. Raises `GameOverError` if the game is not over.
    """
    ended = outcome or position.outcome()
    if ended is None:
        raise GameOverError("The game is not over, so nothing is paid.")
    if payoff == "win":
        return 1.0 if ended.winner == seat else -1.0
    if position.outcome() is None:
        stake = most_paid(position)
        return stake if ended.winner == seat else -stake
    margin = float(position.game.margin(position))
    return margin if seat == 1 else -margin


def most_paid(position: Position, payoff: Payoff = "points") -> float:
    """The most that a deal can pay: 1, or all its points and the komi."""
    game = position.game
    if payoff == "win" or not game.has_points:
        return 1.0
    return float(game.all_points(position.numbers) + abs(game.komi))


def cost(loss: Loss, payoff: Payoff = "win") -> float:
    """What a move loses under a payoff: 1 for a won game given away, or points. Not known counts as nothing."""
    return (loss.win_regret if payoff == "win" else loss.regret) or 0


def decision_matters(losses: Iterable[Loss], payoff: Payoff | None = None) -> bool:
    """Do moves that give these away differ in what they are paid under best play? Without a payoff: in anything.

    Two ties that different players win are paid the same under `points`; a swap can make such a choice.
    """
    return len({loss if payoff is None else cost(loss, payoff) for loss in losses}) > 1

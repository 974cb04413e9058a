"""How answers are scored: each sample's counts, from which the metrics are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from pentagrid.analysis.solver import solver_of
from pentagrid.core.deal_solver import Loss
from pentagrid.core.payoff import Payoff, cost, decision_matters, paid
from pentagrid.core.position import Outcome, Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.speech import player_names, speech_for
from pentagrid.errors import PentagridError
from pentagrid.llm import prompts
from pentagrid.llm.metrics import CLUSTER, HAS_POINTS, task_metrics


def judged(losses: Mapping[int, Loss], action: int, payoff: Payoff) -> dict[str, float]:
    """What one legal move adds to the counts."""
    loss, decisive = losses[action], any(one.win_regret for one in losses.values())
    differing = decision_matters(losses.values())
    return {
        "moves": 1,
        "regret": loss.regret or 0,
        "errors": bool(loss.regret),
        "win_regret": loss.win_regret or 0,
        "decisive": decisive,
        "kept": decisive and not loss.win_regret,
        "differing": differing,
        "best": differing and not loss,
        "mattered": decision_matters(losses.values(), payoff),
        "right": not cost(loss, payoff),
    }


@scorer(metrics=[task_metrics("duel")])
def game_played() -> Scorer:
    """Scores what the game paid the model, and what its moves gave away."""

    async def score(state: TaskState, target: Target) -> Score:
        sample, log = state.metadata, state.metadata["played"]
        seat, payoff = sample["seat"], sample["payoff"]
        position = read_position(sample["start"])
        for move in log["moves"][: log["begun"]]:
            position = position.play(move)
        solver, due = solver_of(position), _due(position, seat, payoff)
        counts: dict[str, Any] = {HAS_POINTS: position.game.has_points, "ahead": 0}
        for move in log["moves"][log["begun"] :]:
            if position.mover == seat:
                counts["ahead"] += solver.value(position).winner == seat
                for name, number in judged(solver.losses(position), position.game.action(move), payoff).items():
                    counts[name] = counts.get(name, 0) + number
            position = position.play(move)
        outcome = Outcome(log["winner"], log["reason"])
        received, won = paid(position, seat, payoff, outcome), outcome.winner == seat
        counts |= {
            CLUSTER: sample["deal"], "games": 1, "won": int(won), "paid": received,
            "beyond": received - due if payoff == "points" else (received - due) / 2,
            "illegal": log["illegal"], "unreadable": log["unreadable"], "answers": log["answers"],
            "forfeited": int(not won and log["reason"] == "illegal"),
        }  # fmt: skip
        names = player_names(position.game)
        return Score(
            value=int(won) if payoff == "win" else received,
            answer="; ".join(log["moves"]),
            explanation=f"{names[log['winner'] - 1]} won ({log['reason']}); the model was {names[seat - 1]}.",
            metadata=counts,
        )

    return score


def _due(position: Position, seat: int, payoff: Payoff) -> float:
    """What a seat receives under best play by both."""
    value = solver_of(position).value(position)
    if payoff == "win":
        return 1.0 if value.winner == seat else -1.0
    return (value.margin or 0.0) * (1 if seat == 1 else -1)


@scorer(metrics=[task_metrics("best_move")])
def move_chosen() -> Scorer:
    """Scores whether the move loses nothing under the payoff, and what it gives away."""

    async def score(state: TaskState, target: Target) -> Score:
        position, payoff = read_position(state.metadata["position"]), cast("Payoff", state.metadata["payoff"])
        counts: dict[str, Any] = {
            CLUSTER: state.metadata["deal"], HAS_POINTS: position.game.has_points, "answers": 1, "illegal": 0,
            "unreadable": 0,
        }  # fmt: skip
        try:
            action = prompts.read_move(state.output.completion, position)
        except PentagridError as error:
            counts["illegal" if prompts.is_illegal(error) else "unreadable"] = 1
            return Score(value=0, answer=None, explanation=speech_for(position.game).explain(error), metadata=counts)
        losses = solver_of(position).losses(position)
        counts |= judged(losses, action, payoff)
        move, loss = position.game.texts[action], losses[action]
        explanation = f"{move} gives away {'the win' if loss.win_regret else loss.regret}; right: {', '.join(target)}."
        return Score(value=int(counts["right"]), answer=move, explanation=explanation, metadata=counts)

    return score


def read_choice(reply: str, choices: list[str]) -> str | None:
    """The choice that a reply names, whatever its case; None if it names none.

    A player can be named in full (`Player A`), without the word `Player`, or by the number of the seat.
    """
    answer = prompts.labeled_answer(reply, "ANSWER")
    answer = prompts.bare(reply if answer is None else answer).lower()
    for number, choice in enumerate(choices, 1):
        names = {choice.lower()}
        if choice not in ("yes", "no"):
            name = choice.lower().removeprefix("player ")
            names |= {name, str(number), f"player {number}", f"seat {number}", f"{choice.lower()} (seat {number})"}
        if answer in names:
            return choice
    return None


@scorer(metrics=[task_metrics("rules")])
def rule_known() -> Scorer:
    """Scores whether the answer is right; one that cannot be read is counted separately."""

    async def score(state: TaskState, target: Target) -> Score:
        answer = read_choice(state.output.completion, state.metadata["choices"])
        right, read = answer == target.text, answer is not None
        counts: dict[str, Any] = {
            CLUSTER: state.metadata["deal"], "answers": 1, "read": int(read), "right": int(right),
            "unreadable": int(not read),
        }  # fmt: skip
        return Score(value=int(right), answer=answer, metadata=counts)

    return score

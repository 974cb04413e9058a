"""A game between a language model and an opponent, as a conversation."""

from __future__ import annotations

from typing import Any

from anyio.to_thread import run_sync
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, solver

from pentagrid.core.position import Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.speech import player_names, speech_for
from pentagrid.errors import GameOverError, PentagridError
from pentagrid.llm import prompts
from pentagrid.play import players
from pentagrid.play.match import Match, Seat

MODEL = "human"
"""The kind of the model's seat: someone who is asked for moves."""


@solver
def play_game() -> Solver:
    """Plays the game of a sample to its end."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sample, seat = state.metadata, state.metadata["seat"]
        state.messages = [ChatMessageSystem(content=state.input_text)]
        seats = [Seat(kind=sample["opponent"]), Seat(kind=sample["opponent"])]
        seats[seat - 1] = Seat(kind=MODEL)
        match = Match(read_position(sample["start"]), (seats[0], seats[1]), seed=sample["seed"], programs=True)
        opponent = player_names(match.start.game)[2 - seat]
        for move in sample["opening"]:
            match.play(move)
        log: dict[str, Any] = {"illegal": 0, "unreadable": 0, "answers": 0, "begun": len(match.actions)}
        news = [f"The moves so far: {'; '.join(match.moves)}."] if match.moves else []
        try:
            while match.outcome is None:
                if match.position.mover != seat:
                    move = await _opponents_move(match)
                    news += [f"{opponent} plays {move}."] if move else []
                else:
                    state, action = await _models_move(state, generate, match.position, " ".join(news), log)
                    news = []
                    if action is None:
                        match.forfeit(seat, "illegal")
                    else:
                        match.play(action)
        finally:
            match.close()
        log.update(moves=match.moves, winner=match.outcome.winner, reason=match.outcome.reason)
        state.metadata["played"] = log
        state.completed = True
        return state

    return solve


async def _opponents_move(match: Match) -> str | None:
    """Let the opponent move: the move, or None if the opponent has lost the game by not moving."""
    try:
        outside = players.is_outside(match.mover.kind)
        action = await run_sync(match.think) if outside else match.think()
        match.play(action)
    except GameOverError:
        return None
    return match.moves[-1]


async def _models_move(
    state: TaskState, generate: Generate, position: Position, news: str, log: dict[str, Any]
) -> tuple[TaskState, int | None]:
    """Ask the model until it names a legal move or its tries are used up."""
    sample = state.metadata
    question = prompts.move_prompt(position, sample["board"], sample["legal"], news)
    state.messages.append(ChatMessageUser(content=question))
    for _ in range(1 + sample["retries"]):
        state = await generate(state)
        log["answers"] += 1
        try:
            return state, prompts.read_move(state.output.completion, position)
        except PentagridError as error:
            log["illegal" if prompts.is_illegal(error) else "unreadable"] += 1
            state.messages.append(
                ChatMessageUser(content=f"{speech_for(position.game).explain(error)} {prompts.HOW_TO_MOVE}")
            )
    return state, None

"""Tasks for Inspect AI: `inspect eval pentagrid/duel -T game=matrix-capture -T opponent=level:5 --model …`.

`duel` plays whole games, `best_move` asks for moves in positions with exact answers, `rules` asks what is legal and who
has won. Needs the extra `llm`.
"""

from __future__ import annotations

from typing import Any

from anyio.to_thread import run_sync
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from pentagrid.analysis.komi import deal as dealt
from pentagrid.analysis.komi import load_fair
from pentagrid.analysis.solver import solver_of
from pentagrid.arena.plan import Round, deal_of, plan_tournament
from pentagrid.core.options import PIE
from pentagrid.core.position import Outcome, Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.rng import Dice
from pentagrid.errors import GameOverError, NotAllowedError, OptionError, PentagridError, shown
from pentagrid.llm import dataset, prompts
from pentagrid.llm.metrics import duel_metrics, move_metrics, rules_metrics
from pentagrid.play import players
from pentagrid.play.match import Match, Seat

HOW_TO_ANSWER = 'End your reply with a line that has only your answer: "ANSWER: …"'
MODEL = "human"
"""The kind of the model's seat: somebody who is asked."""


Options = str | list[str] | dict[str, str | bool] | None
"""Rule options: `pie=on`, several of those, or names with values.

The framework makes a list of what has commas, and reads `on` and `off` alone as true and false.
"""


def read_options(options: Options) -> dict[str, str]:
    """Rule options by name. Raises `OptionError`."""
    if isinstance(options, dict):
        return {name: PIE.values[value] if isinstance(value, bool) else str(value) for name, value in options.items()}
    listed = options if isinstance(options, list) else (options or "").split(",")
    rules: dict[str, str] = {}
    for option in filter(None, map(str.strip, map(str, listed))):
        name, equals, value = map(str.strip, option.partition("="))
        if not equals:
            raise OptionError(f"options: {shown(option)} is not NAME=VALUE, such as {PIE.name}={PIE.values[1]}.")
        if name in rules:
            raise OptionError(f"options: {shown(name)} is given twice.")
        rules[name] = value
    return rules


@task
def duel(
    game: str,
    opponent: str = "level:5",
    games: int = 20,
    seed: int = 0,
    rules: str | None = None,
    legal: bool = True,
    board: str = "drawing",
    retries: int = 1,
    size: int | None = None,
    options: Options = None,
) -> Task:
    """Whole games against an opponent, every deal from both seats.

    `rules` names a file with rules instead of the settled ones, `legal` lists the legal moves, `board` is `drawing`,
    `json` or `prose`, `retries` is how many more tries a turn has after an answer that is no legal move. `size` and
    `options`, such as `pie=on` or several of them, say how the game is played; with `komi=fair` each deal has its own.
    """
    kind, _ = load_fair(game, size, read_options(options))
    other = "random" if opponent != "random" else "greedy"
    plan = plan_tournament([opponent, other], [game], games, seed, size=size, rules=read_options(options))
    told_rules = prompts.rules_text(kind, rules)
    samples = []
    for deal in range(plan.deals):
        start, opening = deal_of(plan, Round(kind.name, deal))
        text = prompts.system(start.game, told_rules, prompts.HOW_TO_MOVE)
        for seat in (1, 2):
            told = {
                "start": start.text, "opening": [start.game.texts[action] for action in opening], "seat": seat,
                "opponent": opponent, "seed": Dice(seed, deal, seat).next() >> 1, "legal": legal,
                "board": prompts.check_board(board), "retries": retries,
            }  # fmt: skip
            samples.append(Sample(input=text, id=f"{kind.name}-{deal}-{seat}", metadata=told))
    return Task(dataset=MemoryDataset(samples, name=f"duel-{kind.name}"), solver=play_game(), scorer=game_played())


@solver
def play_game() -> Solver:
    """Plays the game of a sample to its end."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        told = state.metadata
        state.messages = [ChatMessageSystem(content=state.input_text)]
        seats = [Seat(kind=told["opponent"]), Seat(kind=told["opponent"])]
        seats[told["seat"] - 1] = Seat(kind=MODEL)
        match = Match(read_position(told["start"]), (seats[0], seats[1]), seed=told["seed"], programs=True)
        for move in told["opening"]:
            match.play(move)
        log: dict[str, Any] = {"illegal": 0, "unreadable": 0, "answers": 0, "begun": len(match.actions)}
        news = [f"The moves so far: {'; '.join(match.moves)}."] if match.moves else []
        try:
            while match.outcome is None:
                if match.position.mover != told["seat"]:
                    move = await _opponents_move(match)
                    news += [f"Player {3 - told['seat']} plays {move}."] if move else []
                else:
                    state, action = await _models_move(state, generate, match.position, " ".join(news), log)
                    news = []
                    if action is None:
                        match.forfeit(told["seat"], "illegal")
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
    """Let the opponent move; None if it has lost the game by not moving."""
    try:
        outside = match.mover.kind.startswith(players.PROGRAM)
        action = await run_sync(match.think) if outside else match.think()
        match.play(action)
    except GameOverError:
        return None
    return match.moves[-1]


async def _models_move(
    state: TaskState, generate: Generate, position: Position, news: str, log: dict[str, Any]
) -> tuple[TaskState, int | None]:
    """Ask the model until it names a legal move or its tries are used up."""
    told = state.metadata
    state.messages.append(ChatMessageUser(content=prompts.asked(position, told["board"], told["legal"], news)))
    for _ in range(1 + told["retries"]):
        state = await generate(state)
        log["answers"] += 1
        try:
            return state, prompts.read_move(state.output.completion, position)
        except PentagridError as error:
            log["illegal" if isinstance(error, NotAllowedError) else "unreadable"] += 1
            state.messages.append(ChatMessageUser(content=f"{error} {prompts.HOW_TO_MOVE}"))
    return state, None


@scorer(metrics=duel_metrics())
def game_played() -> Scorer:
    """Whether the model won, and what each of its moves was worth."""

    async def score(state: TaskState, target: Target) -> Score:
        told, log = state.metadata, state.metadata["played"]
        position, seat = read_position(told["start"]), told["seat"]
        oracle = solver_of(position)
        marks: dict[str, float] = {"moves": 0, "regret": 0, "real": 0, "best": 0, "ahead": 0, "thrown": 0, "worth": 0}
        for number, move in enumerate(log["moves"]):
            after = position.play(move)
            if number == log["begun"]:
                marks["worth"] = int(oracle.value(position).winner == seat)
            if position.mover == seat and number >= log["begun"]:
                regrets = oracle.regrets(position)
                regret = regrets[position.game.action(move)]
                real, ahead = len(set(regrets.values())) > 1, oracle.value(position).winner == seat
                marks["moves"] += 1
                marks["regret"] += regret
                marks["real"] += real
                marks["best"] += real and regret == 0
                marks["ahead"] += ahead
                marks["thrown"] += ahead and oracle.value(after).winner != seat
            position = after
        if len(log["moves"]) == log["begun"]:
            marks["worth"] = int(oracle.value(position).winner == seat)
        won = int(log["winner"] == seat)
        marks.update(won=won, games=1, illegal=log["illegal"], unreadable=log["unreadable"], answers=log["answers"],
                     forfeited=int(not won and log["reason"] == "illegal"))  # fmt: skip
        return Score(
            value=won,
            answer="; ".join(log["moves"]),
            explanation=f"Player {log['winner']} won ({log['reason']}); the model was Player {seat}.",
            metadata=marks,
        )

    return score


@task
def best_move(
    game: str,
    positions: int = 100,
    seed: int = 0,
    rules: str | None = None,
    legal: bool = True,
    board: str = "drawing",
    size: int | None = None,
    options: Options = None,
) -> Task:
    """Single positions, balanced by phase and difficulty, with exact answers."""
    kind, fair = load_fair(game, size, read_options(options))
    text = prompts.rules_text(kind, rules)
    samples = []
    for row in dataset.make(kind, positions, seed, fair=fair).rows:
        position = read_position(row["position"])
        question = prompts.asked(position, prompts.check_board(board), legal)
        samples.append(
            Sample(
                input=f"{prompts.system(position.game, text, '')}\n\n{question}",
                target=row["best"],
                id=f"{kind.name}-{row['id']}",
                metadata={"position": row["position"], "phase": row["phase"], "difficulty": row["difficulty"]},
            )
        )
    name = f"best_move-{kind.name}"
    return Task(dataset=MemoryDataset(samples, name=name), solver=generate(), scorer=move_chosen())


@scorer(metrics=move_metrics())
def move_chosen() -> Scorer:
    """Whether the move is a best one, and what it gives away."""

    async def score(state: TaskState, target: Target) -> Score:
        position = read_position(state.metadata["position"])
        marks: dict[str, Any] = {"asked": 1, "illegal": 0, "unreadable": 0, "moves": 0, "regret": 0, "best": 0}
        try:
            action = prompts.read_move(state.output.completion, position)
        except PentagridError as error:
            marks["illegal" if isinstance(error, NotAllowedError) else "unreadable"] = 1
            return Score(value=0, answer=None, explanation=str(error), metadata=marks)
        move, regret = position.game.texts[action], solver_of(position).regrets(position)[action]
        marks |= {"moves": 1, "regret": regret, "best": int(regret == 0)}
        told = f"{move} gives away {regret}; best: {', '.join(target)}."
        return Score(value=int(regret == 0), answer=move, explanation=told, metadata=marks)

    return score


@task
def rules(
    game: str,
    questions: int = 100,
    seed: int = 0,
    rules: str | None = None,
    board: str = "drawing",
    size: int | None = None,
    options: Options = None,
) -> Task:
    """Questions about the rules: is this move legal (half of them are), and who has won."""
    if questions < 1:
        raise OptionError(f"{questions} questions cannot be; at least one.")
    kind, fair = load_fair(game, size, read_options(options))
    told_rules = prompts.rules_text(kind, rules)
    samples = []
    for number in range(questions):
        dice = Dice(seed, number)
        start = dealt(kind, dice.below(1 << 32), fair)
        text = prompts.system(start.game, told_rules, "")
        question, answer = _question(start, dice, number, prompts.check_board(board))
        samples.append(Sample(input=f"{text}\n\n{question} {HOW_TO_ANSWER}", target=answer, id=f"{kind.name}-{number}"))
    return Task(dataset=MemoryDataset(samples, name=f"rules-{kind.name}"), solver=generate(), scorer=rule_known())


def _question(position: Position, dice: Dice, number: int, board: str) -> tuple[str, str]:
    """A question about the rules on a deal, and its answer."""
    game, line = position.game, [position]
    while position.turn:
        position = position.play(dice.choice(position.actions()))
        line.append(position)
    if number % 3 == 2:
        outcome = position.outcome()
        assert isinstance(outcome, Outcome)
        return f"{prompts.described(position, board)}\n\nThe game is over. Who has won, 1 or 2?", str(outcome.winner)
    position = dice.choice(line[1:-1] or line[:1])
    wanted = number % 3 == 0
    fitting = [action for action in range(game.action_count) if (action in position.actions()) == wanted]
    action = dice.choice(fitting or list(position.actions()))
    told = f"It is Player {position.mover}'s turn. Is the move {game.texts[action]} legal, yes or no?"
    return f"{prompts.described(position, board)}\n\n{told}", "yes" if action in position.actions() else "no"


@scorer(metrics=rules_metrics())
def rule_known() -> Scorer:
    """Whether the answer is right; one that cannot be read is counted apart."""

    async def score(state: TaskState, target: Target) -> Score:
        allowed = ("1", "2") if target.text in ("1", "2") else ("yes", "no")
        reply = state.output.completion
        found = prompts.labeled(reply, "ANSWER")
        answer = (reply.strip().rstrip(".") if found is None else found).lower().removeprefix("player ")
        readable = answer in allowed
        right = readable and answer == target.text
        marks = {"asked": 1, "read": int(readable), "right": int(right), "unreadable": int(not readable)}
        return Score(value=int(right), answer=answer if readable else None, metadata=marks)

    return score

"""Tasks for Inspect AI: `inspect eval pentagrid/duel -T game=matrix-capture -T opponent=level:5 --model …`.

`duel` plays whole games, `best_move` asks for moves in positions with exact answers, `rules` asks what is legal and who
has won. They need the extra `llm`.
"""

from __future__ import annotations

from typing import Any

from anyio.to_thread import run_sync
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from pentagrid.analysis.komi import deal, load_fair
from pentagrid.analysis.solver import solver_of
from pentagrid.arena.plan import Round, deal_of, plan_tournament
from pentagrid.core.options import PIE
from pentagrid.core.position import Outcome, Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.rng import Dice
from pentagrid.core.speech import player_names, speech_for
from pentagrid.errors import GameOverError, NotAllowedError, OptionError, PentagridError, shown
from pentagrid.llm import prompts
from pentagrid.llm.dataset import make_dataset
from pentagrid.llm.metrics import duel_metrics, move_metrics, rules_metrics
from pentagrid.play import players
from pentagrid.play.match import Match, Seat

HOW_TO_ANSWER = 'End your reply with a line that has only your answer: "ANSWER: …"'
MODEL = "human"
"""The kind of the model's seat: someone who is asked for moves."""

Options = str | list[str] | dict[str, str | bool] | None
"""Rule options: `pie=on`, a list of such texts, or names with values.

Inspect AI makes a list of a text with commas, and reads `on` and `off` as true and false.
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
            raise OptionError(f"options must be NAME=VALUE, such as {PIE.name}={PIE.values[1]}, not {shown(option)}.")
        if name in rules:
            raise OptionError(f"options must have every name once, but {shown(name)} is given twice.")
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

    `rules` names a file with rules to show instead of the game's own, `legal` lists the legal moves, `board` is
    `drawing`, `json` or `prose`, `retries` is how many more tries a turn has after an answer that is no legal move.
    `size` and `options` (`pie=on`, or several) say how the game is played; with `komi=fair` each deal has its own komi.
    """
    loaded, _ = load_fair(game, size, read_options(options))
    other = "random" if opponent != "random" else "greedy"
    plan = plan_tournament([opponent, other], [game], games, seed, size=size, rules=read_options(options))
    rules_shown = prompts.rules_text(loaded, rules)
    samples = []
    for number in range(plan.deals):
        start, opening = deal_of(plan, Round(loaded.name, number))
        prompt = prompts.system_prompt(start.game, rules_shown, prompts.HOW_TO_MOVE)
        for seat in (1, 2):
            metadata = {
                "start": start.text, "opening": [start.game.texts[action] for action in opening], "seat": seat,
                "opponent": opponent, "seed": Dice(seed, number, seat).next() >> 1, "legal": legal,
                "board": prompts.check_board_form(board), "retries": retries,
            }  # fmt: skip
            samples.append(Sample(input=prompt, id=f"{loaded.name}-{number}-{seat}", metadata=metadata))
    return Task(dataset=MemoryDataset(samples, name=f"duel-{loaded.name}"), solver=play_game(), scorer=game_played())


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
    sample = state.metadata
    question = prompts.move_prompt(position, sample["board"], sample["legal"], news)
    state.messages.append(ChatMessageUser(content=question))
    for _ in range(1 + sample["retries"]):
        state = await generate(state)
        log["answers"] += 1
        try:
            return state, prompts.read_move(state.output.completion, position)
        except PentagridError as error:
            log["illegal" if isinstance(error, NotAllowedError) else "unreadable"] += 1
            state.messages.append(
                ChatMessageUser(content=f"{speech_for(position.game).explain(error)} {prompts.HOW_TO_MOVE}")
            )
    return state, None


@scorer(metrics=duel_metrics())
def game_played() -> Scorer:
    """Scores whether the model won, and what its moves gave away."""

    async def score(state: TaskState, target: Target) -> Score:
        log, seat = state.metadata["played"], state.metadata["seat"]
        position = read_position(state.metadata["start"])
        oracle = solver_of(position)
        counts: dict[str, float] = dict.fromkeys(("moves", "regret", "real", "best", "ahead", "thrown"), 0)
        counts["perfect_wins"] = 0
        for number, move in enumerate(log["moves"]):
            after = position.play(move)
            if number == log["begun"]:
                counts["perfect_wins"] = int(oracle.value(position).winner == seat)
            if position.mover == seat and number >= log["begun"]:
                regrets = oracle.regrets(position)
                regret = regrets[position.game.action(move)]
                real, ahead = len(set(regrets.values())) > 1, oracle.value(position).winner == seat
                counts["moves"] += 1
                counts["regret"] += regret
                counts["real"] += real
                counts["best"] += real and regret == 0
                counts["ahead"] += ahead
                counts["thrown"] += ahead and oracle.value(after).winner != seat
            position = after
        if len(log["moves"]) == log["begun"]:
            counts["perfect_wins"] = int(oracle.value(position).winner == seat)
        won, names = int(log["winner"] == seat), player_names(position.game)
        counts.update(won=won, games=1, illegal=log["illegal"], unreadable=log["unreadable"], answers=log["answers"],
                     forfeited=int(not won and log["reason"] == "illegal"))  # fmt: skip
        return Score(
            value=won,
            answer="; ".join(log["moves"]),
            explanation=f"{names[log['winner'] - 1]} won ({log['reason']}); the model was {names[seat - 1]}.",
            metadata=counts,
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
    loaded, fair = load_fair(game, size, read_options(options))
    rules_shown = prompts.rules_text(loaded, rules)
    samples = []
    for row in make_dataset(loaded, positions, seed, fair=fair).rows:
        position = read_position(row["position"])
        question = prompts.move_prompt(position, prompts.check_board_form(board), legal)
        samples.append(
            Sample(
                input=f"{prompts.system_prompt(position.game, rules_shown, '')}\n\n{question}",
                target=row["best"],
                id=f"{loaded.name}-{row['id']}",
                metadata={"position": row["position"], "phase": row["phase"], "difficulty": row["difficulty"]},
            )
        )
    name = f"best_move-{loaded.name}"
    return Task(dataset=MemoryDataset(samples, name=name), solver=generate(), scorer=move_chosen())


@scorer(metrics=move_metrics())
def move_chosen() -> Scorer:
    """Scores whether the move is a best one, and what it gives away."""

    async def score(state: TaskState, target: Target) -> Score:
        position = read_position(state.metadata["position"])
        counts: dict[str, Any] = {"asked": 1, "illegal": 0, "unreadable": 0, "moves": 0, "regret": 0, "best": 0}
        try:
            action = prompts.read_move(state.output.completion, position)
        except PentagridError as error:
            counts["illegal" if isinstance(error, NotAllowedError) else "unreadable"] = 1
            return Score(value=0, answer=None, explanation=speech_for(position.game).explain(error), metadata=counts)
        move, regret = position.game.texts[action], solver_of(position).regrets(position)[action]
        counts |= {"moves": 1, "regret": regret, "best": int(regret == 0)}
        explanation = f"{move} gives away {regret}; best: {', '.join(target)}."
        return Score(value=int(regret == 0), answer=move, explanation=explanation, metadata=counts)

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
        raise OptionError(f"questions must be at least 1, not {questions}.")
    loaded, fair = load_fair(game, size, read_options(options))
    rules_shown = prompts.rules_text(loaded, rules)
    samples = []
    for number in range(questions):
        dice = Dice(seed, number)
        start = deal(loaded, dice.below(1 << 32), fair)
        prompt = prompts.system_prompt(start.game, rules_shown, "")
        question, choices, answer = _question(start, dice, number, prompts.check_board_form(board))
        text = f"{prompt}\n\n{question} {HOW_TO_ANSWER}"
        metadata = {"choices": choices}
        samples.append(Sample(text, target=answer, id=f"{loaded.name}-{number}", metadata=metadata))
    return Task(dataset=MemoryDataset(samples, name=f"rules-{loaded.name}"), solver=generate(), scorer=rule_known())


def _question(position: Position, dice: Dice, number: int, board: str) -> tuple[str, list[str], str]:
    """A question about the rules on a deal, its possible answers, and the right one."""
    game, positions = position.game, [position]
    while position.turn:
        position = position.play(dice.choice(position.actions()))
        positions.append(position)
    if number % 3 == 2:
        outcome = position.outcome()
        assert isinstance(outcome, Outcome)
        choices = list(player_names(game))
        one, two = (prompts.seat_name(game, seat, board) for seat in (1, 2))
        text = f"{prompts.position_text(position, board)}\n\nThe game is over. Who has won, {one} or {two}?"
        return text, choices, choices[outcome.winner - 1]
    position = dice.choice(positions[1:-1] or positions[:1])
    legal = number % 3 == 0
    fitting = [action for action in range(game.action_count) if (action in position.actions()) == legal]
    action = dice.choice(fitting or list(position.actions()))
    who = prompts.seat_name(game, position.mover, board)
    question = f"It is {who}'s turn. Is the move {game.texts[action]} legal, yes or no?"
    text = f"{prompts.position_text(position, board)}\n\n{question}"
    return text, ["yes", "no"], "yes" if action in position.actions() else "no"


def read_choice(reply: str, choices: list[str]) -> str | None:
    """The choice that a reply names, whatever its case; None if it names none.

    A player can be named in full (`Player A`), without the word `Player`, or by the number of the seat.
    """
    answer = prompts.labeled_answer(reply, "ANSWER")
    answer = (reply.strip().rstrip(".") if answer is None else answer).lower()
    for number, choice in enumerate(choices, 1):
        names = {choice.lower()}
        if choice not in ("yes", "no"):
            name = choice.lower().removeprefix("player ")
            names |= {name, str(number), f"player {number}", f"seat {number}", f"{choice.lower()} (seat {number})"}
        if answer in names:
            return choice
    return None


@scorer(metrics=rules_metrics())
def rule_known() -> Scorer:
    """Scores whether the answer is right; one that cannot be read is counted separately."""

    async def score(state: TaskState, target: Target) -> Score:
        answer = read_choice(state.output.completion, state.metadata["choices"])
        right = answer == target.text
        counts = {"asked": 1, "read": int(answer is not None), "right": int(right), "unreadable": int(answer is None)}
        return Score(value=int(right), answer=answer, metadata=counts)

    return score

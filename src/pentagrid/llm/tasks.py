"""Tasks for Inspect AI: `inspect eval pentagrid/duel -T game=matrix-capture -T opponent=level:5 --model …`.

`duel` plays whole games, `best_move` asks for moves in positions with exact answers, `rules` asks what is legal and who
has won. They need the extra `llm`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import Solver, generate

from pentagrid.analysis.komi import deal, load_fair
from pentagrid.arena.plan import Round, TournamentPlan, deal_of, plan_tournament
from pentagrid.core.catalog import find, game_names
from pentagrid.core.game import Game
from pentagrid.core.options import PIE
from pentagrid.core.payoff import read_payoff
from pentagrid.core.position import Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.rng import Dice
from pentagrid.core.speech import player_names
from pentagrid.errors import OptionError, shown
from pentagrid.llm import prompts
from pentagrid.llm.conversation import play_game
from pentagrid.llm.dataset import make_dataset
from pentagrid.llm.scorers import game_played, move_chosen, rule_known
from pentagrid.llm.splits import Split, board_split, one_way, provenance, read_split, reserved_for, split_seed

HOW_TO_ANSWER = 'End your reply with a line that has only your answer: "ANSWER: …"'
MOST_TRIES = 1_000_000
"""Deals that are drawn to find one of a split."""

Games = str | list[str] | None
"""A game, several, or `all`."""
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


def read_games(game: Games) -> tuple[str, ...]:
    """The names of the games that are asked for. Raises `OptionError`."""
    listed = game if isinstance(game, list) else [name.strip() for name in (game or "").split(",") if name.strip()]
    if not listed:
        raise OptionError(f"game must be given (-T game=NAME): {', '.join(game_names())}, several of them, or all.")
    return game_names() if listed == ["all"] else tuple(dict.fromkeys(find(name).name for name in listed))


def make_task(name: str, samples: list[Sample], solver: Solver, scorer: Any, split: Split, seed: int) -> Task:
    """A task that says where its questions come from."""
    dataset = MemoryDataset(samples, name=name)
    return Task(dataset=dataset, solver=solver, scorer=scorer, metadata=provenance(split, seed))


@task
def duel(
    game: Games = None,
    opponent: str = "level:5",
    games: int = 20,
    seed: int = 0,
    rules: str | None = None,
    legal: bool = True,
    board: str = "drawing",
    retries: int = 1,
    size: int | None = None,
    options: Options = None,
    payoff: str = "win",
    split: str = "questions",
    tips: bool = False,
) -> Task:
    """Whole games against an opponent, every deal from both seats; `games` of each game.

    `rules` names a file with rules to show instead of the game's own, `legal` lists the legal moves, `board` is
    `drawing`, `json` or `prose`, `retries` is how many more tries a turn has after an answer that is no legal move.
    `size` and `options` (`pie=on`, or several) say how the game is played; with `komi=fair` each deal has its own komi.
    `payoff` is what is played for, `win` or `points`. `tips` shows the game's tips with its rules.
    """
    samples, chosen_split = [], read_split(split)
    chosen_seed = split_seed(chosen_split, seed)
    for name in read_games(game):
        loaded, _ = load_fair(name, size, read_options(options))
        paid_for = read_payoff(payoff, loaded)
        other = "random" if opponent != "random" else "greedy"
        plan = plan_tournament([opponent, other], [name], games, chosen_seed, size=size, rules=read_options(options))
        rules_shown = prompts.rules_text(loaded, rules, tips)
        for number, (start, opening) in zip(range(plan.deals), _deals(plan, name, chosen_split), strict=False):
            prompt = prompts.system_prompt(start.game, rules_shown, prompts.HOW_TO_MOVE, paid_for)
            for seat in (1, 2):
                metadata = {
                    "game": name, "deal": f"{name}-{number}", "start": start.text,
                    "opening": [start.game.texts[action] for action in opening], "seat": seat, "opponent": opponent,
                    "seed": one_way(chosen_seed, number, seat), "legal": legal,
                    "board": prompts.check_board_form(board), "retries": retries, "payoff": paid_for,
                }  # fmt: skip
                samples.append(Sample(input=prompt, id=f"{name}-{number}-{seat}", metadata=metadata))
    return make_task("duel", samples, play_game(), game_played(), chosen_split, chosen_seed)


def _deals(plan: TournamentPlan, name: str, split: Split) -> Iterator[tuple[Position, tuple[int, ...]]]:
    """The deals of a plan that are of a split, each with its opening."""
    plain = plan._replace(rules=tuple(rule for rule in plan.rules if rule.startswith("pie=")), toss=None)
    for number in range(MOST_TRIES):
        position, opening = deal_of(plain, Round(name, number))
        for action in opening:
            position = position.play(action)
        if reserved_for(position) == split:
            yield deal_of(plan, Round(name, number))
    raise OptionError(f"There are not so many deals of {find(name).title} in the split {split}; ask for fewer games.")


@task
def best_move(
    game: Games = None,
    positions: int = 100,
    seed: int = 0,
    rules: str | None = None,
    legal: bool = True,
    board: str = "drawing",
    size: int | None = None,
    options: Options = None,
    payoff: str = "win",
    split: str = "questions",
    tips: bool = False,
) -> Task:
    """Single positions with exact answers, balanced by phase and difficulty; `positions` of each game.

    Under the payoff `win` every move is right that keeps the win, and only positions are asked in which some move loses
    it; under `points` those are right that give no point away.
    """
    samples, chosen_split = [], read_split(split)
    chosen_seed = split_seed(chosen_split, seed)
    for name in read_games(game):
        loaded, fair = load_fair(name, size, read_options(options))
        paid_for = read_payoff(payoff, loaded)
        rules_shown = prompts.rules_text(loaded, rules, tips)
        made = make_dataset(loaded, positions, chosen_seed, fair=fair, splits=(chosen_split,), payoff=paid_for)
        for row in made.rows:
            position = read_position(row["position"])
            question = prompts.move_prompt(position, prompts.check_board_form(board), legal)
            prompt = prompts.system_prompt(position.game, rules_shown, "", paid_for)
            metadata = {
                "game": name, "deal": f"{name}-{row['id'].partition('-')[0]}", "position": row["position"],
                "phase": row["phase"], "difficulty": row["difficulty"], "payoff": paid_for,
            }  # fmt: skip
            target = row["keeps_result" if paid_for == "win" else "best"]
            identity = f"{name}-{row['id']}"
            samples.append(Sample(input=f"{prompt}\n\n{question}", target=target, id=identity, metadata=metadata))
    return make_task("best_move", samples, generate(), move_chosen(), chosen_split, chosen_seed)


@task
def rules(
    game: Games = None,
    questions: int = 100,
    seed: int = 0,
    rules: str | None = None,
    board: str = "drawing",
    size: int | None = None,
    options: Options = None,
    split: str = "questions",
    tips: bool = False,
) -> Task:
    """Questions about the rules, so many of each game: is this move legal (half of them are), and who has won."""
    if questions < 1:
        raise OptionError(f"questions must be at least 1, not {questions}.")
    samples, chosen_split = [], read_split(split)
    chosen_seed = split_seed(chosen_split, seed)
    for name in read_games(game):
        loaded, fair = load_fair(name, size, read_options(options))
        rules_shown = prompts.rules_text(loaded, rules, tips)
        for number in range(questions):
            dice = Dice(chosen_seed, number)
            position = _position(loaded, fair, dice, chosen_split, over=number % 3 == 2)
            prompt = prompts.system_prompt(position.game, rules_shown, "")
            legal = number % 3 == 0
            question, choices, answer = _question(position, dice, legal, prompts.check_board_form(board))
            text = f"{prompt}\n\n{question} {HOW_TO_ANSWER}"
            metadata = {"game": name, "deal": f"{name}-{number}", "choices": choices}
            samples.append(Sample(text, target=answer, id=f"{name}-{number}", metadata=metadata))
    return make_task("rules", samples, generate(), rule_known(), chosen_split, chosen_seed)


def _position(game: Game, fair: bool, dice: Dice, split: Split, over: bool) -> Position:
    """A position of a random game that is of a split: the last one, or one before it."""
    for _ in range(MOST_TRIES):
        seed = dice.below(1 << 32)
        if board_split(game, game.deal(seed).numbers) not in (split, None):
            continue
        positions = [deal(game, seed, fair)]
        while positions[-1].turn:
            positions.append(positions[-1].play(dice.choice(positions[-1].actions())))
        asked = positions[-1:] if over else positions[1:-1] or positions[:1]
        if fitting := [position for position in asked if reserved_for(position) == split]:
            return dice.choice(fitting)
    raise OptionError(f"There is no deal of {game.title} at size {game.size} in the split {split}.")


def _question(position: Position, dice: Dice, legal: bool, board: str) -> tuple[str, list[str], str]:
    """A question about the rules in a position, its possible answers, and the right one.

    It asks about a move that is legal or one that is not, or, where the game is over, who has won.
    """
    game = position.game
    if outcome := position.outcome():
        choices = list(player_names(game))
        one, two = (prompts.seat_name(game, seat, board) for seat in (1, 2))
        text = f"{prompts.position_text(position, board)}\n\nThe game is over. Who has won, {one} or {two}?"
        return text, choices, choices[outcome.winner - 1]
    fitting = [action for action in range(game.action_count) if (action in position.actions()) == legal]
    action = dice.choice(fitting or list(position.actions()))
    who = prompts.seat_name(game, position.mover, board)
    question = f"It is {who}'s turn. Is the move {game.texts[action]} legal, yes or no?"
    text = f"{prompts.position_text(position, board)}\n\n{question}"
    return text, ["yes", "no"], "yes" if action in position.actions() else "no"

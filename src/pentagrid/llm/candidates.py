"""Positions of random games with exact labels, from which data sets and questions are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import NamedTuple

from pentagrid.analysis.komi import deal
from pentagrid.analysis.solver import Solver, solver_of
from pentagrid.core.deal_solver import Loss, Value
from pentagrid.core.game import Game
from pentagrid.core.payoff import Payoff, decision_matters
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.streams import Stream
from pentagrid.llm.splits import Split, board_split, canonical_form, split_of

PHASES = ("early", "middle", "late")
DIFFICULTIES = ("greed is right", "greed errs", "greed loses")
BEST_PERCENT = (0, 50, 90)
"""For each game one of these is drawn: how many of a hundred moves are best ones. The others are random."""

Bucket = tuple[str, str]
"""A phase and a difficulty."""


class Source(NamedTuple):
    """Where candidates come from: everything that settles them but the number of the game."""

    game: Game
    seed: int
    splits: tuple[Split, ...]
    fair: bool = False
    """Whether each deal has its own fair komi."""
    payoff: Payoff | None = None
    """Under which payoff the moves must differ; None for any difference."""


class Candidate(NamedTuple):
    """One position with its labels; those about moves are in the order of the legal actions."""

    number: int
    """The number of its game."""
    split: Split
    bucket: Bucket
    key: bytes
    """The same for positions that are equal up to symmetry."""
    position: Position
    deal_seed: int
    actions: tuple[int, ...]
    """The actions that led to it."""
    greedy: tuple[int, ...]
    value: Value
    values: tuple[Value, ...]
    """After each move; `plies` count that move."""
    losses: tuple[Loss, ...]


def play_games(source: Source, numbers: range) -> list[list[Candidate] | None]:
    """The candidates of these games; None for a game whose board is in another split."""
    return [play_candidates(source, number) for number in numbers]


def play_candidates(source: Source, number: int) -> list[Candidate] | None:
    """Positions of one random game in which the moves differ, at most one of each bucket; None if its board is in
    another split."""
    game = source.game
    deal_seed = Dice(source.seed, Stream.DATASET_DEAL, number).next() >> 1
    plain = game.deal(deal_seed)
    if plain.numbers and board_split(game, plain.numbers) not in source.splits:
        return None
    dice = Dice(source.seed, Stream.DATASET_PLAY, number)
    position = deal(game, deal_seed, True) if source.fair else plain
    solver = solver_of(position)
    best_percent = dice.choice(BEST_PERCENT)
    turns: list[tuple[Position, dict[int, Loss]]] = []
    actions: list[int] = []
    while position.turn:
        losses = solver.losses(position)
        best = [action for action, loss in losses.items() if not loss]
        turns.append((position, losses))
        actions.append(dice.choice(best if dice.below(100) < best_percent else position.actions()))
        position = position.game.after(position, actions[-1])
    buckets: dict[Bucket, list[int]] = {}
    splits: dict[int, Split] = {}
    for ply, (here, losses) in enumerate(turns):
        if decision_matters(losses.values(), source.payoff) and (split := split_of(here)) in source.splits:
            assert split is not None
            splits[ply] = split
            phase = PHASES[min(2, 3 * ply // max(1, len(turns) - 1))]
            buckets.setdefault((phase, _difficulty(here, losses)), []).append(ply)
    choice = Dice(source.seed, Stream.DATASET_CHOICE, number)
    chosen = []
    for bucket in sorted(buckets):
        ply = choice.choice(buckets[bucket])
        here, losses = turns[ply]
        key = blake2b(repr(canonical_form(here)).encode(), digest_size=16).digest()
        values = tuple(_after(solver, here, action) for action in losses)
        chosen.append(
            Candidate(
                number, splits[ply], bucket, key, here, deal_seed, tuple(actions[:ply]),
                tuple(game.heuristics.greedy_actions(here)), solver.value(here), values, tuple(losses.values()),
            )
        )  # fmt: skip
    return chosen


def _difficulty(position: Position, losses: Mapping[int, Loss]) -> str:
    """What the greedy move does: it is right, errs, or loses a won game."""
    greedy = [losses[action] for action in position.game.heuristics.greedy_actions(position)]
    return DIFFICULTIES[2 if any(loss.win_regret for loss in greedy) else int(any(greedy))]


def _after(solver: Solver, position: Position, action: int) -> Value:
    value = solver.value(position.game.after(position, action))
    return value._replace(plies=None if value.plies is None else value.plies + 1)

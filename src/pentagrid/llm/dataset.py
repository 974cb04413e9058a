"""Data sets of labeled positions: every move with its exact value, balanced, without symmetric copies or leaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from pentagrid.analysis.exact_sizes import check_exact
from pentagrid.core.deal_solver import Value
from pentagrid.core.game import Game
from pentagrid.core.payoff import Payoff
from pentagrid.llm.candidates import Bucket, Candidate, Source, play_games
from pentagrid.llm.splits import CANARY, DATA_SPLITS, GENERATOR, SPLITS, Split
from pentagrid.util.workers import Mapper, on_cores

PATIENCE = 400
"""Games in a row without a new position after which there are taken to be no more."""
FEW, MANY = (200, 5), (1000, 0.5)
"""Games played to fill all buckets alike: so many, and so many for each position; of few and of many, the fewer games.
Then rare buckets stay small."""
BLOCK = 20
"""Games that are sent to a worker at once."""


class Dataset(NamedTuple):
    """Labeled positions as rows, and how many were wanted."""

    game: Game
    rows: list[dict[str, Any]]
    wanted: int
    seed: int
    fair: bool = False
    """Whether each deal has its own fair komi."""


def make_dataset(
    game: Game, positions: int, seed: int = 0, progress: Callable[[float], None] = lambda share: None,
    stop: Callable[[], bool] = lambda: False, fair: bool = False, splits: Sequence[Split] = DATA_SPLITS,
    payoff: Payoff | None = None, mapper: Mapper | None = None,
) -> Dataset:  # fmt: skip
    """A data set with as equal a number of each phase and difficulty as can be had with some effort.

    The same for the same arguments, whoever does the work (`mapper`: this process alone unless told otherwise). With
    `fair` each deal has its own fair komi; with a `payoff` only positions whose moves differ under it are taken. Raises
    `OptionError` if the game is not solved at this size.
    """
    check_exact(game)
    source = Source(game, seed, tuple(splits), fair, payoff)
    blocks = (range(first, first + BLOCK) for first in count(0, BLOCK))
    results = (mapper or on_cores(1))(partial(play_games, source), blocks, stop)
    games = (candidates for block in results for candidates in block if candidates is not None)
    chosen = choose(games, positions, lambda filled: progress(filled / positions))
    order = {split: i for i, split in enumerate(SPLITS)}
    rows = [row_of(candidate) for candidate in chosen]
    rows.sort(key=lambda row: (order[row["split"]], row["id"]))
    return Dataset(game, rows, positions, seed, fair)


def choose(
    games: Iterable[list[Candidate]], positions: int, progress: Callable[[int], None] = lambda found: None
) -> list[Candidate]:
    """So many candidates, no two the same up to symmetry, as many of each bucket as the games have."""
    pools: dict[Bucket, list[Candidate]] = {}
    seen: set[bytes] = set()
    idle = found = 0
    effort = min(least + each * positions for least, each in (FEW, MANY))
    for played, candidates in enumerate(games, 1):
        fresh = [candidate for candidate in candidates if candidate.key not in seen]
        for candidate in fresh:
            seen.add(candidate.key)
            pool = pools.setdefault(candidate.bucket, [])
            if len(pool) < positions:
                pool.append(candidate)
                found += 1
        idle = 0 if fresh else idle + 1
        progress(min(found, positions))
        if played % BLOCK:
            continue
        wanted = -(-positions // max(1, len(pools)))
        balanced = played >= FEW[0] and all(len(pool) >= wanted for pool in pools.values())
        tried = played >= effort and found >= positions
        if idle > PATIENCE or balanced or tried:
            break
    return _alike(list(pools.values()), positions)


def _alike(pools: list[list[Candidate]], positions: int) -> list[Candidate]:
    """So many from all pools together: what a small one lacks, the others make up for alike."""
    chosen: list[Candidate] = []
    for left, pool in zip(range(len(pools), 0, -1), sorted(pools, key=len), strict=True):
        chosen += pool[: -(-(positions - len(chosen)) // left)]
    return chosen


def row_of(candidate: Candidate) -> dict[str, Any]:
    """A candidate as plain data: for every game the same columns in the same types, none of them ever empty for want of
    a value (`SCHEMA` in `dataset_files` names them)."""
    position, texts = candidate.position, candidate.position.game.texts
    data = position.data()
    moves, losses = data["legal"], candidate.losses
    left = position.game.most_turns - position.turns
    return {
        "id": f"{candidate.number}-{position.ply}",
        "split": candidate.split,
        "game": data["game"],
        "size": data["size"],
        "rules": [f"{name}={value}" for name, value in position.game.rules.items()],
        "position": data["position"],
        "board": data["board"] or [[0] * position.game.size] * position.game.size,
        "claims": data["claims"],
        "turn": data["turn"],
        "ply": data["ply"],
        "swapped": data["swapped"],
        "scores": data["scores"] or [0, 0],
        "legal": moves,
        "deal_seed": candidate.deal_seed,
        "moves": [texts[action] for action in candidate.actions],
        "winner": candidate.value.winner,
        "margin": _margin(candidate.value),
        "winners": [value.winner for value in candidate.values],
        "margins": [_margin(value) for value in candidate.values],
        "plies": [left if value.plies is None else value.plies for value in candidate.values],
        "regrets": [float(loss.regret or 0) for loss in losses],
        "win_regrets": [loss.win_regret for loss in losses],
        "best": [move for move, loss in zip(moves, losses, strict=True) if not loss],
        "keeps_result": [move for move, loss in zip(moves, losses, strict=True) if not loss.win_regret],
        "result_at_stake": any(loss.win_regret for loss in losses),
        "greedy": [texts[action] for action in candidate.greedy],
        "phase": candidate.bucket[0],
        "difficulty": candidate.bucket[1],
        "generator": GENERATOR,
        "canary": CANARY,
    }


def _margin(value: Value) -> float:
    """Player 1's margin; a game without points counts as one point for its winner."""
    return float(3 - 2 * (value.winner or 2) if value.margin is None else value.margin)

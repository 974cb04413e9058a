"""Plays a tournament on all cores: the same results in the same order, however many there are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from pentagrid.arena.plan import Round, TournamentPlan
from pentagrid.arena.results import Results
from pentagrid.arena.rounds import PlayedGame, play_round
from pentagrid.util.workers import Mapper, check_workers, on_cores

BATCH_GAMES = 64
"""About how many games a worker is sent at once."""


def play_tournament(
    plan: TournamentPlan,
    path: Path,
    workers: int | None = None,
    progress: Callable[[float], None] = lambda share: None,
    stop: Callable[[], bool] = lambda: False,
    mapper: Mapper | None = None,
) -> Results:
    """Play what is missing of a tournament, and write every game to the results file when it ends.

    `mapper` does the work instead of so many workers. Returns early when `stop` says so; the same call then goes on
    from there. Raises `OptionError`.
    """
    results = Results(path, plan)
    plan = results.plan
    try:
        missing = results.missing()
        count = check_workers(workers)
        size = 1 if count == 1 and mapper is None else max(1, BATCH_GAMES // max(1, 2 * len(plan.pairs)))
        batches = [tuple(missing[i : i + size]) for i in range(0, len(missing), size)]
        for rows in (mapper or on_cores(count if len(batches) > 1 else 1))(partial(_play_batch, plan), batches, stop):
            results.add(rows)
            progress(len(results.rows) / plan.total)
    finally:
        results.close()
    return results


def _play_batch(plan: TournamentPlan, batch: tuple[Round, ...]) -> list[PlayedGame]:
    return [row for round_ in batch for row in play_round(plan, round_)]

"""Several language models on one task: one table, every figure with its 95 % interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

import inspect_ai
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from pentagrid.errors import OptionError
from pentagrid.llm import tasks
from pentagrid.llm.metrics import RATES, Rate

SHOWN = {
    "duel": ("win_rate", "seat_score", "result_kept", "best", "regret_per_move", "forfeited"),
    "best_move": ("right", "result_kept", "best", "regret_per_move", "illegal", "unreadable"),
    "rules": ("right", "right_of_read", "unreadable"),
}
"""The columns of each task; the logs have all metrics."""
ByGame = dict[str, list[Mapping[str, Any]]]
"""The counts of a model's answers, by game."""


def run_models(
    task: str, models: Sequence[Any], options: Mapping[str, Any], folder: Path, epochs: int = 1
) -> list[EvalLog]:
    """Run a task with each model, one after the other, all on the same questions. Raises `OptionError`."""
    if task not in RATES:
        raise OptionError(f"The task must be {', '.join(RATES)}, not {task}.")
    known = signature(getattr(tasks, task)).parameters
    if unknown := [name for name in options if name not in known]:
        raise OptionError(f"The task {task} has no option {unknown[0]}; it has {', '.join(known)}.")
    made = getattr(tasks, task)(**options)
    logs: list[EvalLog] = inspect_ai.eval(made, model=list(models), epochs=epochs, log_dir=str(folder), display="plain")
    return logs


def read_logs(folder: Path) -> list[EvalLog]:
    """The logs of our tasks in a folder, the oldest first. Raises `OptionError` if there are none."""
    logs = [read_eval_log(info) for info in reversed(list_eval_logs(str(folder)))]
    ours = [log for log in logs if _task(log) in RATES and log.status == "success"]
    if not ours:
        raise OptionError(f"{folder} has no logs of the tasks {', '.join(RATES)} that ended well.")
    return ours


def _task(log: EvalLog) -> str:
    return str(log.eval.task).rpartition("/")[2]


def comparison_lines(logs: Sequence[EvalLog]) -> list[str]:
    """A table for each task and payoff: a line for each model, and for each game of it where there are several."""
    lines: list[str] = []
    tables: dict[tuple[str, str], list[tuple[str, ByGame]]] = {}
    for log in logs:
        if log.status == "success" and log.samples:
            tables.setdefault((_task(log), _payoff(log)), []).append((str(log.eval.model), _by_game(log)))
    for (task, payoff), models in sorted(tables.items(), key=lambda table: list(SHOWN).index(table[0][0])):
        rates = [rate for name in SHOWN[task] for rate in RATES[task] if rate.name == name]
        rows = [("model", "game", "answers", *SHOWN[task])]
        for model, by_game in models:
            for game, counts in by_game.items():
                everybody = [count for _, other in models for count in other.get(game, ())]
                cells = (_cell(rate, counts, _typical(everybody)) for rate in rates)
                rows.append((model, game, str(sum(int(count["answers"]) for count in counts)), *cells))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines += ["", f"{task}{payoff and f', payoff {payoff}'} (95 % intervals, deals as clusters)"]
        for row in rows:
            cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
            lines.append("  ".join(cells).rstrip())
    return lines[1:]


def _payoff(log: EvalLog) -> str:
    """What the task was scored by; empty where there is nothing to win."""
    return str((log.samples or [])[0].metadata.get("payoff", ""))


def _by_game(log: EvalLog) -> ByGame:
    """The counts of a log's answers by game, and of all games where there are several."""
    by_game: ByGame = {}
    for sample in log.samples or ():
        for score in (sample.scores or {}).values():
            by_game.setdefault(sample.metadata["game"], []).append(score.metadata or {})
    if len(by_game) > 1:
        by_game["all"] = [count for counts in by_game.values() for count in counts]
    return by_game


def _typical(counts: Sequence[Mapping[str, Any]]) -> float:
    """What an error costs on average."""
    errors = sum(count.get("errors", 0) for count in counts)
    return sum(count.get("regret", 0) for count in counts) / errors if errors else 1.0


def _cell(rate: Rate, counts: Sequence[Mapping[str, Any]], typical: float) -> str:
    """A metric with its interval."""
    value, low, high = rate.interval(counts, typical)
    if value != value:
        return "–"
    if rate.share:
        return f"{100 * value:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
    return f"{value:.2f}" if low != low else f"{value:.2f} [{low:.2f}, {high:.2f}]"

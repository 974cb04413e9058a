"""Makes docs/fairness.md with its figures and plots.

make fairness              measure everything anew (some minutes on all cores) and write the page
make fairness ARGS=--page  only write the page again from the figures in docs/fairness.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pentagrid as pg
from pentagrid.lab.advice import as_json as advice_json
from pentagrid.lab.advice import whole
from pentagrid.lab.balance import make_balance, standings
from pentagrid.lab.census import Plan, Work, make_plan, on_cores, run
from pentagrid.lab.summary import as_json, percent
from pentagrid.lab.tally import Tally

DOCS = Path(__file__).parent
FIGURES = DOCS / "fairness.json"
PAGE = DOCS / "fairness.md"
SAMPLES = {"matrix-capture": 1_000_000, "capture-squares": 20_000}
"""Of the games with too many deals to look at all."""
PLAYED, BALANCED = 4000, 1000
LEVELS = ("level:3", "level:5", "level:7")
TOP = 6


def plans() -> dict[str, Plan]:
    """The census of each game under perfect play: all deals where that can be, else as many as tell enough."""
    return {name: make_plan(pg.load(name), SAMPLES.get(name), opening=0) for name in pg.game_names()}


def measured() -> dict[str, Any]:
    """All figures, and the plots on the way."""
    from pentagrid.lab.plots import balance_figure, census_figure, save

    (DOCS / "plots").mkdir(exist_ok=True)
    figures: dict[str, Any] = {}
    for name, plan in plans().items():
        found = counted(plan)
        save(census_figure(plan, found), DOCS / "plots" / f"census-{name}.svg")
        figures[name] = {"perfect": as_json(plan, found)}
        for level in LEVELS:
            played = make_plan(plan.game, PLAYED, opening=0, kinds=(level, level))
            figures[name][level] = as_json(played, counted(played))
        balance = make_balance(type(plan.game), None, BALANCED, 0)
        rows = standings(balance, counted(balance))
        save(balance_figure(balance, rows), DOCS / "plots" / f"balance-{name}.svg")
        figures[name]["balance"] = advice_json(balance, rows)
        print(name, "done", file=sys.stderr)
    return figures


def counted(work: Work) -> Tally:
    with TemporaryDirectory() as folder:
        found = run(work, Path(folder), on_cores(None))
    assert found is not None
    return found


def page(figures: dict[str, Any]) -> str:
    """The page that tells the story."""
    written = (DOCS / "fairness.in.md").read_text(encoding="utf-8")
    return (
        written.replace("{{as written}}", "\n".join(_as_written(figures)))
        .replace("{{ways}}", "\n".join(line for name in pg.game_names() for line in _ways(name, figures[name])))
        .replace("{{deals}}", f"{BALANCED:,}")
        .replace("{{games}}", f"{PLAYED:,}")
    )


def _as_written(figures: dict[str, Any]) -> list[str]:
    lines = [
        "| game | deals looked at | Player 1 wins, perfect play | mean margin | winning first moves | greedy move best | "
        + " | ".join(f"{level} against itself" for level in LEVELS) + " |",
        "|---" * (6 + len(LEVELS)) + "|",
    ]  # fmt: skip
    for name in pg.game_names():
        told = figures[name]["perfect"]
        deals = "the empty board" if told["deals"] == 1 else f"{'all ' if told['all'] else ''}{told['deals']:,}"
        margin = "" if told["mean_margin"] is None else f"{told['mean_margin']:.2f}"
        shares = " | ".join(_share(figures[name][level]) for level in LEVELS)
        lines.append(
            f"| {pg.load(name).title} | {deals} | {percent(told['players_win']['1']['share'])} | {margin} | "
            f"{told['mean_winning_first_moves']:.1f} | {percent(told['greedy_move_best'])} | {shares} |"
        )
    return lines


def _share(told: dict[str, Any]) -> str:
    first = told["players_win"]["1"]
    return f"{100 * first['share']:.0f} % ({100 * first['low']:.0f}–{100 * first['high']:.0f})"


def _ways(name: str, told: dict[str, Any]) -> list[str]:
    game = pg.load(name)
    rows: Sequence[dict[str, Any]] = told["balance"]["ranking"]
    usual = [row for row in rows if row["size"] == game.size]
    shown = [row for row in usual if row in usual[:TOP] or not row["options"]]
    return [
        f"### {game.title}", "", told["balance"]["recommendation"], "",
        "| rank | options | perfect play | level:5 | level 7 beats 3 | turns |", "|---|---|---|---|---|---|",
        *(
            f"| {rows.index(row) + 1} | {'`' + row['options'] + '`' if row['options'] else 'as written'} | "
            f"{whole(row['perfect'])} | {whole(row['equal'])} | {whole(row['skill'])} | {row['turns']:.1f} |"
            for row in shown
        ),
        "", f"![All ways to play {game.title}](plots/balance-{name}.svg)", "",
    ]  # fmt: skip


if __name__ == "__main__":
    if "--page" not in sys.argv[1:]:
        FIGURES.write_text(json.dumps(measured(), indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(json.loads(FIGURES.read_text(encoding="utf-8"))), encoding="utf-8")

"""Makes docs/fairness.md with its figures and plots.

make fairness              measure everything anew (some minutes on all cores) and write the page
make fairness ARGS=--page  only write the page again from the figures in docs/fairness.json
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pentagrid as pg
from pentagrid.fairness.advice import as_json as advice_json
from pentagrid.fairness.advice import whole
from pentagrid.fairness.balance import make_balance, standings
from pentagrid.fairness.census import CensusPlan, CountableWork, on_cores, plan_census, run
from pentagrid.fairness.summary import as_json, percent
from pentagrid.fairness.tally import Tally

DOCS = Path(__file__).parent
FIGURES = DOCS / "fairness.json"
PAGE = DOCS / "fairness.md"
SAMPLES = {"matrix-capture": 1_000_000, "capture-squares": 20_000}
"""Of the games with too many deals to look at all."""
PLAYED, BALANCED = 4000, 1000
LEVELS = ("level:3", "level:5", "level:7")
TOP = 6

STORY = """\
# How fair are these games, and what would make them fair?

<!-- Made by `make fairness` from docs/fairness.json, which it measures anew; change the words in docs/fairness.py. -->

Every figure and plot on this page is the project's own, and `make fairness` makes them all again (some minutes on
two cores). The figures under perfect play are exact values, not results of self-play; those of imperfect players
are games of graded players ([how strong they are](levels.md)). [The census](census.md) and
`pentagrid balance GAME` give the same for any size, seed and option.

## As written

Between perfect players all five are games for Player 1:

{{as written}}

The last columns are Player 1's share when a player meets his equal, over {{games}} games each, with 95 % intervals.
They show why these games are still games: people err, and an error often costs more than the first move is worth. They
also show that the first move is worth the more, the better both play.

- In **Number Grid Battle** and **Capture Squares** every deal has the same value. Both players can make sure of
  every second number from the top, and Player 1 begins ([the proof](solutions.md)).
- In **Number Cross** only line sums count. The two players split the sorted sums between them, so Player 1 is never
  behind; one deal in eighteen comes out even, and the tie goes to Player 2.
- In **Matrix Capture** greed is often wrong, but the first move is worth more than four points on average, and only
  about one deal in seven thousand comes out even.
- In **Capture Square** Player 2 can always stop a square while cells are free. Then the board is full, Player 1 is
  to move in Sudden Death, and that move decides.

![The margins of Matrix Capture under perfect play](plots/census-matrix-capture.svg)

![The margins of Number Cross under perfect play](plots/census-number-cross.svg)

## What can be changed

- **Komi** gives Player 2 points. One komi for all deals can be even on average; `--komi fair` looks at the deal and
  leaves half a point to one side or the other, by the toss of the seed. A komi that is even between perfect players
  gives too much between imperfect ones, who do not keep the whole advantage of the first move.
- **Pie**: after the first move Player 2 may swap sides. Between perfect players that hands the game to Player 2,
  whatever the game: somebody is winning after the first move, and she takes that side. Between people it is a good
  rule, because it is hard to see which side that is.
- **Turn order**: 1 2 2 1 1 2 … (`snake`) or 1 2 2 1 2 1 1 2 … (`thue-morse`) instead of 1 2 1 2 …, so that the
  first choice is paid for with two choices in a row.
- **Sudden Death begun by Player 2** (Capture Square): what decides the game changes hands, and so does the game.

## All ways to play, compared

Every combination of these options over the same {{deals}} deals, ranked by the worse of two shares: Player 1's
under perfect play and between equal players of level 5. Both within five points of a half are called fair. Among
ways that are about as even, the one in which level 7 beats level 3 most often is better: a game may be even and
still be decided by skill. Shares that differ by less than 2.5 points count as about as even, since each is only
within {{within}} points (19 times of 20). The tables show the best at the usual size and the rules as written; ranks
that are missing are those of smaller boards, which the plots show too.

{{ways}}
## What to take from it

{{lessons}}
"""

LESSONS = """\
- **Between perfect players only komi is fair**, and of a sort: with half a point between them the toss decides.
- **A komi for people is smaller than one for perfect players**, who lose nothing of what the first move is worth. In
  Matrix Capture two points are even for level 5, four for perfect play; a club should set its komi by its own results.
  `--komi fair` alone is therefore hard on Player 1 where much is lost on the way, as in Matrix Capture.
- **A turn order that pays for the first choice brings the two closer** in Matrix Capture, Number Cross and Number Grid
  Battle (there `snake`, not `thue-morse`): what is left for komi to mend is less.
- **Swapping is for people.** Perfect players know the right answer to every first move, so Player 2 always wins.
- **Capture Square cannot be mended between perfect players** by any of these options: one side always wins. Between
  equals, Sudden Death begun by Player 2 is close to even, with or without swapping.
- **Even need not mean dull**: in none of the ways recommended here does the stronger player win clearly less often
  than under the rules as they are written.
"""


def plans() -> dict[str, CensusPlan]:
    """The census of each game under perfect play: all deals where that can be, else as many as tell enough."""
    return {name: plan_census(pg.load(name), SAMPLES.get(name), opening=0) for name in pg.game_names()}


def measured() -> dict[str, Any]:
    """All figures, and the plots on the way."""
    from pentagrid.fairness.plots import balance_figure, census_figure, save

    (DOCS / "plots").mkdir(exist_ok=True)
    figures: dict[str, Any] = {}
    for name, plan in plans().items():
        found = counted(plan)
        save(census_figure(plan, found), DOCS / "plots" / f"census-{name}.svg")
        figures[name] = {"perfect": as_json(plan, found)}
        for level in LEVELS:
            played = plan_census(plan.game, PLAYED, opening=0, kinds=(level, level))
            figures[name][level] = as_json(played, counted(played))
        balance = make_balance(type(plan.game), None, BALANCED, 0)
        rows = standings(balance, counted(balance))
        save(balance_figure(balance, rows), DOCS / "plots" / f"balance-{name}.svg")
        figures[name]["balance"] = advice_json(balance, rows)
        print(name, "done", file=sys.stderr)
    return figures


def counted(work: CountableWork) -> Tally:
    with TemporaryDirectory() as folder:
        found = run(work, Path(folder), on_cores(None))
    assert found is not None
    return found


def page(figures: dict[str, Any]) -> str:
    """The page that tells the story."""
    return (
        STORY.replace("{{as written}}", "\n".join(_as_written(figures)))
        .replace("{{ways}}", "\n".join(line for name in pg.game_names() for line in _ways(name, figures[name])))
        .replace("{{lessons}}", LESSONS)
        .replace("{{within}}", f"{98 / BALANCED**0.5:.0f}")
        .replace("{{deals}}", f"{BALANCED:,}")
        .replace("{{games}}", f"{PLAYED:,}")
    )


def _as_written(figures: dict[str, Any]) -> list[str]:
    lines = [
        "| game | deals | perfect play | mean margin | winning first moves | greedy best | "
        + " | ".join(f"{level} against itself" for level in LEVELS) + " |",
        "|---" * (6 + len(LEVELS)) + "|",
    ]  # fmt: skip
    for name in pg.game_names():
        told = figures[name]["perfect"]
        deals = "the empty board" if told["deals"] == 1 else f"{'all ' if told['all'] else ''}{told['deals']:,}"
        margin = "" if told["mean_margin"] is None else f"{told['mean_margin']:.2f}"
        shares = " | ".join(_share(figures[name][level]) for level in LEVELS)
        lines.append(
            f"| {pg.load(name).title} | {deals} | {_exact(told)} | {margin} | "
            f"{told['mean_winning_first_moves']:.1f} | {percent(told['greedy_move_best'])} | {shares} |"
        )
    return lines


def _exact(told: dict[str, Any]) -> str:
    first = told["players_win"]["1"]
    around = f" ({percent(first['low'])} to {percent(first['high'])})" if first["low"] < first["high"] else ""
    return percent(first["share"]) + around


def _share(told: dict[str, Any]) -> str:
    first = told["players_win"]["1"]
    return f"{100 * first['share']:.0f} % ({100 * first['low']:.0f}–{100 * first['high']:.0f})"


def _ways(name: str, told: dict[str, Any]) -> list[str]:
    game = pg.load(name)
    rows: Sequence[dict[str, Any]] = told["balance"]["ranking"]
    usual = [row for row in rows if row["size"] == game.size]
    shown = [row for row in usual if row in usual[:TOP] or not row["options"]]
    return [
        f"### {game.title}", "", *_advice(told["balance"]["recommendation"]), "",
        "| rank | options | perfect play | level:5 | level 7 beats 3 | turns |", "|---|---|---|---|---|---|",
        *(
            f"| {rows.index(row) + 1} | {'`' + row['options'] + '`' if row['options'] else 'as written'} | "
            f"{whole(row['perfect'])} | {whole(row['equal'])} | {whole(row['skill'])} | {row['turns']:.1f} |"
            for row in shown
        ),
        "", f"![All ways to play {game.title}](plots/balance-{name}.svg)", "",
    ]  # fmt: skip


def _advice(text: str) -> list[str]:
    return textwrap.wrap(re.sub(r"(with|is) (--[^:]*):", r"\1 `\2`:", text), 118, break_on_hyphens=False)


if __name__ == "__main__":
    if "--page" not in sys.argv[1:]:
        FIGURES.write_text(json.dumps(measured(), indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(json.loads(FIGURES.read_text(encoding="utf-8"))), encoding="utf-8")

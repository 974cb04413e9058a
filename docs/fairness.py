"""Makes docs/fairness.md with its figures and plots.

make fairness              measure everything again (some minutes on all cores) and write the page
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
from pentagrid.fairness.balance import plan_balance, standings
from pentagrid.fairness.census import CensusPlan, CountableWork, count_all, on_cores, plan_census
from pentagrid.fairness.recommendation import balance_data, whole_percent
from pentagrid.fairness.summary import percent, summary_data
from pentagrid.fairness.tally import Tally

DOCS = Path(__file__).parent
FIGURES = DOCS / "fairness.json"
PAGE = DOCS / "fairness.md"
SAMPLES = {"matrix-capture": 1_000_000, "capture-squares": 20_000}
"""The sample sizes of the games that have too many deals to count them all."""
PLAYED, BALANCED = 4000, 1000
"""Games of each level against itself, and deals for each way to play."""
LEVELS = ("level:3", "level:5", "level:7")
TOP = 6
"""Ways to play that a table shows."""

STORY = """\
# How fair are these games, and what would make them fair?

<!-- Made by `make fairness` from docs/fairness.json, which it measures again; change the words in docs/fairness.py. -->

Every figure and plot on this page is the project's own, and `make fairness` makes them all again (some minutes on
two cores). The figures under perfect play are exact values, not results of self-play. Those of imperfect players
are from games of graded players ([how strong they are](levels.md)). [The census](census.md) and
`pentagrid balance GAME` give the same for any size, seed and option.

Player 1 is the one who moves first; Capture Squares calls the two Player A and Player B.

## As written

Between perfect players all five games favor Player 1:

{{as written}}

The last columns are Player 1's share when a player meets an equal one, over {{games}} games each, with 95 % intervals.
They show why these games are still games: people make mistakes, and a mistake often costs more than the first move
gains. They also show that the first move gains more, the better both play.

- In **Number Grid Battle** and **Capture Squares** every deal has the same value. Both players can make sure of
  every second number from the top, and Player 1 begins ([the proof](solutions.md)).
- In **Number Cross** only line sums count. The two players split the sorted sums between them, so Player 1 is never
  behind; one deal in eighteen is a tie, and the tie goes to Player 2.
- In **Matrix Capture** greed is often wrong, but the first move gains more than four points on average, and only
  about one deal in seven thousand is a tie.
- In **Capture Square** Player 2 can always stop a square while cells are free. Then the board is full, Player 1 is
  to move in Sudden Death, and that move decides.

![The margins of Matrix Capture under perfect play](plots/census-matrix-capture.svg)

![The margins of Number Cross under perfect play](plots/census-number-cross.svg)

## What can be changed

- **Komi** gives Player 2 points. One komi for all deals can be even on average; `--komi fair` looks at the deal and
  leaves half a point to one side or the other, by the toss of the seed. A komi that is even between perfect players
  gives too much between imperfect ones, who do not keep the whole advantage of the first move.
- **Pie**: after the first move Player 2 may swap sides. Between perfect players that gives every game to Player 2:
  one side is winning after the first move, and Player 2 takes that side. Between people it is a good rule, because
  it is hard to see which side that is.
- **Turn order**: 1 2 2 1 1 2 … (`snake`) or 1 2 2 1 2 1 1 2 … (`thue-morse`) instead of 1 2 1 2 …, so that two
  choices in a row make up for the first choice.
- **Player 2 begins Sudden Death** (Capture Square): the move that decides the game goes to the other player.

## All ways to play, compared

Every combination of these options over the same {{deals}} deals, ranked by the worse of two shares: Player 1's
under perfect play and between equal players of level 5. If both are within five points of a half, the way to play is
called fair. Among ways that are about as even, the one in which level 7 beats level 3 most often is better: a game may
be even and still be decided by skill. Shares that differ by less than 2.5 points count as about as even, since each is
only within {{within}} points (19 times out of 20). So a way near the limit may be called fair with one seed and not
with another. The tables show the best at the default size and the rules as written; ranks that are missing are those
of smaller boards, which the plots show too.

{{ways}}
## What to take from it

{{lessons}}
"""

LESSONS = """\
- **Between perfect players only komi is fair**, in a way: with half a point between them the toss decides.
- **A komi for people is smaller than one for perfect players**, who lose nothing of what the first move gains. In
  Matrix Capture two points are even for level 5, four for perfect play; a club should set its komi by its own results.
  `--komi fair` alone is therefore hard on Player 1 where much is lost on the way, as in Matrix Capture.
- **A turn order that makes up for the first choice brings the two closer** in Matrix Capture, Number Cross and Number
  Grid Battle (there `snake`, not `thue-morse`): less is left for komi to correct.
- **Swapping is for people.** Perfect players know the right answer to every first move, so Player 2 always wins.
- **None of these options makes Capture Square fair between perfect players**: one side always wins. Between equals,
  Sudden Death begun by Player 2 is close to even; with swapping on top, Player 1 wins a little more often.
- **Even need not mean dull**: in none of the ways recommended here does the stronger player win clearly less often
  than under the rules as they are written.
"""


def plans() -> dict[str, CensusPlan]:
    """The census of each game under perfect play: all deals where possible, else a large sample."""
    return {name: plan_census(pg.load(name), SAMPLES.get(name), opening=0) for name in pg.game_names()}


def measured() -> dict[str, Any]:
    """All figures; draws the plots on the way."""
    from pentagrid.fairness.plots import balance_plot, census_plot, save_plot

    (DOCS / "plots").mkdir(exist_ok=True)
    figures: dict[str, Any] = {}
    for name, plan in plans().items():
        tally = counted(plan)
        save_plot(census_plot(plan, tally), DOCS / "plots" / f"census-{name}.svg")
        figures[name] = {"perfect": summary_data(plan, tally)}
        for level in LEVELS:
            played = plan_census(plan.game, PLAYED, opening=0, kinds=(level, level))
            figures[name][level] = summary_data(played, counted(played))
        balance = plan_balance(type(plan.game), None, BALANCED, 0)
        rows = standings(balance, counted(balance))
        save_plot(balance_plot(balance, rows), DOCS / "plots" / f"balance-{name}.svg")
        figures[name]["balance"] = balance_data(balance, rows)
        print(name, "done", file=sys.stderr)
    return figures


def counted(work: CountableWork) -> Tally:
    with TemporaryDirectory() as folder:
        tally = count_all(work, Path(folder), on_cores(None))
    assert tally is not None
    return tally


def page(figures: dict[str, Any]) -> str:
    """The text of docs/fairness.md."""
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
        exact = figures[name]["perfect"]
        deals = "the empty board" if exact["deals"] == 1 else f"{'all ' if exact['all'] else ''}{exact['deals']:,}"
        margin = "" if exact["mean_margin"] is None else f"{exact['mean_margin']:.2f}"
        shares = " | ".join(_played_share(figures[name][level]) for level in LEVELS)
        lines.append(
            f"| {pg.load(name).title} | {deals} | {_exact_share(exact)} | {margin} | "
            f"{exact['mean_winning_first_moves']:.1f} | {percent(exact['greedy_move_best'])} | {shares} |"
        )
    return lines


def _exact_share(summary: dict[str, Any]) -> str:
    first = summary["players_win"]["1"]
    around = f" ({percent(first['low'])} to {percent(first['high'])})" if first["low"] < first["high"] else ""
    return percent(first["share"]) + around


def _played_share(summary: dict[str, Any]) -> str:
    first = summary["players_win"]["1"]
    return f"{100 * first['share']:.0f} % ({100 * first['low']:.0f}–{100 * first['high']:.0f})"


def _ways(name: str, figures: dict[str, Any]) -> list[str]:
    game = pg.load(name)
    rows: Sequence[dict[str, Any]] = figures["balance"]["ranking"]
    usual = [row for row in rows if row["size"] == game.size]
    shown = [row for row in usual if row in usual[:TOP] or not row["options"]]
    return [
        f"### {game.title}", "", *_advice(figures["balance"]["recommendation"]), "",
        "| rank | options | perfect play | level:5 | level 7 beats 3 | turns |", "|---|---|---|---|---|---|",
        *(
            f"| {rows.index(row) + 1} | {'`' + row['options'] + '`' if row['options'] else 'as written'} | "
            + " | ".join(whole_percent(row[share]) for share in ("perfect", "equal", "skill"))
            + f" | {row['turns']:.1f} |"
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

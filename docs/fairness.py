"""Makes docs/fairness.md with its figures and plots.

make fairness              measure everything again (eight minutes of processor time) and write the page
make fairness ARGS=--page  only write the page again from the figures in docs/fairness.json
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pentagrid as pg
from pentagrid.core.catalog import find
from pentagrid.fairness.balance import FRESH, LEVELS, Balance, Standing, plan_balance, plan_final, standings
from pentagrid.fairness.census import CountableWork, count_all, on_cores
from pentagrid.fairness.recommendation import balance_data, row_data, whole_percent
from pentagrid.fairness.tally import Tally

DOCS = Path(__file__).parent
FIGURES = DOCS / "fairness.json"
PAGE = DOCS / "fairness.md"
DEALS, FINALS, SEEDS = 1000, 10_000, (0, 1, 2)
"""Deals for each way to play, fresh ones of the final, and the seeds that must agree."""
TOLD = {"capture-square": "--rule sudden-death-first=2 --rule pie=on"}
"""A way to play that the page speaks of, by game: played as often as those in a final."""

STORY = """\
# How fair are these games, and what would make them fair?

<!-- Made by `make fairness` from docs/fairness.json, which it measures again; change the words in docs/fairness.py. -->

For whoever designs or runs a game: how often the first player wins, and which rule options change that. Each plot shows
Player 1's share against the level of two equal players ([how strong the levels are](levels.md)), and at the right what
perfect players would do. Black is the game as written; gray is 45 to 55 %, which is called fair here. `pentagrid
balance GAME` makes the same comparison with any seed; `make fairness` makes this page.

## In short

{{short}}

- **The better both play, the more the first move gains** under the rules as written, in every game. So one level tells
  nothing about another: look at the whole curve.
- **A komi for people is smaller than one for perfect players**, who lose nothing of what the first move gains. One
  fixed komi is even at one level only. `--komi fair`, which follows the deal, and a turn order that makes up for the
  first choice keep a curve flat.
- **The pie rule is no cure for strong players**: perfect ones know which side to take, so Player 2 always wins.
- **Capture Square**: whoever begins Sudden Death wins when nobody errs, so "Player 2 begins" only turns the advantage
  round. {{sudden death}}
  The toss (`sudden-death-first=toss`) is exactly even between perfect players, but they know the winner before the
  first move, and between people Player 1 stays ahead. `ending=blocks` is even at every level, and skill decides it.

## How it is measured

Every combination of a game's options is played on {{deals}} deals by equal players of levels {{levels}}, and by level
7 against level 3 from both seats. The five that are most even, judged by the level where each is furthest from a half,
and the rules as written go to a final on {{finals}} fresh deals, where a share is within one point, 19 times out of 20.
With some thirty shares in a final, one or two will be further off. Komi is chosen on deals of its own. *About equal*
are those whose 95 % intervals overlap; of them the one with the fewest options is recommended. Seeds {{seeds}}
recommend the same, except where a game says otherwise. Perfect play is not sampled where it is known: by proof, by the
toss, by counting all deals; only Matrix Capture needs a sample, of 100,000 deals.

{{games}}"""


def measured() -> dict[str, Any]:
    """All figures; draws the plots on the way."""
    from pentagrid.fairness.plots import balance_plot, save_plot

    (DOCS / "plots").mkdir(exist_ok=True)
    figures: dict[str, Any] = {}
    for name in pg.game_names():
        compared = [comparison(name, seed) for seed in SEEDS]
        balance, rows, final, finalists = compared[0]
        save_plot(balance_plot(final, finalists), DOCS / "plots" / f"balance-{name}.svg")
        figures[name] = balance_data(balance, rows, final, finalists)
        figures[name]["recommended_by_seed"] = [balance_data(*each)["recommended"] for each in compared]
        if name in TOLD:
            chosen = tuple(one for one in balance.variants if one.options == TOLD[name])
            told = Balance(chosen, FINALS, balance.seed, FRESH)
            figures[name]["told"] = [row_data(row) for row in standings(told, counted(told))]
        print(name, "done", file=sys.stderr)
    return figures


def comparison(name: str, seed: int) -> tuple[Balance, list[Standing], Balance, list[Standing]]:
    """The comparison of all ways to play a game, and its final."""
    balance = plan_balance(find(name), None, DEALS, seed)
    rows = standings(balance, counted(balance))
    final = plan_final(balance, rows, FINALS)
    return balance, rows, final, standings(final, counted(final))


def counted(work: CountableWork) -> Tally:
    with TemporaryDirectory() as folder:
        tally = count_all(work, Path(folder), on_cores(None))
    assert tally is not None
    return tally


def page(figures: dict[str, Any]) -> str:
    """The text of docs/fairness.md."""
    words = {
        "short": "\n".join(_short(figures)),
        "sudden death": _sudden_death(figures.get("capture-square", {})),
        "games": "\n".join(line for name in figures for line in _game(name, figures[name])),
        "deals": f"{DEALS:,}",
        "finals": f"{FINALS:,}",
        "levels": ", ".join(map(str, LEVELS)),
        "seeds": ", ".join(map(str, SEEDS)),
    }
    text = STORY
    for name, value in words.items():
        text = text.replace("{{" + name + "}}", value)
    return text


def _short(figures: dict[str, Any]) -> list[str]:
    lines = [
        "| game | as written, levels 1 to 9 | perfect | recommended | levels 1 to 9 | perfect |",
        "|---" * 6 + "|",
    ]
    for name in figures:
        rows = {row["options"]: row for row in figures[name]["final"]["ranking"]}
        best = rows[figures[name]["recommended"]]
        title = pg.load(name).title
        lines.append(f"| [{title}](#{name}) | {_curve(rows[''])} | `{best['options']}` | {_curve(best)} |")
    return lines


def _curve(row: dict[str, Any]) -> str:
    shares = [f"{100 * share['share']:.0f}" for share in row["levels"].values()]
    return f"{', '.join(shares)} % | {whole_percent(row['perfect']['share'])}"


def _sudden_death(figures: dict[str, Any]) -> str:
    """How even the pie rule with Sudden Death begun by Player 2 is, level by level."""
    if "told" not in figures:
        return "It is close to even only up to about level 5."
    (row,) = figures["told"]
    parts = [f"{100 * share['share']:.0f} % at level {level}" for level, share in row["levels"].items()]
    text = f"With the pie rule on top, Player 1 wins {', '.join(parts)}: close to even only up to about level 5."
    return "\n  ".join(textwrap.wrap(text, 112))


def _game(name: str, figures: dict[str, Any]) -> list[str]:
    title, recommended = pg.load(name).title, figures["recommended_by_seed"]
    lines = [f"## {title}", "", f"![How often Player 1 wins {title}, by level](plots/balance-{name}.svg)", ""]
    lines += textwrap.wrap(_marked(figures["recommendation"]), 118, break_on_hyphens=False, break_long_words=False)
    if len(recommended) < len(SEEDS):
        lines += ["", f"Measured with {'one seed' if len(recommended) == 1 else f'{len(recommended)} seeds'} so far."]
    elif len(set(recommended)) > 1:
        others = ", ".join(f"seed {seed}: `{options}`" for seed, options in zip(SEEDS, recommended, strict=True))
        lines += ["", f"Seeds do not agree here: {others}."]
    return [*lines, ""]


def _marked(text: str) -> str:
    """Options of the command line set as code."""
    return re.sub(r"--(?:rule|komi) \S+?(?: --(?:rule|komi) \S+?)*(?=[:,.;]? |[:,.;]?$)", r"`\g<0>`", text)


if __name__ == "__main__":
    if "--page" not in sys.argv[1:]:
        FIGURES.write_text(json.dumps(measured(), indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(json.loads(FIGURES.read_text(encoding="utf-8"))), encoding="utf-8")

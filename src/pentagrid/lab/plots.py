"""Plots of a census and of a comparison of rules, as PNG, SVG or a page that needs nothing else. Extra "plot"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO, StringIO
from pathlib import Path
from typing import NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pentagrid.files import write_atomically
from pentagrid.lab.advice import whole
from pentagrid.lab.balance import EQUAL, STRONG, TOLERANCE, WEAK, Balance, Standing
from pentagrid.lab.census import Plan
from pentagrid.lab.summary import bins, percent, sampled, title
from pentagrid.lab.tally import MARGIN, TURNS, WINNER, Tally, interval, mean, number_of

FIRST, SECOND, EVEN = "#0072b2", "#d55e00", "#7f7f7f"
"""Player 1, Player 2 and neither: told apart by people with any colour vision (after Okabe and Ito)."""
MOST_BARS, MOST_ROWS = 40, 20
STYLE = {
    "font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left",
    "svg.hashsalt": "pentagrid", "svg.fonttype": "none", "font.family": "DejaVu Sans",
}  # fmt: skip
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
svg {{ width: 100%; height: auto; }} table {{ border-collapse: collapse; }}
th, td {{ padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #ddd; }}
th:first-child, td:first-child {{ text-align: left; }}</style></head>
<body><h1>{title}</h1><figure>{svg}</figure><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></body></html>
"""


class Plot(NamedTuple):
    """A figure, and the table that says the same."""

    figure: Figure
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def census_figure(plan: Plan, found: Tally) -> Plot:
    """Who wins how often, and by how much."""
    with matplotlib.rc_context(STYLE):
        figure = Figure((9, 4.6), layout="constrained")
        shares, spread = figure.subplots(2, 1, height_ratios=[1, 4])
        figure.suptitle(title(plan), x=0.01, ha="left", fontsize=11)
        _shares(shares, plan, found)
        rows = _margins(spread, found) if found.of(MARGIN) else _turns(spread, found)
    head = ("margin" if found.of(MARGIN) else "turns", "deals", "share")
    return Plot(figure, title(plan), head, [(value, f"{n:,}", percent(n / found.deals)) for value, n in rows])


def _shares(axes: Axes, plan: Plan, found: Tally) -> None:
    """A bar divided between the players."""
    first = found.of(WINNER)["1"] / found.deals
    axes.barh([0], [first], color=FIRST)
    axes.barh([0], [1 - first], left=[first], color=SECOND)
    axes.axvline(0.5, color="black", linewidth=1, linestyle=":")
    if sampled(plan):
        low, high = interval(found.of(WINNER)["1"], found.deals)
        axes.plot([low, high], [0, 0], color="black", linewidth=2, solid_capstyle="butt")
    axes.set(xlim=(0, 1), yticks=[], xticks=[])
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_title(f"Player 1 wins {percent(first)}", color=FIRST, fontsize=10)
    axes.set_title(f"Player 2 wins {percent(1 - first)}", color=SECOND, fontsize=10, loc="right")


def _margins(axes: Axes, found: Tally) -> list[tuple[str, int]]:
    rows = bins(found.of(MARGIN), MOST_BARS)
    middles = [sum(map(number_of, value.split(" to "))) / len(value.split(" to ")) for value, _ in rows]
    colours = [FIRST if middle > 0 else SECOND if middle < 0 else EVEN for middle in middles]
    _bars(axes, [value for value, _ in rows], [count for _, count in rows], colours, found.deals)
    axes.set_xlabel(f"margin: Player 1's score minus Player 2's ({mean(found.of(MARGIN)):.2f} on average)")
    return rows


def _turns(axes: Axes, found: Tally) -> list[tuple[str, int]]:
    counts: Mapping[str, int] = found.of(TURNS[1]) + found.of(TURNS[2])
    values = sorted(counts, key=number_of)
    second = [found.of(TURNS[2])[value] for value in values]
    _bars(axes, values, [counts[value] for value in values], [FIRST] * len(values), found.deals)
    axes.bar(range(len(values)), [count / found.deals for count in second], color=SECOND)
    axes.set_xlabel(f"turns to the end of the game ({mean(counts):.1f} on average)")
    return [(value, counts[value]) for value in values]


def _bars(axes: Axes, names: Sequence[str], counts: Sequence[int], colours: Sequence[str], deals: int) -> None:
    axes.bar(range(len(names)), [count / deals for count in counts], color=colours)
    crowded = len(names) > 14
    axes.set_xticks(range(len(names)), names, rotation=90 if crowded else 0, fontsize=8 if crowded else 10)
    axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
    axes.set_ylabel("share of deals")


def balance_figure(balance: Balance, rows: Sequence[Standing]) -> Plot:
    """Each way to play: Player 1's share under perfect play and between equal players, and how much skill decides."""
    shown = [row for rank, row in enumerate(rows) if rank < MOST_ROWS or not row.variant.options]
    names = [row.variant.name for row in shown]
    places = range(len(shown))
    heading = f"{rows[0].variant.game.title}: {len(rows)} ways to play it, the most even first"
    with matplotlib.rc_context(STYLE):
        figure = Figure((10, 1.6 + 0.3 * len(shown)), layout="constrained")
        even, skill = figure.subplots(1, 2, width_ratios=[3, 1], sharey=True)
        figure.suptitle(heading, x=0.01, ha="left", fontsize=11)
        even.axvspan(0.5 - TOLERANCE, 0.5 + TOLERANCE, color="#e8e8e8", zorder=0)
        even.axvline(0.5, color="black", linewidth=1, linestyle=":")
        even.hlines(places, [row.perfect for row in shown], [row.equal for row in shown], color="#bbbbbb")
        even.scatter([row.perfect for row in shown], places, color=FIRST, marker="D", label="perfect play", zorder=3)
        even.scatter([row.equal for row in shown], places, color=SECOND, label=f"{EQUAL} against itself", zorder=3)
        even.set_yticks(places, names, fontsize=9)
        even.set(xlim=(-0.03, 1.03), xlabel="share of games that Player 1 wins")
        even.invert_yaxis()
        even.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, fontsize=9)
        skill.barh(places, [row.skill - 0.5 for row in shown], left=0.5, color="#009e73", height=0.6)
        skill.set(xlim=(0.5, 1), xlabel=f"{STRONG} beats {WEAK}")
        skill.tick_params(left=False)
        for axes in (even, skill):
            axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
    head = ("options", "perfect play", EQUAL, f"{STRONG} beats {WEAK}", "turns")
    return Plot(figure, heading, head, [
        (row.variant.name, whole(row.perfect), whole(row.equal), whole(row.skill), f"{row.turns:.1f}")
        for row in rows
    ])  # fmt: skip


def save(plot: Plot, path: Path) -> None:
    """Draw a plot in a file, whole or not at all; what kind of file, its name says."""
    if path.suffix.lower() == ".png":
        picture = BytesIO()
        plot.figure.savefig(picture, format="png", dpi=150)
        write_atomically(path, picture.getvalue())
        return
    drawn = StringIO()
    with matplotlib.rc_context(STYLE):
        plot.figure.savefig(drawn, format="svg", metadata={"Date": None, "Title": plot.title})
    svg = drawn.getvalue()
    write_atomically(path, svg if path.suffix.lower() == ".svg" else _page(plot, svg[svg.index("<svg") :]))


def _page(plot: Plot, svg: str) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in plot.head)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in plot.rows)
    return PAGE.format(title=escape(plot.title), svg=svg, head=head, rows=rows)

"""Plots of a census and of a comparison of rules, as PNG, SVG or an HTML page by itself. Needs the extra "plot"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pentagrid.core.speech import player_names
from pentagrid.errors import OptionError
from pentagrid.fairness.balance import LEVELS, STRONG, TOLERANCE, WEAK, Balance, Share, Standing
from pentagrid.fairness.census import CensusPlan
from pentagrid.fairness.recommendation import whole_percent
from pentagrid.fairness.summary import (
    bins,
    census_title,
    distribution,
    measure_lines,
    percent,
    share_interval,
    unit,
    win_lines,
)
from pentagrid.fairness.tally import MARGIN, TURNS, WINNER, Tally, in_order, number_of
from pentagrid.util.files import write_atomically

FIRST, SECOND, EVEN = "#0072b2", "#d55e00", "#7f7f7f"
"""Seat 1, seat 2 and neither, in colors that people with any color vision can tell apart (after Okabe and Ito)."""
CURVES = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""One color for each way to play, after the same authors."""
PERFECT_PLACE = 11
"""Where perfect play stands on the axis of levels."""
MOST_BARS = 40
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
<body><h1>{title}</h1><figure>{svg}</figure>{notes}
<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></body></html>
"""


class Plot(NamedTuple):
    """A figure, and the table that says the same."""

    figure: Figure
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    """Lines that a page has besides."""


def census_plot(plan: CensusPlan, tally: Tally) -> Plot:
    """Who wins how often, and by how much or how soon."""
    heading, _ = distribution(plan, tally)
    title = census_title(plan)
    with matplotlib.rc_context(STYLE):
        figure = Figure((9, 4.8), layout="constrained")
        shares, below = figure.subplots(2, 1, height_ratios=[1, 5])
        figure.suptitle(title, x=0.01, ha="left", fontsize=11)
        _draw_shares(shares, plan, tally)
        rows = _draw_margins(below, plan, tally) if tally.of(MARGIN) else _draw_turns(below, plan, tally)
        below.set(xlabel=heading, ylabel=f"share of {unit(plan)}s")
        below.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
        if rows:
            below.legend(frameon=False)
    head = (heading.split(" ")[0].lower(), f"{unit(plan)}s", "share")
    cells = [(value, f"{count:,}", percent(count / tally.deals)) for value, count in rows]
    return Plot(figure, title, head, cells, [*win_lines(plan, tally), *measure_lines(plan, tally)])


def _draw_shares(axes: Axes, plan: CensusPlan, tally: Tally) -> None:
    """A bar divided between the players."""
    one, two = player_names(plan.game)
    first, second = (tally.of(WINNER)[seat] / tally.deals for seat in "12")
    axes.barh([0], [1], color=EVEN)  # what nobody knows
    axes.barh([0], [first], color=FIRST)
    axes.barh([0], [second], left=[1 - second], color=SECOND)
    axes.axvline(0.5, color="black", linewidth=1, linestyle=":")
    low, high = share_interval(plan, tally, 1)
    if low < high:
        axes.plot([low, high], [0, 0], color="black", linewidth=2, solid_capstyle="butt")
    axes.set(xlim=(0, 1), yticks=[], xticks=[])
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_title(f"{one} wins {percent(first)}", color=FIRST, fontsize=10)
    axes.set_title(f"{two} wins {percent(second)}", color=SECOND, fontsize=10, loc="right")


def _draw_margins(axes: Axes, plan: CensusPlan, tally: Tally) -> list[tuple[str, int]]:
    """A bar for each margin, and the rows they show."""
    one, two = player_names(plan.game)
    rows = bins(tally.of(MARGIN), MOST_BARS)
    parts: list[tuple[str, str, Callable[[float], bool]]] = [
        (f"in front: {one}", FIRST, lambda margin: margin > 0),
        (two, SECOND, lambda margin: margin < 0),
        ("nobody (the tie-break decides)", EVEN, lambda margin: margin == 0),
    ]
    for name, color, holds in parts:
        counts = [count if holds(_middle(value)) else 0 for value, count in rows]
        if any(counts):
            _draw_bars(axes, [value for value, _ in rows], counts, color, tally.deals, name)
    return rows


def _middle(value: str) -> float:
    ends = [number_of(end) for end in value.split(" to ")]
    return sum(ends) / len(ends)


def _draw_turns(axes: Axes, plan: CensusPlan, tally: Tally) -> list[tuple[str, int]]:
    """A bar for each number of turns, divided between the players, and the rows they show."""
    rows = in_order(tally.of(TURNS[1]) + tally.of(TURNS[2]))
    for seat, name, color in zip((1, 2), player_names(plan.game), (FIRST, SECOND), strict=True):
        won = [count if seat == 1 else tally.of(TURNS[2])[value] for value, count in rows]  # 2 is drawn over 1
        if tally.of(TURNS[seat]):
            _draw_bars(axes, [value for value, _ in rows], won, color, tally.deals, f"{name} wins")
    return rows


def _draw_bars(axes: Axes, names: Sequence[str], counts: Sequence[int], color: str, deals: int, label: str) -> None:
    """Bars at their numbers, or one after the other where a bar stands for a range of numbers."""
    ranges = any(" to " in name for name in names)
    places = [float(place) if ranges else number_of(name) for place, name in enumerate(names)]
    width = 0.8 * min((b - a for a, b in pairwise(places)), default=1.0)
    axes.bar(places, [count / deals for count in counts], width, color=color, label=label)
    crowded = len(names) > 14
    axes.set_xticks(places, names, rotation=90 if crowded else 0, fontsize=8 if crowded else 10)
    axes.set_xlim(places[0] - max(1.0, 2 * width), places[-1] + max(1.0, 2 * width))


def balance_plot(balance: Balance, rows: Sequence[Standing]) -> Plot:
    """Each way to play as a curve: the share of seat 1 between equal players, by their level and when perfect."""
    game = rows[0].variant.game
    heading = f"{game.title}: how often {player_names(game)[0]} wins between equal players"
    places = [*LEVELS, PERFECT_PLACE]
    with matplotlib.rc_context(STYLE):
        figure = Figure((9, 4.8), layout="constrained")
        axes = figure.subplots()
        axes.set_title(heading, fontsize=11)
        axes.axhspan(0.5 - TOLERANCE, 0.5 + TOLERANCE, color="#ececec", zorder=0)
        axes.axhline(0.5, color="black", linewidth=1, linestyle=":")
        for number, row in enumerate(rows):
            color = "black" if not row.variant.options else CURVES[number % len(CURVES)]
            shares = [*row.levels, row.perfect]
            shift = 0.06 * (number - len(rows) / 2)  # so that intervals do not hide each other
            where = [place + shift for place in places]
            heights = [share.share for share in shares]
            around = [[share.share - share.low for share in shares], [share.high - share.share for share in shares]]
            width = 1.6 if row.variant.options else 2.4
            curve, end = ([side[:-1] for side in around], [side[-1:] for side in around])
            axes.errorbar(where[:-1], heights[:-1], curve, color=color, marker=".", lw=width, label=row.variant.name)
            axes.errorbar(where[-1:], heights[-1:], end, color=color, marker="D")
        axes.set(ylim=(-0.03, 1.03), xlabel="level of both players")
        axes.set_xticks(places, [*map(str, LEVELS), "perfect"])
        axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
        figure.legend(loc="outside lower left", ncols=2, frameon=False, fontsize=9)
    head = ("options", *(f"level {level}" for level in LEVELS), "perfect play", f"{STRONG} beats {WEAK}", "turns")
    shown = [
        (row.variant.name, *(_with_interval(share) for share in (*row.levels, row.perfect)), whole_percent(row.skill),
         f"{row.turns:.1f}")
        for row in rows
    ]  # fmt: skip
    note = f"{balance.deals:,} deals each; lines are 95 % intervals; gray is 45 to 55 %."
    return Plot(figure, heading, head, shown, [note])


def _with_interval(share: Share) -> str:
    if share.exact:
        return whole_percent(share.share)
    return f"{100 * share.share:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"


def save_plot(plot: Plot, path: Path) -> None:
    """Write a plot to a .png, .svg or .html file, whole or not at all. Raises `OptionError`."""
    suffix = path.suffix.lower()
    if suffix == ".html":
        plot.figure.suptitle("")  # the page has it as its heading
    drawn = BytesIO()
    with matplotlib.rc_context(STYLE):
        if suffix == ".png":
            plot.figure.savefig(drawn, format="png", dpi=150)
        else:
            plot.figure.savefig(drawn, format="svg", metadata={"Date": None, "Title": plot.title})
    content: str | bytes = drawn.getvalue()
    if suffix == ".html":
        svg = drawn.getvalue().decode()
        content = _plot_page(plot, svg[svg.index("<svg") :])
    try:
        write_atomically(path, content)
    except OSError as error:
        raise OptionError(f"{path} cannot be written: {error.strerror}.") from None


def _plot_page(plot: Plot, svg: str) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in plot.head)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in plot.rows)
    notes = "<pre>" + escape("\n".join(plot.notes)) + "</pre>" if plot.notes else ""
    return PAGE.format(title=escape(plot.title), svg=svg, head=head, rows=rows, notes=notes)

"""Charts as SVG, written by hand: they need no script, scale with the page and use its colors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import floor, log10

from pentagrid.arena.ratings import Rating

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#8c6bb1", "#7f7f7f")
"""Colors that people with any color vision can tell apart (after Okabe and Ito)."""

ROW, LEFT, RIGHT, WIDTH = 30, 150, 150, 720


def player_color(number: int) -> str:
    """The color of a player, by their number in the plan."""
    return COLORS[number % len(COLORS)]


def ticks(low: float, high: float, wanted: int = 6) -> list[float]:
    """About so many round numbers from `low` to `high`."""
    span = (high - low) or 1.0
    step = 10 ** floor(log10(span / wanted))
    step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= wanted)
    first = floor(low / step)
    return [number * step for number in range(first, floor(high / step) + 2)]


def ratings_chart(players: Sequence[tuple[str, Rating]], colors: Mapping[str, str]) -> str:
    """Each player's rating as a dot with its interval."""
    marks = ticks(min(one.low for _, one in players), max(one.high for _, one in players))
    low, high = marks[0], marks[-1]
    height = ROW * len(players) + 44
    body = []

    def x(elo: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (elo - low) / ((high - low) or 1)

    for mark in marks:
        body.append(_line(x(mark), 4, x(mark), height - 40, "rule"))
        body.append(_text(x(mark), height - 24, f"{mark:+.0f}" if mark else "0", "tick middle"))
    body.append(_text((LEFT + WIDTH - RIGHT) / 2, height - 5, "Elo, mean 0", "tick middle"))
    for i, (name, one) in enumerate(players):
        y = ROW * i + 20
        body.append(_text(LEFT - 12, y + 4, _short(name), "name end"))
        body.append(f'<line x1="{x(one.low):.1f}" y1="{y}" x2="{x(one.high):.1f}" y2="{y}" '
                    f'stroke="{colors[name]}" stroke-width="3" stroke-linecap="round" opacity=".45"/>')  # fmt: skip
        body.append(f'<circle cx="{x(one.elo):.1f}" cy="{y}" r="5" fill="{colors[name]}"/>')
        label = f"{one.elo:+.0f}  [{one.low:+.0f}, {one.high:+.0f}]"
        body.append(_text(WIDTH - RIGHT + 14, y + 4, label, "value"))
    return _svg(WIDTH, height, "Ratings with 95 % intervals", body)


def regret_chart(lines: Mapping[str, Sequence[tuple[int, float]]], colors: Mapping[str, str], unit: str) -> str:
    """The average regret of each player at each move number."""
    width, height, left, bottom, top = 460, 230, 46, 40, 14
    points = [point for line in lines.values() for point in line]
    last = max((number for number, _ in points), default=1)
    marks = ticks(0, max((value for _, value in points), default=0) or 1, 5)
    body = []

    def x(number: float) -> float:
        return left + (width - left - 14) * (number - 1) / max(last - 1, 1)

    def y(value: float) -> float:
        return height - bottom - (height - bottom - top) * value / marks[-1]

    for mark in marks:
        body.append(_line(left, y(mark), width - 10, y(mark), "rule"))
        body.append(_text(left - 7, y(mark) + 4, f"{mark:g}", "tick end"))
    every = max(1, -(-last // 12))
    for number in range(1, last + 1, every):
        body.append(_text(x(number), height - bottom + 17, str(number), "tick middle"))
    body.append(_text((left + width) / 2, height - 6, f"move number (regret in {unit})", "tick middle"))
    for name, line in lines.items():
        path = " ".join(f"{x(number):.1f},{y(value):.1f}" for number, value in line)
        body.append(f'<polyline points="{path}" fill="none" stroke="{colors[name]}" stroke-width="2"/>')
        body += [
            f'<circle cx="{x(number):.1f}" cy="{y(value):.1f}" r="2.8" fill="{colors[name]}">'
            f"<title>{escape(name)}, move {number}: {value:.3g}</title></circle>"
            for number, value in line
        ]
    return _svg(width, height, "Average regret by move number", body)


def _short(name: str, limit: int = 18) -> str:
    return name if len(name) <= limit else name[: limit - 1] + "…"


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{style}"/>'


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}">{escape(text)}</text>'


def _svg(width: int, height: int, title: str, body: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}</title>{"".join(body)}</svg>'
    )

"""What a census found, in words and figures."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from io import StringIO
from math import ceil, floor

from pentagrid.analysis.komi import chosen_rules
from pentagrid.core.speech import player_names
from pentagrid.fairness.census import CensusPlan
from pentagrid.fairness.tally import (
    GREEDY,
    MARGIN,
    MATTERED,
    RIGHTFUL,
    TURNS,
    UNKNOWN,
    WINNER,
    WINNING,
    Tally,
    in_order,
    interval,
    mean,
    number_of,
)

MOST_ROWS = 24
"""Rows of a histogram on a terminal."""
BAR_WIDTH = 32
BLOCKS, PLAIN = " ▏▎▍▌▋▊▉█", " #"
"""The letters of a bar, from nothing to a full one: with eighths, and in plain ASCII."""


def census_title(plan: CensusPlan) -> str:
    """What was counted, in a line."""
    game = plan.game
    rules = "".join(f", {name}={value}" for name, value in chosen_rules(game, plan.fair).items())
    moves = f" of {_many(plan.deals.opening, 'move')}" if plan.deals.opening else ""
    if plan.everything:
        which = "the empty board" if plan.total == 1 else f"all {_many(plan.total, unit(plan))}{moves}"
    else:
        which = _many(plan.total, f"random {unit(plan)}" if game.has_numbers or moves else unit(plan)) + moves
    how = "under perfect play" if plan.players is None else f"played by {plan.players[0]} against {plan.players[1]}"
    return f"{game.title} {game.size}x{game.size}{rules}: {which} {how}"


def unit(plan: CensusPlan) -> str:
    """What is counted: deals, openings where there is a single deal, or just games."""
    return "deal" if plan.game.has_numbers else "opening" if plan.deals.opening else "game"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def percent(share: float) -> str:
    """A share in percent, with more digits where it is close to 0 or to 1."""
    near = min(share, 1 - share)
    digits = 1 if near >= 0.01 or near == 0 else 2 if near >= 0.001 else 4
    return f"{100 * share:.{digits}f} %"


def summary_lines(plan: CensusPlan, tally: Tally, blocks: str = BLOCKS) -> list[str]:
    """The summary for a terminal; bars are drawn with these letters."""
    parts = [win_lines(plan, tally), _histogram_lines(plan, tally, blocks), measure_lines(plan, tally)]
    body = [line for part in parts for line in ("", *part)]
    return [census_title(plan), *(f"  {line}".rstrip() for line in body)]


def win_lines(plan: CensusPlan, tally: Tally) -> list[str]:
    """How often each player wins, a line for each."""
    lines = []
    for seat, name in enumerate(player_names(plan.game), 1):
        wins = tally.of(WINNER)[str(seat)]
        line = f"{name} wins {wins:>15,}   {percent(wins / tally.deals):>9}"
        lines.append(line + _trust(plan, tally, seat))
    if unknown := tally.of(WINNER)[UNKNOWN]:
        lines.append(f"{'Not known':<{len(name) + 5}} {unknown:>15,}   {percent(unknown / tally.deals):>9}")
    return lines


def _trust(plan: CensusPlan, tally: Tally, seat: int) -> str:
    """How far to trust a player's share of wins: nothing to say where all deals were counted."""
    if not plan.sampled:
        return ""
    low, high = share_interval(plan, tally, seat)
    if plan.proven is None:
        return f"   95 % interval: {percent(low)} to {percent(high)}"
    return f"   proved: {percent(low)} of all deals" + (" by the toss" if 0 < low < 1 else "")


def share_interval(plan: CensusPlan, tally: Tally, seat: int) -> tuple[float, float]:
    """The 95 % interval of a player's share of wins; where the share is counted or proved, the share twice.

    Deals of which nobody knows who wins may be either player's.
    """
    wins = tally.of(WINNER)[str(seat)]
    most = wins + tally.of(WINNER)[UNKNOWN]
    if not plan.sampled:
        return wins / tally.deals, most / tally.deals
    if plan.proven is not None:
        share = plan.proven if seat == 1 else 1 - plan.proven
        return share, share
    return interval(wins, tally.deals)[0], interval(most, tally.deals)[1]


def turn_counts(tally: Tally) -> dict[str, int]:
    """How many games took how many turns."""
    return dict(in_order(tally.of(TURNS[1]) + tally.of(TURNS[2])))


def bins(counts: Mapping[str, int], most: int = MOST_ROWS) -> list[tuple[str, int]]:
    """Values and how often they came; where there are too many, ranges of equal width."""
    rows = in_order(counts)
    if len(rows) <= most:
        return rows
    low, high = number_of(rows[0][0]), number_of(rows[-1][0])
    width = ceil((high - low + 1) / (most - 1))
    low = width * floor(low / width)  # so that a range begins at 0
    sums = [0] * (int((high - low) // width) + 1)
    for value, count in rows:
        sums[int((number_of(value) - low) // width)] += count
    return [(f"{low + i * width:g} to {low + (i + 1) * width - 1:g}", count) for i, count in enumerate(sums)]


def distribution(plan: CensusPlan, tally: Tally) -> tuple[str, Mapping[str, int]]:
    """How the deals differ: by margin, or in a game without points by length. A heading, and the counts."""
    if tally.of(MARGIN):
        counts: Mapping[str, int] = tally.of(MARGIN)
        one, two = player_names(plan.game)
        komi = ", komi counted" if "komi" in chosen_rules(plan.game, plan.fair) else ""
        return f"Margin ({one}'s score minus {two}'s{komi}), {mean(counts):.2f} on average", counts
    counts = turn_counts(tally)
    return f"Turns to the end of the game, {mean(counts):.1f} on average", counts


def _histogram_lines(plan: CensusPlan, tally: Tally, blocks: str) -> list[str]:
    heading, counts = distribution(plan, tally)
    if not counts:
        return ["When the games end is not known."]
    rows = bins(counts)
    most, width = max(count for _, count in rows), max(len(value) for value, _ in rows)
    lines = [f"{heading}:"]
    for value, count in rows:
        share = f"{percent(count / tally.deals):>9}"
        lines.append(f"{value:>{max(width, 4)}} {count:>15,}   {share}  {_bar(count / most, blocks)}")
    return lines


def _bar(share: float, blocks: str) -> str:
    parts = len(blocks) - 1
    filled = max(round(share * BAR_WIDTH * parts), 1 if share else 0)
    return blocks[-1] * (filled // parts) + blocks[filled % parts].strip()


def measure_lines(plan: CensusPlan, tally: Tally) -> list[str]:
    """The other figures, a line for each."""
    lines = []
    if tally.of(WINNING):
        moves = len(plan.deals.start(0).actions())
        known = UNKNOWN not in tally.of(WINNING)
        average = f"{mean(tally.of(WINNING)):.2f} of {moves} on average" if known else "not known on this board"
        best = f"{percent(mean(tally.of(GREEDY)))} of {unit(plan)}s" if known else "not known on this board"
        lines.append(f"Winning first moves          {average}")
        lines.append(f"Greedy move is best          {best}")
    if tally.of(RIGHTFUL):
        yes, judged = tally.of(RIGHTFUL)["yes"], tally.of(RIGHTFUL).total()
        share = f"{percent(yes / judged)} of games"
        if judged < tally.deals:
            share = f"{yes:,} of the {judged:,} games where that is known"
        lines.append(f"Won by who should win        {share}")
    judged = sum(turn_counts(tally).values()) or tally.deals
    where = f" of the {judged:,} {unit(plan)}s where that is known" if judged < tally.deals else ""
    for rule, count in tally.of(MATTERED).items():
        verb = "mattered" if plan.players is None else "came up"
        name = rule[0].upper() + rule[1:]
        lines.append(f"{name + (' ' + verb if 'decided' not in rule else ''):<28} {percent(count / judged)}{where}")
    return lines


def summary_data(plan: CensusPlan, tally: Tally) -> dict[str, object]:
    """The summary as plain data, with all counts."""
    shares = {}
    for seat in (1, 2):
        wins = tally.of(WINNER)[str(seat)]
        low, high = share_interval(plan, tally, seat)
        shares[str(seat)] = {"wins": wins, "share": wins / tally.deals, "low": low, "high": high}
    turns = turn_counts(tally)
    known = bool(tally.of(WINNING)) and UNKNOWN not in tally.of(WINNING)
    return {
        **plan.data(),
        "players_win": shares,
        "proved": plan.proven is not None,
        "mean_margin": mean(tally.of(MARGIN)) if tally.of(MARGIN) else None,
        "mean_turns": mean(turns) if turns else None,
        "mean_winning_first_moves": mean(tally.of(WINNING)) if known else None,
        "greedy_move_best": mean(tally.of(GREEDY)) if known else None,
        "counts": tally.data(),
    }


def summary_csv(tally: Tally) -> str:
    """All counts as comma-separated values: a line for each value of each measure."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["measure", "value", "deals", "share"])
    for measure, counts in tally.data().items():
        for value, count in counts.items():
            writer.writerow([measure, value, count, f"{count / tally.deals:.9g}"])
    return text.getvalue()

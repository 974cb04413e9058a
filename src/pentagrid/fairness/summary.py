"""What a census found, in words and figures."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from io import StringIO
from math import ceil, floor

from pentagrid.analysis.komi import chosen_rules
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
BAR = 32
BLOCKS, PLAIN = " ▏▎▍▌▋▊▉█", " #"


def title(plan: CensusPlan) -> str:
    """What was looked at, in a line."""
    game = plan.game
    told = "".join(f", {name}={value}" for name, value in chosen_rules(game, plan.fair).items())
    moves = f" of {_many(plan.deals.opening, 'move')}" if plan.deals.opening else ""
    if plan.everything:
        which = "the empty board" if plan.total == 1 else f"all {_many(plan.total, unit(plan))}{moves}"
    else:
        which = _many(plan.total, f"random {unit(plan)}" if game.has_numbers or moves else unit(plan)) + moves
    how = "under perfect play" if plan.players is None else f"played by {plan.players[0]} against {plan.players[1]}"
    return f"{game.title} {game.size}x{game.size}{told}: {which} {how}"


def unit(plan: CensusPlan) -> str:
    """What is counted: deals, openings where there is but one deal, or just games."""
    return "deal" if plan.game.has_numbers else "opening" if plan.deals.opening else "game"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def percent(share: float) -> str:
    """A share, with more digits where it is close to nothing or to everything."""
    near = min(share, 1 - share)
    digits = 1 if near >= 0.01 or near == 0 else 2 if near >= 0.001 else 4
    return f"{100 * share:.{digits}f} %"


def told(plan: CensusPlan, found: Tally, blocks: str = BLOCKS) -> list[str]:
    """The summary for a terminal; bars are drawn with these blocks, from nothing to a full one."""
    lines = [title(plan), "", *wins(plan, found), "", *_histogram(plan, found, blocks), "", *measures(plan, found)]
    return [f"  {line}".rstrip() if number else line for number, line in enumerate(lines)]


def wins(plan: CensusPlan, found: Tally) -> list[str]:
    """Who wins how often."""
    lines = []
    for player in (1, 2):
        won = found.of(WINNER)[str(player)]
        line = f"Player {player} wins {won:>15,}   {percent(won / found.deals):>9}"
        if plan.sampled:
            low, high = interval(won, found.deals)
            line += f"   95 % interval: {percent(low)} to {percent(high)}"
        lines.append(line)
    return lines


def turns_of(found: Tally) -> dict[str, int]:
    """How many games took how many turns."""
    return dict(in_order(found.of(TURNS[1]) + found.of(TURNS[2])))


def bins(counts: Mapping[str, int], most: int = MOST_ROWS) -> list[tuple[str, int]]:
    """Values and how often they came; where they are too many, ranges of equal width."""
    found = in_order(counts)
    if len(found) <= most:
        return found
    low, high = number_of(found[0][0]), number_of(found[-1][0])
    width = ceil((high - low + 1) / (most - 1))
    low = width * floor(low / width)  # so that a range begins at 0
    sums = [0] * (int((high - low) // width) + 1)
    for value, count in found:
        sums[int((number_of(value) - low) // width)] += count
    return [(f"{low + i * width:g} to {low + (i + 1) * width - 1:g}", count) for i, count in enumerate(sums)]


def spread(plan: CensusPlan, found: Tally) -> tuple[str, Mapping[str, int]]:
    """How the deals differ: by margin, or in a game without points by length. What it is, and the counts."""
    if found.of(MARGIN):
        counts: Mapping[str, int] = found.of(MARGIN)
        komi = ", komi counted" if "komi" in chosen_rules(plan.game, plan.fair) else ""
        return f"Margin (Player 1's score minus Player 2's{komi}), {mean(counts):.2f} on average", counts
    counts = turns_of(found)
    return f"Turns to the end of the game, {mean(counts):.1f} on average", counts


def _histogram(plan: CensusPlan, found: Tally, blocks: str) -> list[str]:
    heading, counts = spread(plan, found)
    rows = bins(counts)
    most, width = max(count for _, count in rows), max(len(value) for value, _ in rows)
    lines = [f"{heading}:"]
    for value, count in rows:
        share = f"{percent(count / found.deals):>9}"
        lines.append(f"{value:>{max(width, 4)}} {count:>15,}   {share}  {_bar(count / most, blocks)}")
    return lines


def _bar(share: float, blocks: str) -> str:
    parts = len(blocks) - 1
    filled = max(round(share * BAR * parts), 1 if share else 0)
    return blocks[-1] * (filled // parts) + blocks[filled % parts].strip()


def measures(plan: CensusPlan, found: Tally) -> list[str]:
    """The other figures, a line for each."""
    lines = []
    if found.of(WINNING):
        moves = len(plan.deals.start(0).actions())
        known = UNKNOWN not in found.of(WINNING)
        average = f"{mean(found.of(WINNING)):.2f} of {moves} on average" if known else "not known on this board"
        best = f"{percent(mean(found.of(GREEDY)))} of {unit(plan)}s" if known else "not known on this board"
        lines.append(f"Winning first moves          {average}")
        lines.append(f"Greedy move is best          {best}")
    if found.of(RIGHTFUL):
        yes, judged = found.of(RIGHTFUL)["yes"], found.of(RIGHTFUL).total()
        share = f"{percent(yes / judged)} of games"
        if judged < found.deals:
            share = f"{yes:,} of the {judged:,} games where that is known"
        lines.append(f"Won by who should win        {share}")
    for rule, count in found.of(MATTERED).items():
        verb = "mattered" if plan.players is None else "came up"
        name = rule[0].upper() + rule[1:]
        lines.append(f"{name + (' ' + verb if 'decided' not in rule else ''):<28} {percent(count / found.deals)}")
    return lines


def as_json(plan: CensusPlan, found: Tally) -> dict[str, object]:
    """The same as data, with all counts."""
    shares = {}
    for player in (1, 2):
        wins = found.of(WINNER)[str(player)]
        low, high = interval(wins, found.deals) if plan.sampled else (wins / found.deals,) * 2
        shares[str(player)] = {"wins": wins, "share": wins / found.deals, "low": low, "high": high}
    turns = turns_of(found)
    known = bool(found.of(WINNING)) and UNKNOWN not in found.of(WINNING)
    return {
        **plan.described(),
        "players_win": shares,
        "mean_margin": mean(found.of(MARGIN)) if found.of(MARGIN) else None,
        "mean_turns": mean(turns) if turns else None,
        "mean_winning_first_moves": mean(found.of(WINNING)) if known else None,
        "greedy_move_best": mean(found.of(GREEDY)) if known else None,
        "counts": found.as_json(),
    }


def as_csv(found: Tally) -> str:
    """All counts as a table: a line for each value of each measure."""
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["measure", "value", "deals", "share"])
    for measure, counts in found.as_json().items():
        for value, count in counts.items():
            table.writerow([measure, value, count, f"{count / found.deals:.9g}"])
    return text.getvalue()

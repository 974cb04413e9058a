"""Ratings by maximum likelihood (Bradley–Terry, on the Elo scale), with intervals by bootstrap over deals.

The one who sits as Player 1 wins with the probability 1 / (1 + exp(-(r1 - r2 + h))): r is a player's strength and h
what the first seat of a game is worth. A weak normal prior keeps those finite who have won or lost everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ELO = 400 / np.log(10)
PRIOR = 520 / ELO
"""The standard deviation of the prior: 520 Elo."""
SAMPLES = 500
STEPS = 50

Numbers = NDArray[np.float64]


class Result(NamedTuple):
    """One game, for the ratings."""

    one: str
    two: str
    game: str
    deal: int
    won: bool
    """Did Player 1 win?"""


class Rating(NamedTuple):
    """A player's strength on the Elo scale, 0 being the mean of all, with a 95 % interval."""

    elo: float
    low: float
    high: float


def rate(results: Sequence[Result], players: Sequence[str], seed: int = 0, samples: int = SAMPLES) -> dict[str, Rating]:
    """The rating of each player. Deals, with all games on them, are what is drawn again for the intervals."""
    games = sorted({result.game for result in results})
    design, played, won, blocks = _tables(results, players, games)
    chance = np.random.default_rng(seed)
    weights = np.zeros((samples + 1, len(played)))
    weights[0] = 1
    for block in blocks:
        weights[1:, block] = chance.multinomial(len(block), np.full(len(block), 1 / len(block)), samples)
    strengths = _fit(design, weights @ played, weights @ won)[:, : len(players)] * ELO
    strengths -= strengths.mean(axis=1, keepdims=True)
    low, high = np.percentile(strengths[1:], (2.5, 97.5), axis=0)
    return {name: Rating(float(strengths[0, i]), float(low[i]), float(high[i])) for i, name in enumerate(players)}


def _tables(
    results: Sequence[Result], players: Sequence[str], games: Sequence[str]
) -> tuple[Numbers, Numbers, Numbers, list[NDArray[np.intp]]]:
    """The kinds of meeting (rows of the design), and for each deal how many there were of each and how many won."""
    seat = {name: i for i, name in enumerate(players)}
    kinds = sorted({(result.one, result.two, result.game) for result in results})
    deals = sorted({(result.game, result.deal) for result in results})
    kind_at, deal_at = {kind: i for i, kind in enumerate(kinds)}, {deal: i for i, deal in enumerate(deals)}
    design = np.zeros((len(kinds), len(players) + len(games)))
    for i, (one, two, game) in enumerate(kinds):
        design[i, seat[one]] += 1
        design[i, seat[two]] -= 1
        design[i, len(players) + games.index(game)] = 1
    played, won = np.zeros((2, len(deals), len(kinds)))
    for result in results:
        where = deal_at[result.game, result.deal], kind_at[result.one, result.two, result.game]
        played[where] += 1
        won[where] += result.won
    blocks = [np.flatnonzero([deal[0] == game for deal in deals]) for game in games]
    return design, played, won, blocks


def _fit(design: Numbers, played: Numbers, won: Numbers) -> Numbers:
    """Newton's method, for all samples at once: rows of `played` and `won` are samples."""
    count = design.shape[1]
    ridge = np.eye(count) / PRIOR**2
    found = np.zeros((len(played), count))
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-(found @ design.T)))
        slope = (won - played * chance) @ design - found / PRIOR**2
        bend = np.einsum("sk,ki,kj->sij", played * chance * (1 - chance), design, design) + ridge
        step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
        found += np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-8:
            break
    return found

"""Ratings by maximum likelihood (Bradley–Terry, on the Elo scale), with intervals by bootstrap over deals.

Seat 1 wins with the probability 1 / (1 + exp(-(r1 - r2 + h))): r is a player's strength and h the advantage of the
first seat in a game. A weak normal prior keeps ratings finite for players who have won or lost everything.

A bootstrap of games that all ended alike would have no width. So each pair is given one deal more, half of it swept by
the one and half by the other (for a single pair that is Jeffreys' prior, counted in deals). In the samples these halves
have random weights, and the normal prior lies around a random center. Where the games leave a rating open on one side,
it is the priors that end the interval there.
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
"""Bootstrap samples."""
STEPS = 50
"""The most steps of Newton's method."""

Numbers = NDArray[np.float64]


class RatedGame(NamedTuple):
    """One game, for the ratings."""

    one: str
    """The player in seat 1."""
    two: str
    """The player in seat 2."""
    game: str
    deal: int
    won: bool
    """True if seat 1 won."""


class Rating(NamedTuple):
    """A player's strength on the Elo scale, 0 being the mean of all, with a 95 % interval."""

    elo: float
    low: float
    high: float


def rate_players(
    results: Sequence[RatedGame], players: Sequence[str], seed: int = 0, samples: int = SAMPLES
) -> dict[str, Rating]:
    """The rating of each player. For the intervals deals are drawn again, each with all games on it."""
    games = sorted({result.game for result in results})
    design, played, won, blocks = _matrices(results, players, games)
    rng = np.random.default_rng(seed)
    weights = np.zeros((samples + 1, len(played)))
    weights[0] = 1
    for block in blocks:
        weights[1:, block] = rng.multinomial(len(block), np.full(len(block), 1 / len(block)), samples)
    swept_played, swept_won = _sweeps(results)
    share = 0.5 / len(games)
    swept = np.full((samples + 1, len(swept_played)), share)
    swept[1:] = rng.gamma(share, 1.0, swept[1:].shape)
    centers = np.zeros((samples + 1, design.shape[1]))
    centers[1:] = rng.normal(0, PRIOR, centers[1:].shape)
    counted = weights @ played + swept @ swept_played, weights @ won + swept @ swept_won
    strengths = _fit(design, *counted, centers)[:, : len(players)] * ELO
    strengths -= strengths.mean(axis=1, keepdims=True)
    low, high = np.percentile(strengths[1:], (2.5, 97.5), axis=0)
    return {name: Rating(float(strengths[0, i]), float(low[i]), float(high[i])) for i, name in enumerate(players)}


def _matrices(
    results: Sequence[RatedGame], players: Sequence[str], games: Sequence[str]
) -> tuple[Numbers, Numbers, Numbers, list[NDArray[np.intp]]]:
    """The design (a row for each seating in each game); for each deal how many games of each seating were played and
    won by seat 1; and for each game its deals."""
    column = {name: i for i, name in enumerate(players)}
    seatings = sorted({(result.one, result.two, result.game) for result in results})
    deals = sorted({(result.game, result.deal) for result in results})
    seating_at = {seating: i for i, seating in enumerate(seatings)}
    deal_at = {deal: i for i, deal in enumerate(deals)}
    design = np.zeros((len(seatings), len(players) + len(games)))
    for i, (one, two, game) in enumerate(seatings):
        design[i, column[one]] += 1
        design[i, column[two]] -= 1
        design[i, len(players) + games.index(game)] = 1
    played, won = np.zeros((2, len(deals), len(seatings)))
    for result in results:
        at = deal_at[result.game, result.deal], seating_at[result.one, result.two, result.game]
        played[at] += 1
        won[at] += result.won
    blocks = [np.flatnonzero([deal[0] == game for deal in deals]) for game in games]
    return design, played, won, blocks


def _sweeps(results: Sequence[RatedGame]) -> tuple[Numbers, Numbers]:
    """For each pair in each game a deal that the one sweeps, then one that the other sweeps: played and won, as
    `_matrices` has them."""
    seatings = sorted({(result.one, result.two, result.game) for result in results})
    pairs = sorted({(min(one, two), max(one, two), game) for one, two, game in seatings})
    played, won = np.zeros((2, 2 * len(pairs), len(seatings)))
    for i, (one, two, game) in enumerate(seatings):
        for sweep, sweeper in ((0, min(one, two)), (1, max(one, two))):
            row = 2 * pairs.index((min(one, two), max(one, two), game)) + sweep
            played[row, i] = 1
            won[row, i] = sweeper == one
    return played, won


def _fit(design: Numbers, played: Numbers, won: Numbers, centers: Numbers) -> Numbers:
    """The strengths that fit best, by Newton's method for all samples at once: rows of all arrays are samples.

    `centers` is where the prior of each strength lies.
    """
    count = design.shape[1]
    ridge = np.eye(count) / PRIOR**2
    strengths = np.zeros((len(played), count))
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-(strengths @ design.T)))
        gradient = (won - played * chance) @ design - (strengths - centers) / PRIOR**2
        hessian = np.einsum("sk,ki,kj->sij", played * chance * (1 - chance), design, design) + ridge
        step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        strengths += np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-8:
            break
    return strengths

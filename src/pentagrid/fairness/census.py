"""A census: the exact value of every deal or of a sample of deals, or games of players on them.

The deals are divided into chunks, each counted by itself, and the counts are added up. They are whole numbers, so the
result is the same whoever counts what and in which order: on one core, on many, on a cluster, in one go or in several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, Protocol

from pentagrid.analysis.komi import chosen_rules
from pentagrid.core.game import Game
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError, shown
from pentagrid.fairness.deals import Deals
from pentagrid.fairness.perfect_play import perfect_tally, proven_share
from pentagrid.fairness.played_games import played_tally
from pentagrid.fairness.resume_file import CensusNotes
from pentagrid.fairness.tally import Tally
from pentagrid.play import players
from pentagrid.util.workers import check_workers, map_on_workers

MOST_DEALS = 10**12
CHUNK_SECONDS = 0.5
"""About how long a chunk takes."""
OPENING = LONGEST_OPENING = 6
"""Moves of the random openings of a game that has a single deal. No game is over by then."""

Engine = Callable[[Callable[[int], "Chunk"], Iterable[int], Callable[[], bool]], Iterator["Chunk"]]
"""Counts chunks, given by number, until the last argument says stop; results may come in any order."""


class Chunk(NamedTuple):
    """One chunk's number and what it counted."""

    number: int
    counts: dict[str, dict[str, int]]


class CountableWork(Protocol):
    """Work that can be divided: deals or games by number, from 0 up, each counted by itself."""

    @property
    def total(self) -> int: ...

    @property
    def chance(self) -> bool:
        """True if players or tosses are part of it, not exact values alone."""

    def data(self) -> dict[str, object]:
        """What is counted, as plain data."""

    def chunk_size(self) -> int:
        """How many of them make a good chunk."""

    def tally(self, first: int, last: int) -> Tally:
        """The counts of those from one number up to another, without the last."""


class CensusPlan(NamedTuple):
    """Everything that settles a census."""

    deals: Deals
    total: int
    fair: bool = False
    """True if each deal has the komi that is fair for it."""
    players: tuple[str, str] | None = None
    """The players in seat 1 and in seat 2; None for perfect play, known from exact values."""

    @property
    def game(self) -> Game:
        return self.deals.game

    @property
    def everything(self) -> bool:
        """True if these are all the deals there are."""
        return self.deals.everything

    @property
    def chance(self) -> bool:
        """True if players or the tosses of a fair komi are part of it, not exact values alone."""
        return self.fair or self.players is not None

    @property
    def sampled(self) -> bool:
        """True if another seed would give other figures."""
        return not self.everything or self.chance

    @property
    def proven(self) -> float | None:
        """The share of deals that Player 1 wins, where it is known by proof or by the toss; else None."""
        return None if self.players or self.deals.opening else proven_share(self.game, self.fair)

    def data(self) -> dict[str, object]:
        """The plan as plain data."""
        return {
            "game": self.game.name, "size": self.game.size, "rules": chosen_rules(self.game, self.fair),
            "deals": self.total, "all": self.everything, "seed": self.deals.seed, "opening": self.deals.opening,
            "players": list(self.players) if self.players else None,
        }  # fmt: skip

    def chunk_size(self) -> int:
        """How many deals make a chunk of a good length."""
        return measured_chunk_size(self)

    def tally(self, first: int, last: int) -> Tally:
        """The counts of the deals from one number up to another, without the last."""
        if self.players is None:
            return perfect_tally(self.deals, self.fair, first, last)
        return played_tally(self.deals, self.fair, self.players, first, last)


def plan_census(
    game: Game,
    count: int | None = None,
    seed: int = 0,
    opening: int | None = None,
    fair: bool = False,
    kinds: tuple[str | None, str | None] = (None, None),
) -> CensusPlan:
    """A checked plan. Without a count, it is about all deals there are. Raises `OptionError`."""
    if game.has_numbers and opening:
        raise OptionError(f"--opening {opening} makes no sense for {game.name}: its deals differ by their numbers.")
    if opening is None:
        opening = 0 if game.has_numbers or game.pie else OPENING
    if not 0 <= opening <= LONGEST_OPENING:
        raise OptionError(f"--opening must be between 0 and {LONGEST_OPENING} moves, not {opening}.")
    named = (kinds[0] or "perfect", kinds[1] or "perfect") if any(kinds) else None
    for kind in named or ():
        known = players.KINDS.get(kind.partition(":")[0])
        if known is None or not known.offers(kind):
            raise OptionError(f"A player in a census must be {players.usages(people=False)}, not {shown(kind)}.")
        players.check_plays(kind, game)
    deals = Deals(game, Dice(seed).seed, False, opening)
    if count is None or (deals.count_all() == 1 and named is None):
        deals = deals._replace(everything=True)
        count = deals.count_all()
    if not 1 <= count <= MOST_DEALS:
        raise OptionError(f"A census must be of 1 to {MOST_DEALS:,} deals, not of {count:,}.")
    return CensusPlan(deals, count, fair, named)


def measured_chunk_size(work: CountableWork) -> int:
    """How many deals make a chunk of a good length on this machine, where all take about as long.

    A chunk takes some time whatever its size, and some for each deal: two sizes tell them apart. What does not depend
    on the size is to be at most a tenth of a chunk.
    """
    work.tally(0, 1)  # what is made only once does not count
    alone = _seconds(work, 1)
    size = 1
    while size < work.total:
        size = min(work.total, 16 * size)
        spent = _seconds(work, size)
        if spent - alone > CHUNK_SECONDS / 8:
            break
    each = max(1e-9, (spent - alone) / (size - 1)) if size > 1 else max(1e-9, alone)
    fixed = max(0.0, alone - each)
    return max(1, min(work.total, round(max(CHUNK_SECONDS, 9 * fixed) / each)))


def _seconds(work: CountableWork, deals: int) -> float:
    """How long so many deals take."""
    began = perf_counter()
    work.tally(0, deals)
    return perf_counter() - began


def count_chunk(work: CountableWork, size: int, number: int) -> Chunk:
    """One chunk, counted."""
    return Chunk(number, work.tally(number * size, min(work.total, (number + 1) * size)).data())


def count_all(
    work: CountableWork,
    folder: Path | None,
    engine: Engine,
    progress: Callable[[int], None] = lambda deals: None,
    stop: Callable[[], bool] = lambda: False,
    tell: Callable[[str], None] = lambda message: None,
) -> Tally | None:
    """Count what is missing of a census (or other such work), and note every chunk in the folder when it is done.

    Returns None when `stop` says so; the same call then goes on from the notes. When all is done they are removed.
    Without a folder there are no notes. `tell` hears of notes that cannot be used. Raises `OptionError`.
    """
    with CensusNotes(folder, work.data(), work.total, work.chance, work.chunk_size, tell) as notes:
        chunks = range(-(-work.total // notes.size))
        progress(min(work.total, len(notes.done) * notes.size))
        missing = [chunk for chunk in chunks if chunk not in notes.done]
        for chunk in engine(partial(count_chunk, work, notes.size), missing, stop):
            notes.add(chunk.number, chunk.counts)
            progress(min(work.total, len(notes.done) * notes.size))
        if len(notes.done) < len(chunks):
            return None
        notes.remove()
        return notes.tally


def on_cores(workers: int | None) -> Engine:
    """An engine on this machine: so many processes, or one for each core. Raises `OptionError`."""
    count = check_workers(workers)

    def engine(work: Callable[[int], Chunk], chunks: Iterable[int], stop: Callable[[], bool]) -> Iterator[Chunk]:
        pieces = list(chunks)
        return map_on_workers(work, pieces, min(count, max(1, len(pieces))), stop)

    return engine

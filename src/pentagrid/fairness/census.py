"""A census: the exact value of every deal, or of a sample of deals; or games of imperfect players on them.

The deals are divided into chunks, each counted by itself, and the counts added up. They are whole numbers, so the
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
from pentagrid.fairness import perfect as exact
from pentagrid.fairness import played as playing
from pentagrid.fairness.deals import Deals
from pentagrid.fairness.notes import CensusNotes
from pentagrid.fairness.tally import Tally
from pentagrid.play import players
from pentagrid.util import workers as crew

MOST_DEALS = 10**12
CHUNK_SECONDS = 0.5
"""About how long a chunk takes."""
OPENING = LONGEST_OPENING = 6
"""Moves of the random openings of a game that has a single deal. No game is over by then."""

Engine = Callable[[Callable[[int], "Chunk"], Iterable[int], Callable[[], bool]], Iterator["Chunk"]]
"""Does pieces of work, given as numbers, until told to stop; results may come in any order."""


class Chunk(NamedTuple):
    """One chunk's counts."""

    chunk: int
    counts: dict[str, dict[str, int]]


class CountableWork(Protocol):
    """What can be divided: deals or games by number, from 0 up, each counted by itself."""

    @property
    def total(self) -> int: ...

    def described(self) -> dict[str, object]:
        """What it is, as JSON."""

    def chunk(self) -> int:
        """How many of them make a good piece of work."""

    def tally(self, first: int, last: int) -> Tally:
        """Those from one number up to another."""


class CensusPlan(NamedTuple):
    """Everything that settles a census."""

    deals: Deals
    total: int
    fair: bool = False
    """Is the komi of each deal the one that is fair for it?"""
    players: tuple[str, str] | None = None
    """Player 1 and Player 2; None: perfect play, told by exact values."""

    @property
    def game(self) -> Game:
        return self.deals.game

    @property
    def everything(self) -> bool:
        """Are these all the deals there are?"""
        return self.deals.everything

    @property
    def sampled(self) -> bool:
        """Does chance stand between the figures and the truth?"""
        return not self.everything or self.fair or self.players is not None

    def described(self) -> dict[str, object]:
        """The plan as JSON."""
        return {
            "game": self.game.name, "size": self.game.size, "rules": chosen_rules(self.game, self.fair),
            "deals": self.total, "all": self.everything, "seed": self.deals.seed, "opening": self.deals.opening,
            "players": list(self.players) if self.players else None,
        }  # fmt: skip

    def chunk(self) -> int:
        """How many deals make a chunk of a good length."""
        return chunk_size(self)

    def tally(self, first: int, last: int) -> Tally:
        """The deals from one number up to another."""
        if self.players is None:
            return exact.tally(self.deals, self.fair, first, last)
        return playing.tally(self.deals, self.fair, self.players, first, last)


def plan_census(
    game: Game,
    count: int | None = None,
    seed: int = 0,
    opening: int | None = None,
    fair: bool = False,
    kinds: tuple[str | None, str | None] = (None, None),
) -> CensusPlan:
    """A plan, checked; without a count, all deals there are. Raises `OptionError`."""
    if game.has_numbers and opening:
        raise OptionError(f"--opening {opening} makes no sense for {game.name}: its deals differ by their numbers.")
    if opening is None:
        opening = 0 if game.has_numbers or game.pie else OPENING
    if not 0 <= opening <= LONGEST_OPENING:
        raise OptionError(f"--opening {opening} cannot be; it is 0 to {LONGEST_OPENING} moves.")
    named = (kinds[0] or "perfect", kinds[1] or "perfect") if any(kinds) else None
    for kind in named or ():
        if kind not in (choice for known in players.KINDS.values() for choice in known.choices):
            raise OptionError(f"{shown(kind)} cannot play in a census; there are {players.usages(people=False)}.")
    deals = Deals(game, Dice(seed).seed, False, opening)
    if count is None or (deals.count_all() == 1 and named is None):
        deals = deals._replace(everything=True)
        count = deals.count_all()
    if not 1 <= count <= MOST_DEALS:
        raise OptionError(f"A census of {count:,} deals cannot be; it is of 1 to {MOST_DEALS:,}.")
    return CensusPlan(deals, count, fair, named)


def chunk_size(work: CountableWork) -> int:
    """How many deals make a chunk of a good length on this machine, where all take about as long."""
    work.tally(0, 1)  # what is made once is not counted
    size = 1
    while True:
        began = perf_counter()
        work.tally(0, min(work.total, size))
        spent = perf_counter() - began
        if spent > CHUNK_SECONDS / 8 or size >= work.total:
            return max(1, min(work.total, round(size * CHUNK_SECONDS / max(spent, 1e-6))))
        size *= 4


def count_chunk(work: CountableWork, size: int, chunk: int) -> Chunk:
    """One chunk of the deals."""
    found = work.tally(chunk * size, min(work.total, (chunk + 1) * size))
    return Chunk(chunk, found.as_json())


def run(
    work: CountableWork,
    folder: Path | None,
    engine: Engine,
    progress: Callable[[int], None] = lambda deals: None,
    stop: Callable[[], bool] = lambda: False,
) -> Tally | None:
    """Count what is missing of a census (or other such work), writing down every chunk as it is done.

    Returns None when `stop` says so; the same call goes on from there. When all is done the notes are thrown away.
    Without a folder nothing is written down. Raises `OptionError`.
    """
    with CensusNotes(folder, work.described(), work.chunk) as notes:
        chunks = range(-(-work.total // notes.size))
        progress(min(work.total, len(notes.done) * notes.size))
        missing = [chunk for chunk in chunks if chunk not in notes.done]
        for found in engine(partial(count_chunk, work, notes.size), missing, stop):
            notes.add(found.chunk, found.counts)
            progress(min(work.total, len(notes.done) * notes.size))
        if len(notes.done) < len(chunks):
            return None
        notes.forget()
        return notes.tally


def on_cores(workers: int | None) -> Engine:
    """All cores of this machine, or so many processes. Raises `OptionError`."""
    count = crew.check_workers(workers)

    def engine(work: Callable[[int], Chunk], chunks: Iterable[int], stop: Callable[[], bool]) -> Iterator[Chunk]:
        pieces = list(chunks)
        return crew.together(work, pieces, min(count, max(1, len(pieces))), stop)

    return engine

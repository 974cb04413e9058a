"""What a store of games does. Events are only ever appended; the state of a game follows from them."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, Protocol

from pentagrid.core.position import Position
from pentagrid.errors import OptionError, shown
from pentagrid.web.rooms.events import Entry


class Stored(NamedTuple):
    """A game as the store holds it."""

    id: str
    created: float
    terms: Mapping[str, Any]
    over: bool
    entries: tuple[Entry, ...]
    """What happened, from revision 1 on."""
    holders: Mapping[str, frozenset[int]]
    """The seats of each holder, by the hash of the holder's token."""


class NewGame(NamedTuple):
    """A game to be stored."""

    id: str
    created: float
    terms: Mapping[str, Any]
    deal: str
    """What all its positions share; see `deal_of`."""
    clock: bool
    people: bool
    holders: Mapping[str, tuple[int, ...]]
    invitations: Mapping[str, int]
    """Open seats, by the hash of the token that gives them."""
    over: bool = False


def deal_of(position: Position) -> str:
    """A key of a position's deal: the same under other rule options, and for the board turned or mirrored.

    It is made of what each row and each column holds, whatever the order, so it costs a sort at every size. Boards with
    rows or columns exchanged share it too; in most games they are the same deal anyway.
    """
    game = f"{position.game.name} {position.game.size}"
    rows = position.board
    if not rows:
        return game
    lines = sorted([sorted(map(sorted, rows)), sorted(map(sorted, zip(*rows, strict=True)))])
    return f"{game} {hashlib.blake2s(repr(lines).encode(), digest_size=16).hexdigest()}"


class Claim(NamedTuple):
    """An invitation that is used up for a seat, together with the event that says so."""

    invitation: str | None
    holder: str
    seat: int


class Invited(NamedTuple):
    """An invitation that the store knows."""

    seat: int
    used: bool


class Guarded(NamedTuple):
    """A running game between people that a visitor plays (or, as seat 0, watches)."""

    game: str
    seat: int


Notice = Callable[[str], Awaitable[None]]
"""A function that is called with each announcement of another process."""


class Store(Protocol):
    """A place where games are stored. Every method may raise `StoreError`, and has changed nothing then."""

    name: str
    shared: bool
    """Can several processes use it at once?"""

    async def open(self, notice: Notice) -> bool:
        """Connect, bring the schema up to date and listen; says whether no other server was running."""

    async def close(self) -> None:
        """Finish what is under way and disconnect."""

    async def check(self) -> None:
        """Raise `StoreError` that says what is wrong, unless the store works and its database answers."""

    async def create(self, game: NewGame) -> None:
        """Store a new game."""

    async def load(self, game: str) -> Stored | None:
        """A game with all that happened in it."""

    async def since(self, game: str, revision: int) -> tuple[Entry, ...]:
        """What happened after a revision."""

    async def append(
        self,
        game: str,
        entry: Entry,
        announcement: str,
        *,
        over: bool = False,
        claim: Claim | None = None,
        rematch: NewGame | None = None,
    ) -> None:
        """Store an entry for good, with the seat that it gives or the rematch that it makes: all or nothing.

        The announcement goes to the other processes. Raises `StaleError` if there is an entry of that revision
        already, `UsedInvitationError` if the invitation is used up.
        """

    async def invite(self, game: str, seat: int, invitation: str) -> None:
        """Store one more invitation for a seat."""

    async def invited(self, game: str, invitation: str) -> Invited | None:
        """The seat that an invitation gives or gave."""

    async def watch(self, game: str, holder: str) -> None:
        """Note that a visitor watches a game (seat 0)."""

    async def holders(self, game: str) -> Mapping[str, frozenset[int]]:
        """Who holds which seats."""

    async def guarded(self, holder: str, deal: str) -> tuple[Guarded, ...]:
        """The running games between people on this deal that a visitor plays or watches."""

    async def running_clocks(self) -> tuple[str, ...]:
        """The unfinished games with a clock."""

    async def remove_idle(self, before: float, most: int) -> tuple[str, ...]:
        """Remove games, so many at most, in which nothing has happened since then; returns their ids."""

    async def announce(self, message: str) -> None:
        """Tell the other processes something that is not stored."""


def open_store(database: str) -> Store:
    """The store of a database address. Raises `OptionError`."""
    scheme, _, rest = database.partition("://")
    if scheme == "sqlite" and rest.startswith("/") and len(rest) > 1:
        from pentagrid.web.store.sqlite import SqliteStore

        return SqliteStore(rest.removeprefix("/"))
    if scheme in ("postgresql", "postgres") and rest:
        try:
            from pentagrid.web.store.postgresql import PostgresStore
        except ImportError:
            raise OptionError('PostgreSQL needs one more package: pip install "pentagrid[postgresql]"') from None
        return PostgresStore(database)
    raise OptionError(
        "The database must be sqlite:///PATH (sqlite:////PATH from the root) or postgresql://USER@HOST/NAME, "
        f"not {shown(database)}."
    )

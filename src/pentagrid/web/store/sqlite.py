"""The store in a file: one thread owns the connection, and what waits is committed together.

`synchronous=FULL`: what has been acknowledged survives a killed process and a lost mains supply alike. One commit for
all that waits makes that cheap.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from pentagrid.errors import OptionError, PentagridError
from pentagrid.util.lockfile import LockFile
from pentagrid.web.problems import InvitationError, StaleError, StoreError
from pentagrid.web.store import schema
from pentagrid.web.store.interface import Claim, Event, Guarded, NewGame, Notice, Stored

T = TypeVar("T")
Transaction = Callable[[sqlite3.Connection], T]
MOST_TOGETHER = 64


class SqliteStore:
    """Games in an SQLite file, for one server process."""

    kind = "sqlite"
    shared = False

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self._lock = LockFile(
            self.path.with_name(self.path.name + ".lock"),
            f"Another server is using {self.path}; for several processes use PostgreSQL.",
        )
        self._work: SimpleQueue[tuple[Transaction[Any], asyncio.Future[Any]] | None] = SimpleQueue()
        self._thread: Thread | None = None

    async def open(self, notice: Notice) -> bool:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.take()
            connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
        except (OSError, sqlite3.Error) as error:
            self._lock.give()
            raise OptionError(f"The games cannot be kept in {self.path}: {error}.") from None
        self._loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._run, args=(connection,), name="sqlite", daemon=True)
        self._thread.start()
        await self._do(_migrate)
        return True

    async def close(self) -> None:
        if self._thread is not None:
            self._work.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None
        self._lock.give()

    # The thread -----------------------------------------------------------------------------------------

    def _run(self, connection: sqlite3.Connection) -> None:
        running = True
        while running:
            batch = [self._work.get()]
            while len(batch) < MOST_TOGETHER and not self._work.empty():
                batch.append(self._work.get())
            running = None not in batch
            self._settle(connection, [item for item in batch if item is not None])
        connection.close()

    def _settle(
        self, connection: sqlite3.Connection, batch: list[tuple[Transaction[Any], asyncio.Future[Any]]]
    ) -> None:
        """Do a batch of work in one transaction; nobody hears of his part before all is committed."""
        results: list[tuple[asyncio.Future[Any], Any, BaseException | None]] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            for work, future in batch:
                connection.execute("SAVEPOINT part")
                try:
                    results.append((future, work(connection), None))
                except PentagridError as error:
                    connection.execute("ROLLBACK TO part")
                    results.append((future, None, error))
                connection.execute("RELEASE part")
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            failure = StoreError(f"The database cannot be used now ({error}); nothing was changed.")
            results = [(future, None, failure) for _, future in batch]
        self._loop.call_soon_threadsafe(_tell, results)

    async def _do(self, work: Transaction[T]) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._work.put((work, future))
        return await asyncio.shield(future)

    # What a store does ----------------------------------------------------------------------------------

    async def ping(self) -> None:
        await self._do(lambda connection: connection.execute("SELECT 1").fetchone())

    async def create(self, game: NewGame) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute(schema.NEW_GAME, schema.game_row(game))
            for holder, seats in game.holders.items():
                connection.executemany(schema.NEW_HOLDER, [(holder, game.id, seat) for seat in seats])
            for invitation, seat in game.invitations.items():
                connection.execute(schema.NEW_INVITATION, (invitation, game.id, seat))

        await self._do(work)

    async def load(self, game: str) -> Stored | None:
        def work(connection: sqlite3.Connection) -> Stored | None:
            row = connection.execute(schema.GAME, (game,)).fetchone()
            if row is None:
                return None
            events = schema.events_from(connection.execute(schema.EVENTS, (game, 0)))
            holders = schema.holders_from(connection.execute(schema.HOLDERS, (game,)))
            return Stored(game, row[0], json.loads(row[1]), bool(row[2]), events, holders)

        return await self._do(work)

    async def since(self, game: str, revision: int) -> tuple[Event, ...]:
        return await self._do(lambda c: schema.events_from(c.execute(schema.EVENTS, (game, revision))))

    async def append(
        self, game: str, event: Event, announcement: str, *, over: bool = False, claim: Claim | None = None
    ) -> None:
        def work(connection: sqlite3.Connection) -> None:
            if not connection.execute(schema.NEW_EVENT, schema.event_row(game, event)).rowcount:
                raise StaleError(f"There is a revision {event.revision} of this game already.")
            if claim is not None:
                used = (claim.invitation, game, claim.seat)
                if claim.invitation is not None and not connection.execute(schema.USE_INVITATION, used).rowcount:
                    raise InvitationError("This invitation has been used already.")
                connection.execute(schema.NEW_HOLDER, (claim.holder, game, claim.seat))
            if over:
                connection.execute(schema.SET_OVER, (game,))

        await self._do(work)

    async def invite(self, game: str, seat: int, invitation: str) -> None:
        await self._do(lambda c: c.execute(schema.NEW_INVITATION, (invitation, game, seat)).rowcount)

    async def invited(self, game: str, invitation: str) -> int | None:
        row = await self._do(lambda c: c.execute(schema.INVITED, (invitation, game)).fetchone())
        return None if row is None else int(row[0])

    async def watch(self, game: str, holder: str) -> None:
        await self._do(lambda c: c.execute(schema.NEW_HOLDER, (holder, game, 0)).rowcount)

    async def holders(self, game: str) -> Mapping[str, frozenset[int]]:
        return await self._do(lambda c: schema.holders_from(c.execute(schema.HOLDERS, (game,))))

    async def guarded(self, holder: str, deal: str) -> tuple[Guarded, ...]:
        return await self._do(lambda c: tuple(Guarded(*row) for row in c.execute(schema.GUARDED, (holder, deal))))

    async def running_clocks(self) -> tuple[str, ...]:
        return await self._do(lambda c: tuple(row[0] for row in c.execute(schema.RUNNING_CLOCKS)))

    async def announce(self, message: str) -> None:
        """There is no other process to tell."""


def _migrate(connection: sqlite3.Connection) -> None:
    connection.execute(schema.VERSIONS)
    (version,) = connection.execute(schema.VERSION).fetchone()
    for number, statements in schema.steps_from(version):
        for statement in statements:
            connection.execute(statement)
        connection.execute(schema.SET_VERSION, (number,))


def _tell(results: list[tuple[asyncio.Future[Any], Any, BaseException | None]]) -> None:
    for future, result, error in results:
        if future.done():
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

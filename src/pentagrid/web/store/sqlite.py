"""The store in a file: one thread owns the connection and commits all waiting requests together.

With `synchronous=FULL` an acknowledged request survives a killed process and a power failure. One commit for all that
waits makes that cheap.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from pentagrid.errors import OptionError, PentagridError
from pentagrid.util.lockfile import LockFile
from pentagrid.web.http_errors import StaleError, StoreError, UsedInvitationError
from pentagrid.web.rooms.events import Entry
from pentagrid.web.store import schema
from pentagrid.web.store.interface import Claim, Guarded, Invited, NewGame, Notice, Stored

T = TypeVar("T")
Transaction = Callable[[sqlite3.Connection], T]
PRIVATE = 0o600
MOST_TOGETHER = 64
"""Requests that are committed together, at most."""

log = logging.getLogger("pentagrid.store")


class StoreRequest(NamedTuple):
    """Work for the thread, and who waits for its result."""

    work: Transaction[Any]
    future: asyncio.Future[Any]


class StoreReply(NamedTuple):
    """What a request came to."""

    future: asyncio.Future[Any]
    result: Any
    error: Exception | None = None


class SqliteStore:
    """Games in an SQLite file, for one server process."""

    name = "sqlite"
    shared = False

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self._lock = LockFile(
            self.path.with_name(self.path.name + ".lock"),
            f"Another server is using {self.path}; for several processes use PostgreSQL.",
        )
        self._requests: SimpleQueue[StoreRequest | None] = SimpleQueue()
        """What the thread is to do; None ends it."""
        self._thread: Thread | None = None
        self._ended: str | None = None
        """Why the thread does nothing more."""

    async def open(self, notice: Notice) -> bool:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.take()
            self._keep_private()
            connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
        except (OSError, sqlite3.Error) as error:
            self._lock.give()
            raise OptionError(f"The games cannot be stored in {self.path}: {error}.") from None
        self._loop = asyncio.get_running_loop()
        self._ended = None
        self._thread = Thread(target=self._run, args=(connection,), name="sqlite", daemon=True)
        self._thread.start()
        await self._do(_migrate)
        return True

    def _keep_private(self) -> None:
        """Let the owner alone read the games; SQLite's files beside this one follow it."""
        os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, PRIVATE))
        for path in (self.path, *(self.path.with_name(self.path.name + end) for end in ("-wal", "-shm"))):
            try:
                path.chmod(PRIVATE)
            except FileNotFoundError:
                pass
            except PermissionError as error:  # it is somebody else's, who lets us write
                log.warning("the games stay readable for others", extra={"why": str(error)})

    async def close(self) -> None:
        if self._thread is not None:
            self._requests.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None
        self._lock.give()

    # The thread -----------------------------------------------------------------------------------------

    def _run(self, connection: sqlite3.Connection) -> None:
        """Do what is asked until the end; no request is left without a reply."""
        why = "The database is closed"
        requests: list[StoreRequest] = []
        try:
            while requests := self._next():
                self._settle(connection, requests)
        except Exception as error:
            log.critical("the store has ended", exc_info=True)
            why = f"The database's thread has ended ({error!r}); the server must be started again"
            for request in requests:
                self._requests.put(request)  # to be refused
        finally:
            self._ended = why
            connection.close()
            self._refuse_waiting()

    def _next(self) -> list[StoreRequest]:
        """The requests that wait, at least one; nothing if the thread is to end."""
        requests = [self._requests.get()]
        while len(requests) < MOST_TOGETHER and requests[-1] is not None and not self._requests.empty():
            requests.append(self._requests.get())
        if requests[-1] is None and len(requests) > 1:
            self._requests.put(None)
        return [request for request in requests if request is not None]

    def _settle(self, connection: sqlite3.Connection, requests: list[StoreRequest]) -> None:
        """Do requests in one transaction; nobody gets a reply before all is committed."""
        try:
            connection.execute("BEGIN IMMEDIATE")
            replies = [self._do_part(connection, request) for request in requests]
            connection.execute("COMMIT")
        except Exception as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            failure = self._failure(error)
            replies = [StoreReply(request.future, None, failure) for request in requests]
        self._loop.call_soon_threadsafe(_reply, replies)

    def _do_part(self, connection: sqlite3.Connection, request: StoreRequest) -> StoreReply:
        """Do one request of a transaction. If it fails, it changes nothing, and the others go on."""
        connection.execute("SAVEPOINT part")
        try:
            reply = StoreReply(request.future, request.work(connection))
        except Exception as error:
            if not connection.in_transaction:  # an error so grave that SQLite has rolled back everything
                raise
            connection.execute("ROLLBACK TO part")
            reply = StoreReply(
                request.future, None, error if isinstance(error, PentagridError) else self._failure(error)
            )
        connection.execute("RELEASE part")
        return reply

    @staticmethod
    def _failure(error: Exception) -> StoreError:
        """The error that a request gets for one that nobody expected."""
        log.error("a request to the store failed", exc_info=error)
        return StoreError(f"The database cannot be used now ({error}); nothing was changed.")

    def _refuse_waiting(self) -> None:
        """Tell all who wait that the thread has ended."""
        failure = StoreError(f"{self._ended}; nothing was changed.")
        while True:
            try:
                request = self._requests.get_nowait()
            except Empty:
                return
            if request is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(_reply, [StoreReply(request.future, None, failure)])

    async def _do(self, work: Transaction[T]) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._requests.put(StoreRequest(work, future))
        if (
            self._ended is not None
        ):  # the thread sets this before it refuses what waits: one of the two sees the request
            self._refuse_waiting()
        return await asyncio.shield(future)

    # What a store does ----------------------------------------------------------------------------------

    async def check(self) -> None:
        await self._do(lambda connection: connection.execute("SELECT 1").fetchone())

    async def create(self, game: NewGame) -> None:
        await self._do(lambda connection: _create(connection, game))

    async def load(self, game: str) -> Stored | None:
        def work(connection: sqlite3.Connection) -> Stored | None:
            row = connection.execute(schema.GAME, (game,)).fetchone()
            if row is None:
                return None
            entries = schema.entries_from(connection.execute(schema.EVENTS, (game, 0)))
            holders = schema.holders_from(connection.execute(schema.HOLDERS, (game,)))
            return Stored(game, row[0], json.loads(row[1]), bool(row[2]), entries, holders)

        return await self._do(work)

    async def since(self, game: str, revision: int) -> tuple[Entry, ...]:
        return await self._do(lambda c: schema.entries_from(c.execute(schema.EVENTS, (game, revision))))

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
        def work(connection: sqlite3.Connection) -> None:
            if not connection.execute(schema.NEW_EVENT, schema.entry_row(game, entry)).rowcount:
                raise StaleError(f"There is a revision {entry.revision} of this game already.")
            if claim is not None:
                used = (claim.invitation, game, claim.seat)
                if claim.invitation is not None and not connection.execute(schema.USE_INVITATION, used).rowcount:
                    raise UsedInvitationError("This link has been used already.")
                connection.execute(schema.NEW_HOLDER, (claim.holder, game, claim.seat))
            if rematch is not None:
                _create(connection, rematch)
            if over:
                connection.execute(schema.SET_OVER, (game,))

        await self._do(work)

    async def invite(self, game: str, seat: int, invitation: str) -> None:
        await self._do(lambda c: c.execute(schema.NEW_INVITATION, (invitation, game, seat)).rowcount)

    async def invited(self, game: str, invitation: str) -> Invited | None:
        row = await self._do(lambda c: c.execute(schema.INVITED, (invitation, game)).fetchone())
        return None if row is None else Invited(row[0], bool(row[1]))

    async def watch(self, game: str, holder: str) -> None:
        await self._do(lambda c: c.execute(schema.NEW_HOLDER, (holder, game, 0)).rowcount)

    async def holders(self, game: str) -> Mapping[str, frozenset[int]]:
        return await self._do(lambda c: schema.holders_from(c.execute(schema.HOLDERS, (game,))))

    async def guarded(self, holder: str, deal: str) -> tuple[Guarded, ...]:
        return await self._do(lambda c: tuple(Guarded(*row) for row in c.execute(schema.GUARDED, (holder, deal))))

    async def running_clocks(self) -> tuple[str, ...]:
        return await self._do(lambda c: tuple(row[0] for row in c.execute(schema.RUNNING_CLOCKS)))

    async def remove_idle(self, before: float, most: int) -> tuple[str, ...]:
        def work(connection: sqlite3.Connection) -> tuple[str, ...]:
            games = tuple(row[0] for row in connection.execute(schema.IDLE, (before, before, most)))
            for statement in schema.REMOVE:
                connection.executemany(statement, [(game,) for game in games])
            return games

        return await self._do(work)

    async def announce(self, message: str) -> None:
        """There is no other process to tell."""


def _migrate(connection: sqlite3.Connection) -> None:
    connection.execute(schema.VERSIONS)
    (version,) = connection.execute(schema.VERSION).fetchone()
    for number, statements in schema.steps_from(version):
        for statement in statements:
            if statement is not None:
                connection.execute(statement)
                continue
            for game, terms in connection.execute(schema.UNFINISHED_TERMS).fetchall():
                connection.execute(schema.SET_DEAL, (schema.rekeyed(terms), game))
        connection.execute(schema.SET_VERSION, (number,))


def _create(connection: sqlite3.Connection, game: NewGame) -> None:
    connection.execute(schema.NEW_GAME, schema.game_row(game))
    for holder, seats in game.holders.items():
        connection.executemany(schema.NEW_HOLDER, [(holder, game.id, seat) for seat in seats])
    for invitation, seat in game.invitations.items():
        connection.execute(schema.NEW_INVITATION, (invitation, game.id, seat))


def _reply(replies: list[StoreReply]) -> None:
    for future, result, error in replies:
        if future.done():
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

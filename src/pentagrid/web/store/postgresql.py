"""The store in PostgreSQL, for several server processes: LISTEN and NOTIFY tell each what the others have committed.

Every process holds a shared advisory lock on its listening connection, so that one that starts can tell whether it is
alone.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, LiteralString

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from pentagrid.errors import OptionError
from pentagrid.web.background_tasks import Background
from pentagrid.web.http_errors import StaleError, StoreError, UsedInvitationError
from pentagrid.web.rooms.events import Entry
from pentagrid.web.store import schema
from pentagrid.web.store.interface import Claim, Guarded, Invited, NewGame, Notice, Stored

CHANNEL = "pentagrid"
LOCK = 0x70656E7461
MIGRATION_LOCK = LOCK + 1
CONNECTIONS = 8
ANSWER_SECONDS = 10
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds between two tries to connect again."""
RECONNECTED = ""
"""What `notice` is called with after a lost connection: announcements may have been missed."""
KEEPALIVE: dict[str, Any] = {"keepalives": 1, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}

log = logging.getLogger("pentagrid.store")


def _sql(statement: LiteralString) -> LiteralString:
    return statement.replace("?", "%s")


NEW_GAME, NEW_HOLDER, NEW_INVITATION = map(_sql, (schema.NEW_GAME, schema.NEW_HOLDER, schema.NEW_INVITATION))
USE_INVITATION, NEW_EVENT, SET_OVER = map(_sql, (schema.USE_INVITATION, schema.NEW_EVENT, schema.SET_OVER))
GAME, EVENTS, HOLDERS, INVITED = map(_sql, (schema.GAME, schema.EVENTS, schema.HOLDERS, schema.INVITED))
GUARDED, RUNNING_CLOCKS = map(_sql, (schema.GUARDED, schema.RUNNING_CLOCKS))
SET_DEAL, IDLE = _sql(schema.SET_DEAL), _sql(schema.IDLE)
REMOVE = tuple(map(_sql, schema.REMOVE))
NOTIFY: LiteralString = "SELECT pg_notify(%s, %s)"


class PostgresStore:
    """Games in a PostgreSQL database."""

    name = "postgresql"
    shared = True

    def __init__(self, address: str) -> None:
        self.address = address
        self._pool: AsyncConnectionPool[AsyncConnection[tuple[Any, ...]]] | None = None
        self._background = Background()
        self._listener: AsyncConnection[tuple[Any, ...]] | None = None
        self._deaf: str | None = "The database is closed"
        """Why this process does not hear what the others announce; None while it does."""

    async def open(self, notice: Notice) -> bool:
        try:
            listener = self._listener = await self._connect()
            alone = await _is_alone(listener)
            await _migrate(listener)
            await self._join_in(listener)
        except psycopg.Error as error:
            raise OptionError(f"The database {self._shown()} cannot be used: {str(error).strip()}") from None
        self._pool = AsyncConnectionPool(
            self.address, min_size=1, max_size=CONNECTIONS, open=False, timeout=ANSWER_SECONDS,
            kwargs={"connect_timeout": ANSWER_SECONDS, **KEEPALIVE},
        )  # fmt: skip
        await self._pool.open()
        self._deaf = None
        self._background.spawn(self._listen(listener, notice), "listening to the other processes")
        return alone

    async def close(self) -> None:
        await self._background.close()
        if self._listener is not None:  # also where nothing has listened on it yet
            await self._listener.close()
            self._listener = None
        if self._pool is not None:
            await self._pool.close()
            self._pool = None

    def _shown(self) -> str:
        """The address without its password."""
        return psycopg.conninfo.make_conninfo(
            "", **{**psycopg.conninfo.conninfo_to_dict(self.address), "password": None}
        )

    # Listening ------------------------------------------------------------------------------------------

    async def _connect(self) -> AsyncConnection[tuple[Any, ...]]:
        return await AsyncConnection.connect(self.address, autocommit=True, connect_timeout=ANSWER_SECONDS, **KEEPALIVE)

    async def _join_in(self, connection: AsyncConnection[tuple[Any, ...]]) -> None:
        """Be counted among the running servers, and hear what they announce."""
        await connection.execute("SELECT pg_advisory_lock_shared(%s)", (LOCK,))
        await connection.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))
        await connection.execute(f"LISTEN {CHANNEL}")

    async def _listen(self, connection: AsyncConnection[tuple[Any, ...]], notice: Notice) -> None:
        """Pass on what is announced, for ever: a lost connection is made again, and one bad notice is only logged."""
        pause = SHORTEST_PAUSE
        try:
            while True:
                try:
                    async with connection:
                        async for announced in connection.notifies():
                            pause = SHORTEST_PAUSE
                            await self._background.attempt(notice(announced.payload), "an announcement")
                    self._deaf = "The listening connection has ended"
                except (psycopg.Error, OSError) as error:
                    self._deaf = f"The listening connection is lost ({str(error).strip()})"
                log.warning(self._deaf)
                connection = self._listener = await self._again(pause)
                self._deaf = None
                await self._background.attempt(notice(RECONNECTED), "catching up")
                pause = min(pause * 2, LONGEST_PAUSE)
        finally:
            if self._deaf is None:
                self._deaf = "This process has stopped listening to the others; it must be started again"

    async def _again(self, pause: float) -> AsyncConnection[tuple[Any, ...]]:
        while True:
            await asyncio.sleep(pause)
            try:
                connection = await self._connect()
                await connection.execute("SELECT pg_advisory_lock_shared(%s)", (LOCK,))
                await connection.execute(f"LISTEN {CHANNEL}")
                return connection
            except psycopg.Error as error:
                log.warning("the database does not answer", extra={"why": str(error).strip()})
                pause = min(pause * 2, LONGEST_PAUSE)

    # Transactions ---------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection[tuple[Any, ...]]]:
        if self._pool is None:
            raise StoreError("The database is closed; nothing was changed.")
        try:
            async with self._pool.connection() as connection:
                yield connection
        except (psycopg.Error, PoolTimeout) as error:
            raise StoreError(f"The database cannot be used now ({str(error).strip()}).") from None

    async def _rows(self, statement: LiteralString, *values: Any) -> list[tuple[Any, ...]]:
        async with self._transaction() as connection:
            return await (await connection.execute(statement, values)).fetchall()

    async def _run(self, statement: LiteralString, *values: Any) -> None:
        async with self._transaction() as connection:
            await connection.execute(statement, values)

    # What a store does ----------------------------------------------------------------------------------

    async def check(self) -> None:
        await self._rows("SELECT 1")
        if self._deaf is not None:
            raise StoreError(f"{self._deaf}.")

    async def create(self, game: NewGame) -> None:
        async with self._transaction() as connection:
            await _create(connection, game)

    async def load(self, game: str) -> Stored | None:
        async with self._transaction() as connection:
            row = await (await connection.execute(GAME, (game,))).fetchone()
            if row is None:
                return None
            entries = schema.entries_from(await (await connection.execute(EVENTS, (game, 0))).fetchall())
            rows = await (await connection.execute(HOLDERS, (game,))).fetchall()
            holders = schema.holders_from((holder, seat) for holder, seat in rows)
            return Stored(game, row[0], json.loads(row[1]), bool(row[2]), entries, holders)

    async def since(self, game: str, revision: int) -> tuple[Entry, ...]:
        return schema.entries_from(await self._rows(EVENTS, game, revision))

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
        async with self._transaction() as connection:
            if not (await connection.execute(NEW_EVENT, schema.entry_row(game, entry))).rowcount:
                raise StaleError(f"There is a revision {entry.revision} of this game already.")
            if claim is not None:
                if claim.invitation is not None:
                    used = await connection.execute(USE_INVITATION, (claim.invitation, game, claim.seat))
                    if not used.rowcount:
                        raise UsedInvitationError("This link has been used already.")
                await connection.execute(NEW_HOLDER, (claim.holder, game, claim.seat))
            if rematch is not None:
                await _create(connection, rematch)
            if over:
                await connection.execute(SET_OVER, (game,))
            await connection.execute(NOTIFY, (CHANNEL, announcement))

    async def invite(self, game: str, seat: int, invitation: str) -> None:
        await self._run(NEW_INVITATION, invitation, game, seat)

    async def invited(self, game: str, invitation: str) -> Invited | None:
        rows = await self._rows(INVITED, invitation, game)
        return Invited(rows[0][0], bool(rows[0][1])) if rows else None

    async def watch(self, game: str, holder: str) -> None:
        await self._run(NEW_HOLDER, holder, game, 0)

    async def holders(self, game: str) -> Mapping[str, frozenset[int]]:
        return schema.holders_from((holder, seat) for holder, seat in await self._rows(HOLDERS, game))

    async def guarded(self, holder: str, deal: str) -> tuple[Guarded, ...]:
        return tuple(Guarded(game, seat) for game, seat in await self._rows(GUARDED, holder, deal))

    async def running_clocks(self) -> tuple[str, ...]:
        return tuple(game for (game,) in await self._rows(RUNNING_CLOCKS))

    async def remove_idle(self, before: float, most: int) -> tuple[str, ...]:
        async with self._transaction() as connection:
            found = await (await connection.execute(IDLE, (before, before, most))).fetchall()
            games = tuple(game for (game,) in found)
            for statement in REMOVE:
                await connection.cursor().executemany(statement, [(game,) for game in games])
            return games

    async def announce(self, message: str) -> None:
        await self._run(NOTIFY, CHANNEL, message)


async def _create(connection: AsyncConnection[tuple[Any, ...]], game: NewGame) -> None:
    await connection.execute(NEW_GAME, schema.game_row(game))
    for holder, seats in game.holders.items():
        for seat in seats:
            await connection.execute(NEW_HOLDER, (holder, game.id, seat))
    for invitation, seat in game.invitations.items():
        await connection.execute(NEW_INVITATION, (invitation, game.id, seat))


async def _is_alone(connection: AsyncConnection[tuple[Any, ...]]) -> bool:
    """Take the lock for oneself if no server holds it; then nobody else is past this point until `_join_in`."""
    row = await (await connection.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,))).fetchone()
    assert row is not None
    return bool(row[0])


async def _migrate(connection: AsyncConnection[tuple[Any, ...]]) -> None:
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        await connection.execute(schema.VERSIONS)
        row = await (await connection.execute(schema.VERSION)).fetchone()
        assert row is not None
        for number, statements in schema.steps_from(row[0]):
            for statement in statements:
                if statement is not None:
                    await connection.execute(_sql(statement))
                    continue
                for game, terms in await (await connection.execute(schema.UNFINISHED_TERMS)).fetchall():
                    await connection.execute(SET_DEAL, (schema.rekeyed(terms), game))
            await connection.execute(_sql(schema.SET_VERSION), (number,))

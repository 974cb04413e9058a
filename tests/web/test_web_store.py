"""What every store must do, called directly: SQLite and PostgreSQL alike."""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

from pentagrid.errors import OptionError
from pentagrid.web.http_errors import StaleError, StoreError, UsedInvitationError
from pentagrid.web.rooms.events import Entry, Joined, Moved, RematchMade
from pentagrid.web.store.interface import Claim, Guarded, NewGame, open_store

DEAL = "number-cross 3 1,2,3/4,5,6/7,8,9"


def new_game(name, **changes):
    game = NewGame(name * 16, 1.0, {"start": "x"}, DEAL, True, True, {"ann": (1,)}, {"ticket" + name: 2})
    return game._replace(**changes)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, database):
    return database if request.param == "sqlite" else request.getfixturevalue("postgres")


def used(address, work):
    """Open a store, use it, close it."""

    async def run():
        heard: list[str] = []

        async def notice(payload):
            heard.append(payload)

        store = open_store(address)
        await store.open(notice)
        try:
            return await work(store)
        finally:
            await store.close()

    with ThreadPoolExecutor(1) as thread:  # Playwright's own loop may run in this one
        return thread.submit(lambda: asyncio.run(run())).result()


def test_a_game_is_read_back_as_it_was_stored(address):
    async def work(store):
        await store.create(new_game("a"))
        await store.append("a" * 16, Entry(1, Moved(1, "Row1"), 2.5), "{}")
        await store.append("a" * 16, Entry(2, Moved(2, "Col1"), 3.5), "{}", over=True)
        assert await store.load("b" * 16) is None
        assert await store.since("a" * 16, 1) == (Entry(2, Moved(2, "Col1"), 3.5),)
        return await store.load("a" * 16)

    stored = used(address, work)
    assert stored.over and stored.created == 1.0 and stored.terms == {"start": "x"}
    assert [entry.event for entry in stored.entries] == [Moved(1, "Row1"), Moved(2, "Col1")]
    assert stored.holders == {"ann": frozenset({1})}


def test_a_revision_is_stored_once(address):
    async def work(store):
        await store.create(new_game("a"))
        await store.append("a" * 16, Entry(1, Moved(1, "Row1"), 2.5), "{}")
        with pytest.raises(StaleError, match="revision 1"):
            await store.append("a" * 16, Entry(1, Moved(1, "Row2"), 2.5), "{}", over=True)
        stored = await store.load("a" * 16)
        assert not stored.over and [entry.event.move for entry in stored.entries] == ["Row1"]

    used(address, work)


def test_an_invitation_is_used_once_and_with_its_event_or_not_at_all(address):
    async def work(store):
        game = "a" * 16
        await store.create(new_game("a"))
        assert await store.invited(game, "ticketa") == (2, False) and await store.invited(game, "other") is None
        await store.invite(game, 2, "second")
        await store.append(game, Entry(1, Joined(2, "Bob"), 2.0), "{}", claim=Claim("ticketa", "bob", 2))
        assert await store.holders(game) == {"ann": frozenset({1}), "bob": frozenset({2})}
        assert await store.invited(game, "ticketa") == (2, True) and await store.invited(game, "second") == (2, False)
        with pytest.raises(UsedInvitationError):
            await store.append(game, Entry(2, Joined(2), 3.0), "{}", claim=Claim("ticketa", "eve", 2))
        assert await store.since(game, 1) == () and "eve" not in await store.holders(game)
        await store.append(game, Entry(2, Joined(1), 3.0), "{}", claim=Claim(None, "ann2", 1))
        assert (await store.holders(game))["ann2"] == frozenset({1})

    used(address, work)


def test_a_rematch_is_made_with_its_event_or_not_at_all(address):
    async def work(store):
        await store.create(new_game("a"))
        made = Entry(1, RematchMade("b" * 16), 2.0)
        await store.append("a" * 16, made, "{}", rematch=new_game("b"))
        with pytest.raises(StaleError):
            await store.append("a" * 16, Entry(1, RematchMade("c" * 16), 2.0), "{}", rematch=new_game("c"))
        assert await store.load("b" * 16) is not None and await store.load("c" * 16) is None

    used(address, work)


def test_who_plays_and_who_watches(address):
    async def work(store):
        await store.create(new_game("a"))
        await store.create(new_game("b", over=True))
        await store.create(new_game("c", clock=False, people=False))
        await store.watch("a" * 16, "tom")
        await store.watch("a" * 16, "tom")
        assert await store.guarded("ann", DEAL) == (Guarded("a" * 16, 1),)
        assert await store.guarded("tom", DEAL) == (Guarded("a" * 16, 0),)
        assert await store.guarded("tom", "another deal") == ()
        assert "tom" not in await store.holders("a" * 16)
        assert await store.running_clocks() == ("a" * 16,)
        await store.announce("hello")
        await store.check()

    used(address, work)


def test_a_closed_store_says_so(address):
    async def work(store):
        await store.close()
        with pytest.raises(StoreError, match="closed"):
            await store.check()

    used(address, work)


def test_a_commit_that_fails_changes_nothing_and_the_next_works(database, monkeypatch):
    """A full disk fails the whole transaction, and everybody in it is told."""

    async def work(store):
        await store.create(new_game("a"))

        def fills_the_disk(connection):
            connection.execute("ROLLBACK")
            raise sqlite3.OperationalError("database or disk is full")

        with pytest.raises(StoreError, match="disk is full"):
            await store._do(fills_the_disk)
        await store.create(new_game("b"))
        assert await store.load("a" * 16) is not None and await store.load("b" * 16) is not None

    used(database, work)


@pytest.mark.parametrize("address", ["", "sqlite://", "sqlite:/x", "mysql://x/y", "postgresql://"])
def test_addresses_that_are_none(address):
    with pytest.raises(OptionError, match="sqlite:///PATH"):
        open_store(address)

"""Load on the server: 500 games at once, every player connected, moves at a steady rate and then as fast as they go.

    .venv/bin/python benchmarks/serve.py [--games 500] [--rate 200] [--seconds 20] [--database URL ...]

For each database (SQLite in a fresh file unless others are named) a server is started as users start it. Each of the
games has two connected players; a move is timed from its sending to its arrival on the other player's connection. Every
connection checks that no event is lost, doubled or out of order. The peer, measured in the same run, is the round trip
of `GET /health`: one request and one question to the database, with nothing else going on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import re
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from websockets.asyncio.client import connect

import pentagrid as pg

GAME = "capture-squares"
CONNECTIONS = 16
QUIET_SECONDS = 20.0
REVISION = re.compile(r'"revision": (\d+)')


class Http:
    """A few kept-alive connections that send one request at a time each."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.free: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()

    async def open(self) -> None:
        for _ in range(CONNECTIONS):
            self.free.put_nowait(await asyncio.open_connection("127.0.0.1", self.port))

    async def ask(self, method: str, path: str, token: str = "", data: object = None) -> tuple[int, bytes]:
        body = b"" if data is None else json.dumps(data).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Length: {len(body)}\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        head += "Content-Type: application/json\r\n\r\n"
        reader, writer = await self.free.get()
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", answer)[1])  # type: ignore[index]
        content = await reader.readexactly(length)
        self.free.put_nowait((reader, writer))
        return int(answer[9:12]), content


class Game:
    """One game and both its players."""

    def __init__(self, number: int) -> None:
        self.tokens = [secrets.token_urlsafe(32), secrets.token_urlsafe(32)]
        self.position = pg.load(GAME).deal(seed=number)
        self.number = number
        self.revision = 0
        self.id = ""
        self.sent: dict[int, float] = {}
        self.arrived: list[dict[int, float]] = [{}, {}]
        self.seen = [0, 0]
        self.faults = 0
        self.busy = False

    async def create(self, http: Http) -> None:
        _, body = await http.ask("POST", "/api/games", self.tokens[0], {"game": GAME, "seed": self.number, "you": 1})
        created = json.loads(body)
        self.id = created["id"]
        invitation = created["invitation"].partition("#")[2]
        _, body = await http.ask("POST", f"/api/games/{self.id}/join", self.tokens[1], {"invitation": invitation})
        assert json.loads(body) == {"seat": 2}
        self.revision = 1

    async def listen(self, player: int, port: int, ready: asyncio.Semaphore) -> None:
        """Note when each event arrives, and whether one is missing or out of order."""
        headers = {"authorization": f"Bearer {self.tokens[player]}"}
        address = f"ws://127.0.0.1:{port}/api/games/{self.id}/events?since={self.revision}"
        async with connect(address, additional_headers=headers, compression=None, max_queue=None) as socket:
            self.seen[player] = self.revision
            async for message in socket:
                now = time.perf_counter()
                if message.startswith('{"type": "hello"'):
                    ready.release()
                if not message.startswith('{"type": "events"'):
                    continue
                revision = int(REVISION.search(message)[1])  # type: ignore[index, arg-type]
                self.faults += revision != self.seen[player] + 1
                self.seen[player] = revision
                self.arrived[player][revision] = now

    async def move(self, http: Http, chance: random.Random) -> bool:
        """Make a move; False when the game is over or one is under way."""
        if self.busy or self.position.turn is None:
            return False
        self.busy = True
        mover, move = self.position.mover, chance.choice(self.position.moves())
        revision = self.revision
        self.sent[revision + 1] = time.perf_counter()
        asked = {"move": move, "revision": revision}
        status, body = await http.ask("POST", f"/api/games/{self.id}/moves", self.tokens[mover - 1], asked)
        assert status == 200, body
        self.position = self.position.play(move)
        self.revision += 1
        self.busy = False
        return True

    def times(self) -> list[float]:
        """Seconds from sending each move to its arrival at the other player."""
        start, found = pg.load(GAME).deal(seed=self.number), []
        for revision, sent in self.sent.items():
            mover = start.game.side_at(revision - 2)
            found.append(self.arrived[2 - mover].get(revision, float("inf")) - sent)
        return found


def shown(times: list[float]) -> str:
    times = sorted(times)
    p50, p99 = (times[min(len(times) - 1, int(share * len(times)))] * 1000 for share in (0.5, 0.99))
    return f"p50 {p50:6.1f} ms   p99 {p99:6.1f} ms   most {times[-1] * 1000:6.1f} ms"


async def steadily(games: list[Game], http: Http, rate: float, seconds: float, chance: random.Random) -> float:
    """Moves at a steady rate, whatever the answers; returns moves a second."""
    began, due, tasks = time.perf_counter(), 0, set()
    while (spent := time.perf_counter() - began) < seconds:
        while due < spent * rate:
            due += 1
            task = asyncio.create_task(chance.choice(games).move(http, chance))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        await asyncio.sleep(0.001)
    await asyncio.gather(*tasks)
    return sum(len(game.sent) for game in games) / (time.perf_counter() - began)


async def flat_out(games: list[Game], http: Http, chance: random.Random) -> tuple[int, float]:
    """Everybody moves as soon as they can, to the end of all games; returns moves and seconds."""
    before, began = sum(len(game.sent) for game in games), time.perf_counter()
    gate = asyncio.Semaphore(CONNECTIONS)

    async def finish(game: Game) -> None:
        async with gate:
            while await game.move(http, chance):
                pass

    await asyncio.gather(*map(finish, games))
    return sum(len(game.sent) for game in games) - before, time.perf_counter() - began


async def settle(games: list[Game]) -> None:
    """Wait until everything has arrived."""
    until = time.perf_counter() + QUIET_SECONDS
    while any(min(game.seen) < game.revision for game in games) and time.perf_counter() < until:
        await asyncio.sleep(0.05)


async def load(port: int, count: int, rate: float, seconds: float) -> bool:
    http, chance = Http(port), random.Random(1)
    await http.open()
    peer = []
    for _ in range(300):
        began = time.perf_counter()
        await http.ask("GET", "/health")
        peer.append(time.perf_counter() - began)
    games = [Game(number) for number in range(count)]
    began = time.perf_counter()
    for i in range(0, count, CONNECTIONS):
        await asyncio.gather(*(game.create(http) for game in games[i : i + CONNECTIONS]))
    ready = asyncio.Semaphore(0)
    listeners = []
    for game in games:
        listeners += [asyncio.create_task(game.listen(player, port, ready)) for player in (0, 1)]
        await ready.acquire()
        await ready.acquire()
    print(f"  {count} games created, {2 * count} players connected in {time.perf_counter() - began:.1f} s")
    http = Http(port)  # the server has closed connections that had nothing to do for so long
    await http.open()
    print(f"  peer: GET /health alone            {shown(peer)}")
    made = await steadily(games, http, rate, seconds, chance)
    await settle(games)
    times = [seconds for game in games for seconds in game.times()]
    ratio = sorted(times)[len(times) // 2] / sorted(peer)[len(peer) // 2]
    print(f"  steady: {made:5.0f} moves/s (of {rate:.0f})      {shown(times)}   p50 is {ratio:.1f} times the peer's")
    before = [len(game.sent) for game in games]
    moves, spent = await flat_out(games, http, chance)
    await settle(games)
    late = [t for game, n in zip(games, before, strict=True) for t in game.times()[n:]]
    print(f"  flat out: {moves / spent:5.0f} moves/s              {shown(late)}")
    lost = sum(game.revision - min(game.seen) for game in games)
    faults = sum(game.faults for game in games)
    print(f"  {sum(len(game.sent) for game in games)} moves; events lost: {lost}; doubled or out of order: {faults}")
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)
    return not lost and not faults and sorted(times)[int(0.99 * len(times))] < 0.1


def measure(database: str, args: argparse.Namespace) -> bool:
    command = [sys.executable, "-m", "pentagrid", "serve", "--port", "0", "--rate", "0", "--log", "warning"]
    server = subprocess.Popen([*command, "--database", database], stdout=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r":(\d+)/", server.stdout.readline())[1])  # type: ignore[index, union-attr]
        asyncio.run(_healthy(port))
        print(f"{database.partition(':')[0]}:")
        return asyncio.run(load(port, args.games, args.rate, args.seconds))
    finally:
        server.terminate()
        server.wait(30)


async def _healthy(port: int) -> None:
    http = Http(port)
    http.free.put_nowait(await asyncio.open_connection("127.0.0.1", port))
    await http.ask("GET", "/health")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--database", action="append", help="sqlite:///… or postgresql://…; may be given several times")
    args = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, load generator included")
    with tempfile.TemporaryDirectory() as folder:
        databases = args.database or [f"sqlite:///{Path(folder) / 'games.sqlite'}"]
        good = [measure(database, args) for database in databases]
    print("aim (p99 under 100 ms at a steady rate, nothing lost or reordered):", "met" if all(good) else "missed")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

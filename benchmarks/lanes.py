"""Who waits for whom: a visitor's short questions while another visitor asks for as much long work as they can.

    .venv/bin/python benchmarks/lanes.py [--questions 60] [--heavy 20] [--review-only]

A server is started as users start it, without a limit on requests. A visitor at one address asks for 4x4 analyses and
puzzles that nobody has asked for before: first alone (the peer), then while 20 connections of another address ask for
6x6 analyses and reviews all the time. At last a game of 6x6 Capture Squares is reviewed, with nothing else going on: by
the clock, and in processor time, which other programs do not disturb. A review is one piece after the other, so that on
a free machine both are the same but for what the server adds.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import count
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlencode

import pentagrid as pg
from pentagrid.core.rng import Dice
from pentagrid.web.lanes.analysis_service import LEAST_SECONDS
from pentagrid.web.lanes.analysis_work import judged
from pentagrid.web.settings import Settings

GREEDY, MODEST = "127.0.0.1", "127.0.0.2"
AIM_MS, AIM_REVIEW = 300, 3.0
BUSY, BUSY_SECONDS = 503, 0.5
FRESH = (900_001, 900_003, 900_005)
"""Seeds of games that nobody has had reviewed before."""
GAMES = ("matrix-capture", "capture-squares", "capture-square")
NDJSON = "application/x-ndjson"


class Visitor:
    """One kept-alive connection from an address."""

    def __init__(self, port: int, address: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120, source_address=(address, 0))

    def get(self, path: str, **query: object) -> int:
        self.connection.request("GET", f"{path}?{urlencode(query)}")
        answer = self.connection.getresponse()
        answer.read()
        return answer.status

    def review(self, start: pg.Position, moves: list[str]) -> tuple[int, float, float]:
        """The status, and seconds to the first position and to the end."""
        began = time.perf_counter()
        body = json.dumps({"start": start.text, "moves": moves})
        self.connection.request("POST", "/api/review", body, {"content-type": "application/json", "accept": NDJSON})
        answer = self.connection.getresponse()
        answer.readline()
        first = time.perf_counter() - began
        answer.read()
        return answer.status, first, time.perf_counter() - began


def played(name: str, size: int, seed: int) -> tuple[pg.Position, list[str]]:
    """A whole game at random."""
    start, dice, moves = pg.load(name, size).deal(seed), Dice(seed), []
    position = start
    while position.turn:
        moves.append(dice.choice(position.moves()))
        position = position.play(moves[-1])
    return start, moves


def besiege(port: int, number: int, over: Event, answers: Counter[int]) -> None:
    """Ask for long work again and again: every other request a review."""
    visitor = Visitor(port, GREEDY)
    for seed in count(1000 * number):
        if over.is_set():
            return
        start, moves = played("capture-squares", 6, seed)
        if seed % 2:
            status, *_ = visitor.review(start, moves)
        else:
            status = visitor.get("/api/analysis", position=start.play(moves[0]).text)
        answers[status] += 1
        over.wait(BUSY_SECONDS if status == BUSY else 0)


def ask(visitor: Visitor, questions: int, first_seed: int) -> dict[str, list[float]]:
    """Times of fresh questions, in milliseconds."""
    times: dict[str, list[float]] = {"4x4 analysis": [], "puzzle": []}
    for seed in range(first_seed, first_seed + questions):
        game = GAMES[seed % len(GAMES)]
        position = pg.load(game).deal(seed)
        position = position.play(position.moves()[seed % 5])
        began = time.perf_counter()
        assert visitor.get("/api/analysis", position=position.text) == 200
        between = time.perf_counter()
        assert visitor.get("/api/puzzle", game=game, difficulty=1 + seed % 5, seed=seed) == 200
        times["4x4 analysis"].append(1000 * (between - began))
        times["puzzle"].append(1000 * (time.perf_counter() - between))
    return times


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def measure(port: int, args: argparse.Namespace) -> bool:
    visitor, good = Visitor(port, MODEST), True
    ask(visitor, len(GAMES), 1)  # the process is there, with its tables
    idle = ask(visitor, args.questions, 10_000)
    over, answers = Event(), Counter[int]()
    siege = [Thread(target=besiege, args=(port, number, over, answers), daemon=True) for number in range(args.heavy)]
    for thread in siege:
        thread.start()
    time.sleep(3)
    busy = ask(visitor, args.questions, 20_000)
    over.set()
    for thread in siege:
        thread.join()
    for what, times in busy.items():
        more = percentile(times, 0.95) - percentile(idle[what], 0.95)
        good &= more < AIM_MS
        print(
            f"  {what:12}  alone: p50 {percentile(idle[what], 0.5):5.0f} p95 {percentile(idle[what], 0.95):5.0f} ms"
            f"   under siege: p50 {percentile(times, 0.5):5.0f} p95 {percentile(times, 0.95):5.0f} ms"
            f"   p95 {more:+.0f} ms (aim: under +{AIM_MS})"
        )
    print(f"  the siege: {answers[200]} long answers, {answers[BUSY]} refused as busy")
    return measure_review(port) and good


def measure_review(port: int) -> bool:
    reviews = [Visitor(port, MODEST).review(*played("capture-squares", 6, seed)) for seed in FRESH]
    first, whole = min(first for _, first, _ in reviews), min(whole for *_, whole in reviews)
    print(
        f"  6x6 review: first position after {first:.2f} s, all 37 after {whole:.2f} s (best of 3; aim: {AIM_REVIEW} s)"
    )
    times = [processor_times(*played("capture-squares", 6, seed)) for seed in FRESH]
    worst = max(times, key=sum)
    print(f"  in processor time at most {sum(worst):.2f} s, of which the longest position takes {max(worst):.2f} s")
    return min(whole, sum(worst)) <= AIM_REVIEW


def processor_times(start: pg.Position, moves: list[str]) -> list[float]:
    """Seconds of processor time for each position of a review, made as the server's process makes it."""
    line = [start]
    for move in moves:
        line.append(line[-1].play(move))
    actions = [start.game.action(move, position) for move, position in zip(moves, line, strict=False)]
    seconds = max(LEAST_SECONDS, Settings("").analysis_seconds / len(line))
    times = []
    for number, (position, action) in enumerate(zip(line, [*actions, None], strict=True), 1):
        began = time.process_time()
        judged(position, number, action, seconds, ("Ann", "Bob"))
        times.append(time.process_time() - began)
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--heavy", type=int, default=20)
    parser.add_argument("--review-only", action="store_true")
    args = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, load generator included")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pentagrid", "serve", "--port", "0", "--rate", "0", "--log", "warning"]
        database = f"sqlite:///{Path(folder) / 'games.sqlite'}"
        server = subprocess.Popen([*command, "--database", database], stdout=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r":(\d+)/", server.stdout.readline())[1])  # type: ignore[index, union-attr]
            good = measure_review(port) if args.review_only else measure(port, args)
        finally:
            server.terminate()
            server.wait(30)
    print("aims:", "met" if good else "missed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

"""Speed of the rules and of start-up, each beside a peer measured in the same run.

    make bench

Moves per second of processor time, the best of several: random play of whole games through the public API (`moves`,
`play`), next to an empty loop that only draws the random choice. Start-up: `pentagrid --version` and the time to the
first prompt of a hot-seat game, next to `python -c pass`.
"""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
import tempfile
import time

import pentagrid as pg

SECONDS = 0.5
REPEATS = 5
STARTS = 20


def random_play(name: str) -> float:
    """Moves per second of processor time in random games, the deals included."""
    game, chance = pg.load(name), random.Random(1)
    made = seed = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        position = game.deal(seed=seed)
        seed += 1
        while moves := position.moves():
            position = position.play(moves[int(chance.random() * len(moves))])
            made += 1
    return made / spent


def draws() -> float:
    """Random draws per second: the loop above without a game."""
    chance, items = random.Random(1), tuple(range(16))
    began = time.process_time()
    for _ in range(500_000):
        items[int(chance.random() * len(items))]
    return 500_000 / (time.process_time() - began)


def shortest(run: object) -> float:
    """The shortest of several starts, in milliseconds."""
    times = []
    for _ in range(STARTS):
        began = time.perf_counter()
        run()  # type: ignore[operator]
        times.append(time.perf_counter() - began)
    return min(times) * 1000


def to_the_end(*command: str) -> None:
    subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)


def to_the_first_prompt() -> None:
    command = [sys.executable, "-m", "pentagrid", "play", "matrix-capture"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as game:
        said = b""
        while b"(e.g., R2C2): " not in said:
            said += os.read(game.stdout.fileno(), 65536)  # type: ignore[union-attr]
        game.kill()


def main() -> None:
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores\n")
    peer = draws()
    print(f"{'random play':24} {'moves/s':>10}   one draw of chance: {peer:,.0f}/s")
    for name in pg.game_names():
        speed = max(random_play(name) for _ in range(REPEATS))
        print(f"{name:24} {speed:>10,.0f}   {peer / speed:5.1f} draws a move   (aim: 200,000 moves/s)")
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"HOME": home, "XDG_STATE_HOME": home}
        bare = shortest(lambda: to_the_end("-c", "pass"))
        version = shortest(lambda: to_the_end("-m", "pentagrid", "--version"))
        prompt = shortest(to_the_first_prompt)
    print(f"\n{'start-up':24} {'ms':>10}")
    print(f"{'python -c pass':24} {bare:>10.1f}")
    print(f"{'pentagrid --version':24} {version:>10.1f}   {version / bare:5.2f} times bare Python (aim: at most 5)")
    print(f"{'first prompt':24} {prompt:>10.1f}   {prompt / bare:5.2f} times bare Python (aim: at most 8)")


if __name__ == "__main__":
    main()

"""How long the full-screen app takes to answer a key while it thinks: with its analysis on, beside an idle board.

A cursor key is pressed every tenth of a second; its lag ends with the first byte that the app writes after it.
"""

from __future__ import annotations

import os
import pty
import select
import statistics
import subprocess
import sys
import tempfile
import termios
import time

KEYS = 40
PAUSE = 0.1
GOAL = 0.1
"""Seconds: what still feels immediate."""
GAMES = (
    ("matrix-capture", 4),
    ("capture-squares", 6),
    ("number-cross", 5),
    ("capture-square", 6),
    ("number-grid-battle", 6),
)


class Board:
    """The app at one game, on a pseudo-terminal."""

    def __init__(self, home: str, game: str, size: int) -> None:
        env = os.environ | {"HOME": home, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PENTAGRID_PLAIN": ""}
        env.pop("XDG_STATE_HOME", None)
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (40, 120))
        command = [sys.executable, "-m", "pentagrid", "play", game, "--size", str(size), "--seed", "7", "--app"]
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=env)
        os.close(slave)
        self.until(b" to move: ")
        self.settle()

    def until(self, words: bytes) -> None:
        written = b""
        while words not in written:
            if not select.select([self.master], [], [], 30)[0]:
                raise SystemExit(f"{words!r} was never written:\n{written!r}")
            written += os.read(self.master, 65536)

    def settle(self, seconds: float = 0.5) -> None:
        """Wait until nothing is written for a while."""
        while select.select([self.master], [], [], seconds)[0]:
            os.read(self.master, 65536)

    def press(self, key: str) -> float:
        """Seconds until the app writes something after a key."""
        while select.select([self.master], [], [], 0)[0]:
            os.read(self.master, 65536)
        began = time.perf_counter()
        os.write(self.master, key.encode())
        if not select.select([self.master], [], [], 30)[0]:
            raise SystemExit(f"{key!r} was never answered")
        return time.perf_counter() - began

    def lags(self) -> list[float]:
        lags = []
        for number in range(KEYS):
            lags.append(self.press("ljhk"[number % 4]))
            time.sleep(PAUSE)
        return lags

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


def shown(lags: list[float]) -> str:
    return f"{1000 * statistics.median(lags):5.0f} ms, at worst {1000 * max(lags):5.0f} ms"


def main() -> int:
    is_soon = True
    for game, size in GAMES:
        with tempfile.TemporaryDirectory() as home:
            board = Board(home, game, size)
            try:
                idle = board.lags()
                board.press("v")
                thinking = board.lags()
            finally:
                board.close()
        is_soon &= statistics.median(thinking) <= max(GOAL, 2 * statistics.median(idle))
        print(f"{game:>18} {size}x{size}  idle {shown(idle)}; thinking {shown(thinking)}")
    print(f"goal: a key is answered within {1000 * GOAL:.0f} ms, on a busy machine about as soon as on an idle board")
    return 0 if is_soon else 1


if __name__ == "__main__":
    sys.exit(main())

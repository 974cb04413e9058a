"""How soon the full-screen app is there: its first paint, beside that of a hello-world Textual app in the same run.

The budget is 2.5 times the hello-world app; more than that ends the run with exit code 1.
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

RUNS = 7
BUDGET = 2.5
HELLO = (
    "from textual.app import App; from textual.widgets import Static\n"
    "class Hello(App):\n"
    "    def compose(self): yield Static('Hello, world!')\n"
    "Hello().run()\n"
)
OURS = "import sys; from pentagrid.terminal.main import main; sys.exit(main([]))"


def first_paint(code: str, words: bytes) -> float:
    """Seconds from the start of a program on a terminal until words are on its screen."""
    with tempfile.TemporaryDirectory() as home:
        env = os.environ | {"HOME": home, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PENTAGRID_PLAIN": ""}
        env.pop("XDG_STATE_HOME", None)
        master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, 80))
        began = time.perf_counter()
        process = subprocess.Popen([sys.executable, "-c", code], stdin=slave, stdout=slave, stderr=slave, env=env)
        os.close(slave)
        written = b""
        try:
            while words not in written:
                ready, _, _ = select.select([master], [], [], 30)
                if not ready:
                    raise SystemExit(f"{words!r} was never painted:\n{written!r}")
                written += os.read(master, 65536)
            return time.perf_counter() - began
        finally:
            process.kill()
            process.wait()
            os.close(master)


def main() -> int:
    paints: dict[str, list[float]] = {"hello": [], "pentagrid": []}
    for number in range(RUNS + 1):
        for name, code, words in (("hello", HELLO, b"Hello, world!"), ("pentagrid", OURS, b"Number Grid Battle")):
            seconds = first_paint(code, words)
            if number:  # the first run fills the caches of the disk
                paints[name].append(seconds)
    hello, ours = (statistics.median(paints[name]) for name in ("hello", "pentagrid"))
    print(f"hello-world Textual app  first paint {1000 * hello:6.0f} ms")
    print(f"pentagrid                first paint {1000 * ours:6.0f} ms, {ours / hello:.2f} times (budget {BUDGET})")
    return 0 if ours <= BUDGET * hello else 1


if __name__ == "__main__":
    sys.exit(main())

"""The program on a real pseudo-terminal, with a screen that understands what it writes. Linux and macOS only."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time

import pyte


class RealTerminal:
    """A terminal of some size with a program in it."""

    def __init__(self, command, cwd, env, size=(80, 24)):
        self.master, slave = pty.openpty()
        self.columns, self.rows = size
        termios.tcsetwinsize(slave, (self.rows, self.columns))
        self.screen = pyte.Screen(self.columns, self.rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, cwd=cwd, env=env, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)

    def read(self, seconds):
        """Take what the program writes within so many seconds; says whether there was anything."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux reports a closed terminal this way
            return False
        self.written += data
        # Not understood by pyte: queries and modes of newer terminals.
        self.stream.feed(data.replace(b"\x1b[>", b"\x1b[").replace(b"\x1b[<", b"\x1b["))
        return bool(data)

    @property
    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def until(self, words, seconds=30, row=None):
        """Wait until words are on the screen, or in a row of it."""
        deadline = time.monotonic() + seconds
        while words not in (self.text if row is None else self.screen.display[row]):
            assert time.monotonic() < deadline, f"never seen: {words!r}\n{self.text}"
            self.read(0.2)

    def settle(self):
        """Wait until nothing more is written for a while."""
        while self.read(0.4):
            pass

    def type(self, text):
        os.write(self.master, text.encode())

    def click(self, words, column=0):
        """Click on the first place where words are seen."""
        for y, line in enumerate(self.screen.display):
            if words in line:
                place = f"0;{line.index(words) + column + 1};{y + 1}"
                self.type(f"\x1b[<{place}M\x1b[<{place}m")
                return
        raise AssertionError(f"not seen: {words!r}\n{self.text}")

    def resize(self, columns, rows):
        """Another size, and an empty screen: what is seen afterward was drawn for that size."""
        self.columns, self.rows = columns, rows
        self.screen.resize(rows, columns)
        self.screen.erase_in_display(2)
        termios.tcsetwinsize(self.master, (rows, columns))
        os.killpg(os.tcgetpgrp(self.master), signal.SIGWINCH)

    def end(self, seconds=20):
        """Wait for the end; the exit code."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.text
            self.read(0.1)
        while self.read(0.1):
            pass
        return self.process.returncode

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)


PENTAGRID = [sys.executable, "-m", "pentagrid"]

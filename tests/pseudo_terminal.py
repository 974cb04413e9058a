"""The program on a pseudo-terminal, with a person at both ends. Linux and macOS only."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import termios
import time


class Terminal:
    """The program with a person at both ends."""

    def __init__(self, program, *args, env=None, size=(24, 100), command=None):
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, size)
        command = command or [sys.executable, "-m", "pentagrid", *args]
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, cwd=program.folder,
            env=program.env | (env or {}), start_new_session=True, preexec_fn=self._own_terminal,
        )  # fmt: skip
        os.close(slave)
        self.told = ""
        self.read_to = 0

    @staticmethod
    def _own_terminal():
        import fcntl

        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def until(self, text, seconds=20):
        """Wait until a text has been said since the last one waited for."""
        deadline = time.monotonic() + seconds
        while text not in self.told[self.read_to :]:
            left = deadline - time.monotonic()
            assert left > 0 and self._more(left), f"never said: {text!r}\n{self.told}"
        self.read_to = self.told.index(text, self.read_to) + len(text)

    def _more(self, seconds):
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 4096)
        except OSError:  # Linux reports a closed terminal this way
            return False
        self._heard(data)
        return bool(data)

    def _heard(self, data):
        self.told += data.decode().replace("\r\n", "\n")

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        """Wait for the end; the exit code."""
        while self._more(20):
            pass
        code = self.process.wait(20)
        os.close(self.master)
        assert "Traceback" not in self.told, self.told
        return code


class Screen(Terminal):
    """The program with a person at both ends, who looks at the screen."""

    def __init__(self, program, *args, size=(24, 100), **options):
        import pyte

        self.drawn = pyte.Screen(size[1], size[0])
        self.stream = pyte.ByteStream(self.drawn)
        super().__init__(program, *args, size=size, **options)

    def _heard(self, data):
        self.stream.feed(data)
        self.told += data.decode(errors="replace").replace("\r\n", "\n")

    @property
    def lines(self):
        """What stands on the screen."""
        return [line.rstrip() for line in self.drawn.display]

    @property
    def line(self):
        """The line of the cursor up to the cursor."""
        return self.drawn.display[self.drawn.cursor.y][: self.drawn.cursor.x]

    def until(self, text, seconds=20):
        """Wait until a text stands on the screen."""
        self._wait(lambda: text in "\n".join(self.lines), f"never seen: {text!r}", seconds)

    def until_line(self, end, seconds=20):
        """Wait until the line of the cursor ends like this."""
        self._wait(lambda: self.line.endswith(end), f"the line never ended: {end!r}", seconds)

    def _wait(self, holds, complaint, seconds):
        deadline = time.monotonic() + seconds
        while not holds():
            left = deadline - time.monotonic()
            assert left > 0 and self._more(left), complaint + "\n" + "\n".join(self.lines)

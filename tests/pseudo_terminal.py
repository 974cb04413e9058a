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

    def __init__(self, program, *args, env=None):
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, 100))
        command = [sys.executable, "-m", "pentagrid", *args]
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
        self.told += data.decode().replace("\r\n", "\n")
        return bool(data)

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

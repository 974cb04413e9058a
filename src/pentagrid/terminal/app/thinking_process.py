"""The process that thinks: it reads what to do, and which of it is given up, and writes the answers.

It ends as soon as its input does, so it never outlives the app.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from queue import SimpleQueue
from threading import Thread
from typing import Any


def main() -> None:
    """Work until there is no more input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the app's
    if hasattr(os, "nice"):
        os.nice(10)  # keys come first
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    asked: SimpleQueue[tuple[Any, ...]] = SimpleQueue()
    given_up: set[int] = set()
    Thread(target=_listen, args=(asked, given_up), daemon=True).start()
    while True:
        number, can_stop, work, args = asked.get()
        stop = {"stop": lambda number=number: number in given_up} if can_stop else {}
        try:
            answer: tuple[bool, Any] = True, work(*args, **stop)
        except Exception as error:  # raised where the answer is waited for
            answer = False, error
        pickle.dump(answer, answers)
        answers.flush()


def _listen(asked: SimpleQueue[tuple[Any, ...]], given_up: set[int]) -> None:
    """Take what comes, also while something is worked on."""
    while True:
        try:
            message = pickle.load(sys.stdin.buffer)
        except EOFError:
            os._exit(0)
        if isinstance(message, int):
            given_up.add(message)
        else:
            asked.put(message)


if __name__ == "__main__":
    main()

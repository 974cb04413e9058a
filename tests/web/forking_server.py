"""Starts servers quickly, again and again: this process loads everything once, and each server is a fork of it.

Run by the tests with the number of a listening socket and a database; for each line read, a server is started and the
number of its process is written.
"""

from __future__ import annotations

import os
import socket
import sys

import uvicorn

from pentagrid.web import logs
from pentagrid.web.app import make_app
from pentagrid.web.settings import Settings


def run_server(listening: socket.socket, settings: Settings) -> None:
    logs.set_up(settings.log_level)
    config = uvicorn.Config(make_app(settings), log_config=None, access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    listening = socket.socket(fileno=int(sys.argv[1]))
    settings = Settings(sys.argv[2], rate=0, log_level="ERROR")
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            run_server(listening, settings)
            os._exit(0)
        print(child, flush=True)
        os.waitpid(child, 0)
        print("ended", flush=True)

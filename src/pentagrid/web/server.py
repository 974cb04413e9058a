"""The server process: opens the socket, runs the application, and lets requests finish when it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys

import uvicorn
from uvicorn.supervisors import Multiprocess

from pentagrid.errors import OptionError
from pentagrid.web import logs
from pentagrid.web.settings import Settings
from pentagrid.web.store.interface import Store, open_store

GRACE_SECONDS = 10
"""How long requests may take to finish when the server ends."""
BACKLOG = 2048


def serve(host: str, port: int, workers: int, settings: Settings) -> int:
    """Serve until a signal ends it; returns the exit code. Raises `OptionError` if it cannot begin."""
    if workers < 1:
        raise OptionError(f"--workers must be at least 1, not {workers}.")
    store = open_store(settings.database)
    if workers > 1 and not store.shared:
        raise OptionError(f"--workers {workers} needs PostgreSQL: {store.name} serves one process.")
    asyncio.run(_try_out(store))
    listening = _listen(host, port)
    settings.to_environment()
    config = uvicorn.Config(
        "pentagrid.web.app:from_environment",
        factory=True,
        workers=workers,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=1 << 16,
        timeout_graceful_shutdown=GRACE_SECONDS,
        backlog=BACKLOG,
    )
    logs.set_up(settings.log_level)
    shown = f"[{host}]" if ":" in host else host
    print(f"Pentagrid is at http://{shown}:{listening.getsockname()[1]}/ (Ctrl-C ends it)", flush=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(0))  # until uvicorn handles them, and when it raises them again
    server = uvicorn.Server(config)
    if workers > 1:
        Multiprocess(config, sockets=[listening]).run()
        return 0
    server.run(sockets=[listening])
    return 0 if server.started else 1


async def _try_out(store: Store) -> None:
    """Open the store once, so that a mistake in its address is reported at once."""

    async def ignore(_: str) -> None:
        pass

    try:
        await store.open(ignore)
    finally:
        await store.close()


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise OptionError(f"--port must be between 0 and 65535, not {port}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        why = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        raise OptionError(
            f"Cannot listen on {host} port {port}: {why.rstrip('.')}. Try another --port or --host."
        ) from None
    listening.listen(BACKLOG)
    listening.set_inheritable(True)
    return listening

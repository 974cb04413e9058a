"""Helpers of the tests of play across machines: the program over pipes, a network that can be cut, a hostile server."""

from __future__ import annotations

import http.server
import json
import os
import re
import select
import socket
import ssl
import threading
import time
from contextlib import suppress

from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response
from websockets.sync.server import serve as serve_websockets

LINK = re.compile(r"http\S+/play/\S{16}#\S{43}")


class Piped:
    """The program over pipes, read as it speaks."""

    def __init__(self, program, *args, typed=None):
        self.process = program.start(*args)
        self.told, self.read_to = "", 0
        if typed is not None:
            self.process.stdin.write(typed.encode())
            self.process.stdin.close()

    def until(self, text, seconds=20):
        """Wait until a text has been said since the last one waited for."""
        deadline = time.monotonic() + seconds
        while text not in self.told[self.read_to :]:
            left = deadline - time.monotonic()
            assert left > 0 and self._more(left), f"never said: {text!r}\n{self.told}"
        self.read_to = self.told.index(text, self.read_to) + len(text)

    def _more(self, seconds):
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            return False
        data = os.read(self.process.stdout.fileno(), 65536)
        self.told += data.decode()
        return bool(data)

    def type(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def end(self, code=0):
        """Wait for the end; everything that was said."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        while self._more(30):
            pass
        assert self.process.wait(10) == code, self.told
        self.process.stdout.close()
        assert "Traceback" not in self.told, self.told
        return self.told


class Network:
    """A way to a server that can be cut, and that can be encrypted as a proxy does it."""

    def __init__(self, port, certificate=None):
        self._to = port
        self._context = None
        if certificate is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(*certificate)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._open: list[socket.socket] = []
        self.is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near):
        try:
            if self.is_cut:
                raise OSError
            if self._context is not None:
                near = self._context.wrap_socket(near, server_side=True)
            far = socket.create_connection(("127.0.0.1", self._to))
        except OSError:
            near.close()
            return
        self._open += [near, far]
        for one, two in ((near, far), (far, near)):
            threading.Thread(target=self._pass_on, args=(one, two), daemon=True).start()

    @staticmethod
    def _pass_on(one, two):
        try:
            while data := one.recv(65536):
                two.sendall(data)
        except OSError:
            pass
        for each in (one, two):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def cut(self):
        """Break every connection, and let nobody through."""
        self.is_cut = True
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def mend(self):
        self.is_cut = False

    def close(self):
        self.cut()
        self._listening.close()


class HostileServer:
    """A server that shows a game, and then sends whatever it is told to send."""

    def __init__(self, view, *messages):
        self.view = view if isinstance(view, bytes) else json.dumps(view).encode()
        self.messages = messages
        self._server = serve_websockets(self._socket, "127.0.0.1", 0, process_request=self._answer, max_size=None)
        self.address = f"http://127.0.0.1:{self._server.socket.getsockname()[1]}"
        self.link = f"{self.address}/play/{'g' * 16}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _answer(self, connection, request):
        if request.path.endswith("/events") or "/events?" in request.path:
            return None
        return Response(200, "OK", Headers({"content-length": str(len(self.view))}), self.view)

    def _socket(self, connection):
        try:
            for message in self.messages:
                connection.send(message)
            connection.recv()
        except ConnectionClosed:
            pass

    def close(self):
        self._server.shutdown()


class RawServer:
    """A server that gives one answer to everything, byte by byte as given."""

    def __init__(self, answer):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
        handler = type("Handler", (http.server.BaseHTTPRequestHandler,), {"handle": lambda me: self._handle(me)})
        self._server.RequestHandlerClass = handler
        self.answer = answer
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self.link = f"{self.address}/play/{'g' * 16}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _handle(self, handler):
        handler.request.recv(65536)
        with suppress(OSError):
            handler.request.sendall(self.answer)
            handler.request.shutdown(socket.SHUT_WR)
            while handler.request.recv(65536):  # a request that is not read to its end would break the answer off
                pass

    def close(self):
        self._server.shutdown()
        self._server.server_close()

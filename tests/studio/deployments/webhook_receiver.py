"""A program that receives webhooks: it keeps what came, and answers as it is told."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Receiver(ThreadingHTTPServer):
    """Answers with ``statuses``, one after the other, and then with 204."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/hook?token=of%20ours"
        self.statuses: list[int] = []
        self.got: list[tuple[str, str, bytes]] = []
        """Path, signature and body."""
        self.is_dripping = False

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, _, body in self.got]


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.path, self.headers["Modelyard-Signature"], body))
        if self.server.is_dripping:
            self._drip()
            return
        self.send_response(self.server.statuses.pop(0) if self.server.statuses else 204)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self.server.got.append((self.path, "", b""))
        self.send_error(404)

    def _drip(self) -> None:
        self.close_connection = True
        try:
            while self.server.is_dripping:
                self.wfile.write(b"H")
                threading.Event().wait(0.05)
        except OSError:
            pass

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def receiving() -> Iterator[Receiver]:
    server = Receiver()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.is_dripping = False
        server.shutdown()
        server.server_close()
        thread.join()


def is_genuine(body: bytes, header: str, secret: str) -> bool:
    """As the guide shows it."""
    time, signature = (part.split("=")[1] for part in header.split(","))
    expected = hmac.new(secret.encode(), f"{time}.".encode() + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(signature, expected)

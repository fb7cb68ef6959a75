"""Between the web server, which speaks ASGI, and the platform's code, which is synchronous: the body first, then a thread.

Why: docs/decisions/0016.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

from studio.common.errors import StudioError
from studio.common.failures import failure_known
from studio.common.problem import problem_response
from studio.config.request_bodies import Bodies, Body, CallerGoneError, Receive
from studio.config.threads import Threads

Scope = Mapping[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]

SENDING_S = 60.0
"""How long a caller may take to read one piece of a stream, which holds a thread."""
FILE_BLOCK_BYTES = 256 * 1024

_log = logging.getLogger(__name__)


class Application:
    """Hands each request to a thread once its body is there, and sends what the thread gives."""

    def __init__(self, handler: Callable[..., Iterable[bytes]], *, bodies: Bodies, threads: Threads) -> None:
        """``handler`` is a WSGI application."""
        self._handler = handler
        self._bodies = bodies
        self._threads = threads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI entry."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "lifespan":
            await _lifespan(receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _joined(scope["headers"])
        try:
            body = await self._bodies.receive(headers, receive)
        except CallerGoneError:
            return
        except Exception as error:
            known = failure_known(error)
            if known is None:
                raise
            await _refuse(send, known)
            return
        try:
            answer = _Answer(asyncio.get_running_loop(), receive, send)
            await self._threads.run(lambda: self._answer(answer, environ_of(scope, headers, body)))
            if answer.body is not None:
                await answer.send_whole()
        finally:
            body.close()

    def _answer(self, answer: _Answer, environ: dict[str, Any]) -> None:
        """In a thread: runs the handler; what it gives in one piece is sent by the event loop, a stream piece by piece."""
        made = self._handler(environ, answer.start)
        try:
            if getattr(made, "streaming", False) or isinstance(made, _File):
                answer.send_pieces(made)
            else:
                answer.body = b"".join(made)
        except Exception as error:
            known = failure_known(error)
            if known is None or answer.is_begun:
                raise
            _log.error("an answer could not be begun: %s", error)
            response = problem_response(known)
            answer.start(f"{response.status_code} ", list(response.items()))
            answer.body = response.content
        finally:
            close = getattr(made, "close", None)
            if close is not None:
                close()


class _Answer:
    """What goes back to the caller."""

    def __init__(self, loop: asyncio.AbstractEventLoop, receive: Receive, send: Send) -> None:
        self._loop = loop
        self._receive = receive
        self._send = send
        self._start: dict[str, Any] = {}
        self._is_caller_gone = False
        self.body: bytes | None = None
        self.is_begun = False
        """Whether the head of a stream is sent."""

    def start(self, status: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
        """WSGI's ``start_response``."""
        del exc_info
        named = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        self._start = {"type": "http.response.start", "status": int(status[:3]), "headers": named}

    async def send_whole(self) -> None:
        """Sends an answer that is there."""
        await self._send(self._start)
        await self._send({"type": "http.response.body", "body": self.body, "more_body": False})

    def send_pieces(self, pieces: Iterable[bytes]) -> None:
        """In a thread: sends while more is made; the next piece is asked for when the caller has room for it."""
        watch = asyncio.run_coroutine_threadsafe(self._watch(), self._loop)
        try:
            for piece in self._begun(pieces):
                if self._is_caller_gone:
                    return
                if piece:
                    self._wait({"type": "http.response.body", "body": piece, "more_body": True})
            self._wait({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            _log.info("a caller did not read for %s s; the stream ends", SENDING_S)
        finally:
            watch.cancel()

    def _begun(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The pieces, after the head: while none is made, a failure can still be reported."""
        made = iter(pieces)
        first = next(made, b"")
        self.is_begun = True
        self._wait(self._start)
        yield first
        yield from made

    def _wait(self, message: dict[str, Any]) -> None:
        async def sent() -> None:
            async with asyncio.timeout(SENDING_S):
                await self._send(message)

        asyncio.run_coroutine_threadsafe(sent(), self._loop).result()

    async def _watch(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._is_caller_gone = True


class _File:
    """WSGI's ``file_wrapper``: a file in large pieces."""

    def __init__(self, file: Any, block_size: int = 0) -> None:  # noqa: ANN401 - whatever has read() and close()
        del block_size
        self._file = file

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self._file.read(FILE_BLOCK_BYTES), b"")

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def environ_of(scope: Scope, headers: Mapping[bytes, bytes], body: Body) -> dict[str, Any]:
    """A request in WSGI's words."""
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    host, port = scope.get("server") or ("localhost", None)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": (unquote_to_bytes(path) if b"%" in path else path).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or ""),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("", 0))[0],
        "CONTENT_LENGTH": str(body.size),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body.open(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": _File,
    }
    for name, value in headers.items():
        if name == b"content-type":
            environ["CONTENT_TYPE"] = value.decode("latin-1")
        elif name != b"content-length" and b"_" not in name:  # X_Forwarded_For would pass for X-Forwarded-For
            environ["HTTP_" + name.decode("latin-1").upper().replace("-", "_")] = value.decode("latin-1")
    return environ


def _joined(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Headers by their names; what was sent more than once is joined as it may be."""
    joined: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in joined:
            joined[name] += (b"; " if name == b"cookie" else b",") + value
        else:
            joined[name] = value
    return joined


async def _refuse(send: Send, error: StudioError) -> None:
    """Answers before Django was asked; what is left of the body is not read, so the connection ends."""
    response = problem_response(error)
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    headers += [(b"content-length", str(len(response.content)).encode())]
    headers += [(b"connection", b"close"), (b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content, "more_body": False})


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return

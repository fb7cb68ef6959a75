"""Bodies of requests are received whole before a thread is taken, so that a caller who sends slowly holds nothing but a socket.

What is small stays in memory, the rest goes to a file without a name in the home. A caller who sends nothing for a while, or
less than a slow telephone line carries, is told so and let go; when very many bodies are on their way, the one that has been
silent for longest makes room.
"""

from __future__ import annotations

import asyncio
import io
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from studio.common.errors import BodyTooLargeError, BodyTooSlowError, LengthRequiredError, UnavailableError
from studio.config.threads import Threads

Receive = Callable[[], Awaitable[Mapping[str, Any]]]

MIB = 2**20
WRITE_BYTES = 1 * MIB
"""What is gathered before it is written to the file."""


class CallerGoneError(Exception):
    """The connection broke before the body was there."""


@dataclass(frozen=True)
class Limits:
    """What bodies may take."""

    body_bytes: int = 128 * MIB
    """Twice the largest part of an upload."""
    memory_bytes: int = 256 * 1024
    """A larger body goes to a file."""
    files_bytes: int = 4096 * MIB
    """All files of bodies that are on their way or being answered."""
    silence_s: float = 30.0
    grace_s: float = 60.0
    """From here on a body must come at ``bytes_per_s`` on the average."""
    bytes_per_s: float = 4096.0
    waiting: int = 2000
    """Bodies on their way at the same time."""


class Bodies:
    """Receives the bodies of all requests; used by one event loop."""

    def __init__(self, folder: Path, limits: Limits | None = None) -> None:
        """``folder`` is where larger ones lie."""
        self._folder = folder
        self._limits = limits or Limits()
        self._waiting: dict[int, asyncio.Timeout] = {}
        """By the id of the body; the one that has been silent for longest comes first."""
        self._files_bytes = 0
        self._writers = Threads(2)

    async def receive(self, headers: Mapping[bytes, bytes], receive: Receive) -> Body:
        """The whole body; close it after use.

        Raises:
            StudioError: it is too large or too slow, has no length, or too much is on its way.
            OSError: it cannot be written.
            CallerGoneError: nobody waits for an answer any more.
        """
        if b"transfer-encoding" in headers:
            raise LengthRequiredError(hint="Send the size of the body in `Content-Length`, not in chunks.")
        given = headers.get(b"content-length", b"0")
        size = int(given) if given.isdigit() else 0
        if size > self._limits.body_bytes:
            limit = self._limits.body_bytes
            raise BodyTooLargeError(
                f"The request is larger than {limit // MIB} MiB.", hint="Send a large file in parts.", params={"limit": limit}
            )
        body = Body(self, size)
        try:
            if size:
                await self._fill(body, receive)
        except BaseException:
            body.close()
            raise
        return body

    async def _fill(self, body: Body, receive: Receive) -> None:
        started = asyncio.get_running_loop().time()
        while body.received < body.size:
            until = started + max(self._limits.grace_s, body.received / self._limits.bytes_per_s)
            message = await self._next(id(body), receive, until)
            if message["type"] == "http.disconnect" or not (message["body"] or message["more_body"]):
                raise CallerGoneError
            body.add(message["body"])
            if body.size > self._limits.memory_bytes and (body.gathered >= WRITE_BYTES or body.received >= body.size):
                await self._write(body)

    async def _next(self, key: int, receive: Receive, until: float) -> Mapping[str, Any]:
        now = asyncio.get_running_loop().time()
        timeout = asyncio.timeout_at(min(now + self._limits.silence_s, until))
        if len(self._waiting) >= self._limits.waiting:
            self._waiting.pop(next(iter(self._waiting))).reschedule(now)
        self._waiting[key] = timeout
        try:
            async with timeout:
                return await receive()
        except TimeoutError:
            raise BodyTooSlowError(hint="Send it again; a large file goes in parts.") from None
        finally:
            self._waiting.pop(key, None)

    async def _write(self, body: Body) -> None:
        if self._files_bytes + body.gathered > self._limits.files_bytes:
            raise UnavailableError("Too much is being sent at the moment.", hint="Try again.", extra={"retry_after_s": 10})
        self._files_bytes += body.gathered
        body.counted += body.gathered
        await self._writers.run(lambda: body.write(self._folder))

    def give_back(self, num_bytes: int) -> None:
        """Releases the space of a file that is gone."""
        self._files_bytes -= num_bytes


class Body:
    """A body in memory or in a file."""

    def __init__(self, bodies: Bodies, size: int) -> None:
        """``size`` is what the caller announced, in bytes."""
        self.size = size
        self.received = 0
        self.gathered = 0
        """Bytes that are not in the file."""
        self.counted = 0
        """Bytes of the file that the limit knows of."""
        self._bodies = bodies
        self._chunks: list[bytes] = []
        self._file: IO[bytes] | None = None

    def add(self, chunk: bytes) -> None:
        """Takes what came."""
        self._chunks.append(chunk)
        self.received += len(chunk)
        self.gathered += len(chunk)

    def write(self, folder: Path) -> None:
        """Moves what is gathered to the file."""
        if self._file is None:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by close()
        self._file.writelines(self._chunks)
        self._file.flush()
        self._chunks.clear()
        self.gathered = 0

    def open(self) -> IO[bytes]:
        """The body from its beginning."""
        if self._file is None:
            return io.BytesIO(b"".join(self._chunks))
        self._file.seek(0)
        return self._file

    def close(self) -> None:
        """Frees memory and file; from the event loop."""
        self._chunks.clear()
        self._bodies.give_back(self.counted)
        self.counted = 0
        if self._file is not None:
            self._file.close()
            self._file = None

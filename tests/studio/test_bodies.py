"""Bodies and their limits, and a request in WSGI's words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from studio.common.blob_store import BlobDamagedError
from studio.common.errors import BodyTooLargeError, BodyTooSlowError, LengthRequiredError, StudioError, UnavailableError
from studio.config.asgi_bridge import Application, environ_of
from studio.config.request_bodies import MIB, Bodies, CallerGoneError, Limits
from studio.config.threads import Threads


def receiver(chunks: Sequence[bytes], *, then_silent: bool = False):
    left = list(chunks)

    async def receive():
        await asyncio.sleep(0)
        if left:
            return {"type": "http.request", "body": left.pop(0), "more_body": True}
        if then_silent:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    return receive


def received(bodies: Bodies, size: int, chunks: Sequence[bytes], **arguments: bool) -> bytes:
    async def run() -> bytes:
        body = await bodies.receive({b"content-length": str(size).encode()}, receiver(chunks, **arguments))
        try:
            return body.open().read()
        finally:
            body.close()

    return asyncio.run(run())


@pytest.mark.parametrize("num_chunks", [1, 7, 40])
def test_a_body_is_what_was_sent(tmp_path: Path, num_chunks: int):
    chunks = [bytes([number]) * 65_000 for number in range(num_chunks)]
    assert received(Bodies(tmp_path), 65_000 * num_chunks, chunks) == b"".join(chunks)
    assert list(tmp_path.iterdir()) == []  # the file has no name


def test_silence_raises_an_alert(tmp_path: Path):
    bodies = Bodies(tmp_path, Limits(silence_s=0.05))
    with pytest.raises(BodyTooSlowError):
        received(bodies, 10, [b"a"], then_silent=True)


def test_trickling_is_refused(tmp_path: Path):
    bodies = Bodies(tmp_path, Limits(grace_s=0.0, bytes_per_s=1e12))
    with pytest.raises(BodyTooSlowError):
        received(bodies, 10, [b"a"] * 9, then_silent=True)


def test_a_broken_connection_is_no_body(tmp_path: Path):
    with pytest.raises(CallerGoneError):
        received(Bodies(tmp_path), 10, [b"a"])


@pytest.mark.parametrize(
    ("headers", "kind"),
    [({b"content-length": b"129"}, BodyTooLargeError), ({b"transfer-encoding": b"chunked"}, LengthRequiredError)],
)
def test_refused_before_a_byte_is_read(tmp_path: Path, headers: dict[bytes, bytes], kind: type[StudioError]):
    bodies = Bodies(tmp_path, Limits(body_bytes=128))
    with pytest.raises(kind):
        asyncio.run(bodies.receive(headers, receiver([])))


def test_files_have_a_limit_and_free_their_space(tmp_path: Path):
    bodies = Bodies(tmp_path, Limits(files_bytes=3 * MIB))
    two = [b"x" * MIB] * 2

    async def run() -> None:
        headers = {b"content-length": str(2 * MIB).encode()}
        first = await bodies.receive(headers, receiver(two))
        with pytest.raises(UnavailableError):
            await bodies.receive(headers, receiver(two))
        first.close()
        (await bodies.receive(headers, receiver(two))).close()

    asyncio.run(run())


def test_the_most_silent_is_dropped(tmp_path: Path):
    bodies = Bodies(tmp_path, Limits(waiting=2))

    async def run() -> list[object]:
        silent = [
            asyncio.create_task(bodies.receive({b"content-length": b"2"}, receiver([b"a"], then_silent=True))) for _ in range(2)
        ]
        await asyncio.sleep(0.05)
        (await bodies.receive({b"content-length": b"2"}, receiver([b"ab"]))).close()
        done, waiting = await asyncio.wait(silent, timeout=0.2)
        for task in waiting:
            task.cancel()
        assert silent[0] in done
        return [task.exception() for task in done]

    (answered,) = asyncio.run(run())
    assert isinstance(answered, BodyTooSlowError)


def test_a_request_in_wsgis_words(tmp_path: Path):
    headers = {
        b"content-length": b"0",
        b"content-type": b"text/plain",
        b"x-one": b"1",
        b"x_one": b"forged",
        b"cookie": b"a=1; b=2",
    }
    body = asyncio.run(Bodies(tmp_path).receive(headers, receiver([])))
    scope = {
        "method": "GET",
        "path": "/a/é b",
        "raw_path": b"/a/%C3%A9%20b",
        "query_string": b"q=%C3%A9",
        "scheme": "http",
        "http_version": "1.1",
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 5),
    }
    environ = environ_of(scope, headers, body)
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/a/é b"
    assert environ["QUERY_STRING"] == "q=%C3%A9"
    assert (environ["CONTENT_TYPE"], environ["HTTP_X_ONE"], environ["HTTP_COOKIE"]) == ("text/plain", "1", "a=1; b=2")


class _Stream:
    """A stream that breaks off at a piece."""

    streaming = True

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        yield from self._pieces
        raise BlobDamagedError("a" * 64)


def _response(tmp_path: Path, stream: _Stream) -> list[dict]:
    def handler(environ: dict, start_response) -> _Stream:
        del environ
        start_response("200 OK", [("Content-Type", "application/zip")])
        return stream

    sent: list[dict] = []

    async def run() -> None:
        async def send(message: dict) -> None:
            sent.append(message)

        application = Application(handler, bodies=Bodies(tmp_path), threads=Threads(1))
        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "http_version": "1.1", "scheme": "http"}
        await application({**scope, "headers": []}, receiver([], then_silent=True), send)

    asyncio.run(run())
    return sent


def test_a_stream_that_cannot_begin_is_refused_in_words(tmp_path: Path):
    start, body = _response(tmp_path, _Stream())
    assert (start["status"], json.loads(body["body"])["code"]) == (500, "blob_damaged")


def test_a_stream_that_breaks_off_later_is_broken_off(tmp_path: Path):
    with pytest.raises(BlobDamagedError):
        _response(tmp_path, _Stream(b"half"))

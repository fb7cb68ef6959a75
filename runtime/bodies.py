"""Takes a request's body apart as far as all kinds of items do it: reading it, forms, and arguments."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from .errors import ArgumentInvalidError, BodyTooLargeError, MultipartInvalidError, RuntimeFault

Receive = Callable[[], Awaitable[dict[str, Any]]]

MAX_DRAINED_BYTES = 64 << 20
"""Of a body that is too large, so much is read and thrown away, because most clients read the answer only afterwards."""
FORM_TYPE = "application/x-www-form-urlencoded"
"""What curl says of any body, so a picture may come under this name too."""


class ClientGoneError(Exception):
    """The caller hung up before the body was complete."""


async def body_read(receive: Receive, *, declared_bytes: int | None, max_bytes: int) -> bytes:
    """Reads the whole body.

    Raises:
        BodyTooLargeError: it is larger than ``max_bytes``.
        ClientGoneError: the client left before the whole body had arrived.
    """
    if declared_bytes is not None and declared_bytes > max_bytes:
        await _drain(receive, 0)
        raise BodyTooLargeError(f"the body has {declared_bytes:,} bytes, at most {max_bytes:,} are taken")
    message = await receive()
    if message["type"] == "http.request" and not message.get("more_body"):
        first: bytes = message.get("body", b"")
        if len(first) > max_bytes:
            raise BodyTooLargeError(f"the body has more than {max_bytes:,} bytes")
        return first
    chunks, num_bytes = [], 0
    while message["type"] == "http.request":
        chunks.append(message.get("body", b""))
        num_bytes += len(chunks[-1])
        if num_bytes > max_bytes:
            if message.get("more_body"):
                await _drain(receive, num_bytes)
            raise BodyTooLargeError(f"the body has more than {max_bytes:,} bytes")
        if not message.get("more_body"):
            return b"".join(chunks)
        message = await receive()
    raise ClientGoneError


async def _drain(receive: Receive, num_bytes: int) -> None:
    while num_bytes < MAX_DRAINED_BYTES:
        message = await receive()
        num_bytes += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            return


def is_json(body: bytes, content_type: str) -> bool:
    """Whether a body is a JSON object, whatever it calls itself."""
    return content_type.startswith("application/json") or body.lstrip()[:1] == b"{"


def form_parse(
    body: bytes, content_type: str, missing: type[RuntimeFault], *, fields: Collection[str] = ()
) -> tuple[list[bytes], dict[str, Any]]:
    """Files and arguments of a multipart form.

    Args:
        body: of the request.
        content_type: of the request.
        missing: what an empty file is refused with.
        fields: besides ``file``, those that hold items even where they are no files.

    Raises:
        MultipartInvalidError: it is none.
        RuntimeFault: ``missing``, when a file is empty.
    """
    boundary = _parameter(content_type, "boundary")
    if not boundary:
        raise MultipartInvalidError("the content type names no boundary")
    head, *parts = (b"\r\n" + body).split(b"\r\n--" + boundary.encode("latin-1"))
    if not parts or not parts[-1].startswith(b"--") or head.strip():
        raise MultipartInvalidError("the form does not end with its boundary")
    pictures: list[bytes] = []
    arguments: dict[str, Any] = {}
    for part in parts[:-1]:
        raw_headers, mark, content = part.partition(b"\r\n\r\n")
        if not mark:
            raise MultipartInvalidError("a part of the form has no headers")
        disposition = _disposition(raw_headers)
        name = _parameter(disposition, "name")
        if name == "file" or name in fields or _parameter(disposition, "filename"):
            pictures.append(content)
        else:
            arguments[name] = content.decode("utf-8", "replace")
    if b"" in pictures:
        raise missing("a file of the form is empty")
    return pictures, arguments


def _disposition(raw_headers: bytes) -> str:
    for line in raw_headers.decode("utf-8", "replace").split("\r\n"):
        name, _, value = line.partition(":")
        if name.strip().lower() == "content-disposition":
            return value
    return ""


def _parameter(header: str, name: str) -> str:
    for piece in header.split(";")[1:]:
        key, _, value = piece.strip().partition("=")
        if key.lower() == name:
            return value.strip('"')
    return ""


def top_of(arguments: Mapping[str, Any]) -> int | None:
    """How many annotations the caller wants.

    Raises:
        ArgumentInvalidError: it is no whole number of at least 1.
    """
    name = "top" if "top" in arguments else "top_num"
    return None if arguments.get(name) is None else whole_of(arguments, name, 0, called="top")


def whole_of(arguments: Mapping[str, Any], name: str, default: int, *, called: str | None = None) -> int:
    """A whole number of at least 1 among the arguments.

    Args:
        arguments: of the body and the address.
        name: of the argument.
        default: where it is absent.
        called: how an error names it.

    Raises:
        ArgumentInvalidError: it is none.
    """
    given, called = arguments.get(name, default), called or name
    try:
        whole = int(given)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentInvalidError(f"{called} is not a whole number: {given!r}") from error
    if isinstance(given, bool | float) or whole < 1:
        raise ArgumentInvalidError(f"{called} must be a whole number of at least 1, not {given!r}")
    return whole


def threshold_of(arguments: Mapping[str, Any]) -> float | None:
    """The lowest score that the caller wants to see.

    Raises:
        ArgumentInvalidError: it does not lie between 0 and 1.
    """
    given = arguments.get("threshold")
    if given is None:
        return None
    try:
        threshold = math.nan if isinstance(given, bool) else float(given)
    except (TypeError, ValueError) as error:
        raise ArgumentInvalidError(f"threshold is not a number: {given!r}") from error
    if not 0.0 <= threshold <= 1.0:
        raise ArgumentInvalidError(f"threshold must lie between 0 and 1, not {given!r}")
    return threshold

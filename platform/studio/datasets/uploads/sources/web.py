"""Fetches a URL: a few redirects, a bounded size, a bounded time, no credentials, judged addresses only."""

from __future__ import annotations

import ssl
import time
from collections.abc import Sequence
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

import httpcore

from studio.datasets.files.limits import LIMITS
from studio.datasets.uploads.sources.guard import AddressRefusedError, GuardedBackend, Network

MAX_REDIRECTS = 5
CONNECT_TIMEOUT_S = 10.0
READ_TIMEOUT_S = 20.0
WHOLE_TIMEOUT_S = 120.0
"""Of one URL, redirects included: a server that drips bytes must not hold a thread for good."""
_MOVED = {301, 302, 303, 307, 308}


class FetchRefusedError(Exception):
    """The URL gives nothing; ``code`` is a key of ``REASONS``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def url_parse(url: str) -> SplitResult:
    """Checks what a URL says; where it leads is checked when a connection is made.

    Raises:
        FetchRefusedError: no http address, or one with a name and password in it.
    """
    try:
        parts = urlsplit(url.strip())
        is_usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise FetchRefusedError("url_invalid") from None
    if not is_usable or any(char.isspace() or ord(char) < 32 for char in parts.netloc):
        raise FetchRefusedError("url_invalid")
    if parts.username is not None or parts.password is not None:
        raise FetchRefusedError("url_with_password")
    return parts


def url_show(url: str) -> str:
    """A URL without its query, which may hold a secret."""
    try:
        parts = urlsplit(url.strip())
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return url.partition("?")[0]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


class Fetcher:
    """A pool of guarded connections; threads may share it. Proxies of the environment are not used."""

    def __init__(self, *, allowed: Sequence[Network] = (), max_bytes: int = LIMITS.max_file_bytes) -> None:
        self._max_bytes = max_bytes
        self._pool = httpcore.ConnectionPool(
            ssl_context=ssl.create_default_context(),
            network_backend=GuardedBackend(allowed),
            max_connections=16,
            keepalive_expiry=10,
        )

    def close(self) -> None:
        """Closes the connections."""
        self._pool.close()

    def fetch(self, url: str, *, whole_timeout_s: float = WHOLE_TIMEOUT_S) -> bytes:
        """What a GET of the URL answers.

        Raises:
            FetchRefusedError: it may not be reached, does not answer, or answers something else than a file of a bounded size.
        """
        deadline = time.monotonic() + whole_timeout_s
        for _ in range(MAX_REDIRECTS + 1):
            url_parse(url)
            try:
                answer = self._get(url, deadline)
            except AddressRefusedError:
                raise FetchRefusedError("address_refused") from None
            except httpcore.TimeoutException:
                raise FetchRefusedError("url_too_slow") from None
            except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError, OSError, UnicodeError, ValueError):
                raise FetchRefusedError("url_unreachable") from None
            if isinstance(answer, bytes):
                return answer
            url = answer
        raise FetchRefusedError("too_many_redirects")

    def _get(self, url: str, deadline: float) -> bytes | str:
        """The bytes, or where a redirect leads."""
        timeout = {"connect": CONNECT_TIMEOUT_S, "read": READ_TIMEOUT_S, "write": READ_TIMEOUT_S, "pool": 60.0}
        parts = urlsplit(url)
        headers = {"Host": url_host(parts), "User-Agent": "Modelyard", "Accept": "*/*", "Accept-Encoding": "identity"}
        target = httpcore.URL(
            scheme=parts.scheme.encode("ascii"),
            host=(parts.hostname or "").encode("idna"),
            port=parts.port,
            target=url_target(parts),
        )
        with self._pool.stream("GET", target, headers=list(headers.items()), extensions={"timeout": timeout}) as answer:
            if answer.status in _MOVED:
                place = dict(answer.headers).get(b"location") or dict(answer.headers).get(b"Location")
                if not place:
                    raise FetchRefusedError("url_answered_otherwise")
                return urljoin(url, place.decode("utf-8", "replace"))
            if answer.status != 200:
                raise FetchRefusedError("url_not_there" if answer.status in {404, 410} else "url_answered_otherwise")
            return self._body(answer, deadline)

    def _body(self, answer: httpcore.Response, deadline: float) -> bytes:
        data = bytearray()
        for chunk in answer.iter_stream():
            data += chunk
            if len(data) > self._max_bytes:
                raise FetchRefusedError("file_too_large")
            if time.monotonic() > deadline:
                raise FetchRefusedError("url_too_slow")
        return bytes(data)


def url_target(parts: SplitResult) -> bytes:
    """What of a URL the first line of a request holds; a path may hold letters of any script, spaces included."""
    text = urlunsplit(("", "", parts.path or "/", parts.query, ""))
    return "".join(
        char if 32 < ord(char) < 127 else "".join(f"%{byte:02X}" for byte in char.encode()) for char in text
    ).encode()


def url_host(parts: SplitResult) -> str:
    """Host and port, as the header has them."""
    host = (parts.hostname or "").encode("idna").decode()
    host = f"[{host}]" if ":" in host else host
    return host if parts.port is None else f"{host}:{parts.port}"

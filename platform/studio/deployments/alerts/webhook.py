"""Sends a signed message to a webhook: to judged addresses only, without redirects, and within ten seconds in all."""

from __future__ import annotations

import hashlib
import hmac
import ssl
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpcore
from django.conf import settings

from studio.datasets.uploads.sources.guard import AddressRefusedError, Network, addresses_judged, networks_read
from studio.datasets.uploads.sources.web import url_host, url_target

TIMEOUT_S = 10.0
SIGNATURE = "Modelyard-Signature"


@dataclass(frozen=True)
class Outcome:
    """How an attempt ended."""

    code: str = ""
    """Why nothing was delivered, a key of ``failed.`` in the words; empty: it was delivered."""
    status: int | None = None
    """Of the HTTP answer."""

    @property
    def is_delivered(self) -> bool:
        """Whether the receiver has it."""
        return not self.code


def signature(secret: str, body: bytes, *, at_s: int) -> str:
    """The header that a receiver checks: ``t=<unix time>,v1=<HMAC-SHA256 of "t.body" in hex>``."""
    digest = hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at_s},v1={digest}"


def webhook_post(url: str, body: bytes, secret: str) -> Outcome:
    """Sends once. Only 2xx counts as delivered."""
    deadline = time.monotonic() + TIMEOUT_S
    try:
        status = _post(url, body, signature(secret, body, at_s=int(time.time())), deadline)
    except AddressRefusedError:
        return Outcome("address_refused")
    except httpcore.TimeoutException:
        return Outcome("too_slow")
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError, UnicodeError, ValueError) as error:
        return Outcome("certificate" if "CERTIFICATE" in str(error) else "unreachable")
    if 300 <= status < 400:
        return Outcome("redirected", status)
    return Outcome("" if 200 <= status < 300 else "answered", status)


def _post(url: str, body: bytes, signed: str, deadline: float) -> int:
    parts = urlsplit(url)
    headers = {
        "Host": url_host(parts),
        "User-Agent": "Modelyard",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        SIGNATURE: signed,
    }
    target = httpcore.URL(
        scheme=parts.scheme.encode("ascii"),
        host=(parts.hostname or "").encode("idna"),
        port=parts.port,
        target=url_target(parts),
    )
    backend = _TimedBackend(networks_read(settings.SOURCE_NETWORKS), deadline)
    with (
        httpcore.ConnectionPool(ssl_context=ssl.create_default_context(), network_backend=backend) as pool,
        pool.stream("POST", target, headers=list(headers.items()), content=body) as answer,
    ):
        return answer.status  # the body is nobody's business


class _TimedStream(httpcore.NetworkStream):
    """A connection that is cut at a time: a receiver that drips bytes must not hold a thread."""

    def __init__(self, inner: httpcore.NetworkStream, deadline: float) -> None:
        self._inner, self._deadline = inner, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        del timeout
        return self._inner.read(max_bytes, _left_s(self._deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        del timeout
        self._inner.write(buffer, _left_s(self._deadline))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        del timeout
        return _TimedStream(self._inner.start_tls(ssl_context, server_hostname, _left_s(self._deadline)), self._deadline)

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)


class _TimedBackend(httpcore.NetworkBackend):
    """Opens connections to judged addresses, until a time."""

    def __init__(self, allowed: Sequence[Network], deadline: float) -> None:
        self._allowed, self._deadline = allowed, deadline
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        del timeout
        failure = httpcore.ConnectError("The host has no address.")
        for address in addresses_judged(host, port, self._allowed):
            try:
                stream = self._inner.connect_tcp(
                    str(address), port, _left_s(self._deadline), local_address=local_address, socket_options=socket_options
                )
            except httpcore.ConnectError as error:
                failure = error
            else:
                return _TimedStream(stream, self._deadline)
        raise failure


def _left_s(deadline: float) -> float:
    left_s = deadline - time.monotonic()
    if left_s <= 0:
        raise httpcore.ReadTimeout("The time is over.")
    return left_s

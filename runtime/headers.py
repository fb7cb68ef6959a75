"""Headers of requests: whether a caller is on this machine, may read metrics, or is a page of an allowed origin."""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from .calls import Scope
from .errors import MetricsTokenError, RouteNotFoundError
from .responses import Header

_OF_PROXIES = frozenset((b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip", b"via"))


def is_near(scope: Scope) -> bool:
    """Whether the caller is a program on this machine, and no proxy for another machine."""
    client = scope.get("client")
    is_local = client is not None and (client[0] == "::1" or client[0].startswith("127."))
    return is_local and not any(name in _OF_PROXIES for name, _ in scope["headers"])


@dataclass(frozen=True, slots=True)
class MetricsAccess:
    """Who may read ``/metrics``: callers with the token; if there is none, programs on this machine, or everybody."""

    token: str = ""
    is_open: bool = False
    """Without a token: whether other machines may read too."""

    def check(self, scope: Scope) -> None:
        """Checks that a request may read metrics.

        Raises:
            MetricsTokenError: there is a token, and the request lacks it.
            RouteNotFoundError: there is no token, and the request comes from another machine.
        """
        if self.token:
            shown = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
            scheme, _, secret = shown.partition(b" ")
            if scheme.lower() != b"bearer" or not hmac.compare_digest(secret.strip(), self.token.encode()):
                raise MetricsTokenError
        elif not self.is_open and not is_near(scope):
            raise RouteNotFoundError


def cors_headers(scope: Scope, origins: frozenset[bytes]) -> list[Header]:
    """CORS headers that let a page of one of these origins read the answer."""
    origin = next((value for name, value in scope["headers"] if name == b"origin"), None)
    if origin is None or not (b"*" in origins or origin in origins):
        return []
    headers = [(b"access-control-allow-origin", origin), (b"vary", b"origin")]
    if scope["method"] == "OPTIONS":
        headers.append((b"access-control-allow-methods", b"POST"))
        headers.append((b"access-control-allow-headers", b"authorization, content-type, sticky-id"))
        headers.append((b"access-control-max-age", b"600"))
    return headers

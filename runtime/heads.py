"""What the head of a request says besides the call itself: who asks from where, and from which page."""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from .calls import Scope
from .errors import MetricsTokenError, RouteNotFoundError
from .responses import Header

_OF_PROXIES = frozenset((b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip", b"via"))


def is_near(scope: Scope) -> bool:
    """Whether a program of this machine asks, and no proxy for somebody else."""
    client = scope.get("client")
    is_local = client is not None and (client[0] == "::1" or client[0].startswith("127."))
    return is_local and not any(name in _OF_PROXIES for name, _ in scope["headers"])


@dataclass(frozen=True, slots=True)
class MetricsAccess:
    """Who may read ``/metrics``: whoever shows the token; where there is none, programs of this machine, or everybody."""

    token: str = ""
    is_open: bool = False
    """Without a token: whether other machines may read too."""

    def check(self, scope: Scope) -> None:
        """Lets a request pass.

        Raises:
            MetricsTokenError: there is a token, and the request does not show it.
            RouteNotFoundError: there is none, and the request comes from elsewhere.
        """
        if self.token:
            shown = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
            scheme, _, secret = shown.partition(b" ")
            if scheme.lower() != b"bearer" or not hmac.compare_digest(secret.strip(), self.token.encode()):
                raise MetricsTokenError
        elif not self.is_open and not is_near(scope):
            raise RouteNotFoundError


def cors_headers(scope: Scope, origins: frozenset[bytes]) -> list[Header]:
    """What lets a page of one of these origins read the answer."""
    origin = next((value for name, value in scope["headers"] if name == b"origin"), None)
    if origin is None or not (b"*" in origins or origin in origins):
        return []
    headers = [(b"access-control-allow-origin", origin), (b"vary", b"origin")]
    if scope["method"] == "OPTIONS":
        headers.append((b"access-control-allow-methods", b"POST"))
        headers.append((b"access-control-allow-headers", b"authorization, content-type, sticky-id"))
        headers.append((b"access-control-max-age", b"600"))
    return headers

"""Requests with patience: lost connections, restarts of the server and throttling are waited out.

Everything sent here may be sent twice: parts are written at an offset, batches are recognised by their content.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any

import httpx

from modelyard.errors import ApiError, UnreachableError

MAX_TRIES = 9
"""With the waits between them about a minute and a half: a server that restarts is back by then."""
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 20.0
LASTING = frozenset({"deployment_stopped", "deployment_failed"})
"""Codes of what only a person ends, although its status says that it may pass."""
PLACES = ("row", "column", "cell")
"""Where in a table a refusal saw what was wrong, as the prediction server tells it."""
TIMEOUT = httpx.Timeout(120, connect=10)


class Transport:
    """One connection pool to one server; threads may share it."""

    def __init__(self, url: str, key: str, *, max_connections: int = 16) -> None:
        self.url = url.rstrip("/")
        self.http = httpx.Client(
            base_url=f"{self.url}/api",
            headers={"Authorization": f"Bearer {key}", "User-Agent": "modelyard-python"},
            timeout=TIMEOUT,
            limits=httpx.Limits(max_connections=max_connections),
        )

    def close(self) -> None:
        """Closes the connections."""
        self.http.close()

    def json(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: object = None,
        content: bytes | None = None,
        files: Any = None,  # noqa: ANN401 - httpx's own union
        form: Mapping[str, str] | None = None,
    ) -> Any:  # noqa: ANN401 - JSON
        """One request, repeated while that may help; returns what came back, None when nothing did.

        Raises:
            ApiError: the server refused.
            UnreachableError: it did not answer.
        """
        for attempt in range(1, MAX_TRIES + 1):
            try:
                answer = self.http.request(method, path, params=query, json=body, content=content, files=files, data=form)
            except httpx.TransportError as error:
                if attempt == MAX_TRIES:
                    raise UnreachableError(
                        f"{self.url} does not answer ({type(error).__name__}).",
                        hint="Look whether the address is right and the server runs, then start again: it goes on.",
                    ) from error
                wait_out(attempt)
                continue
            if answer.is_success:
                return answer.json() if answer.content else None
            refusal = refused(answer)
            if not may_pass(refusal) or attempt == MAX_TRIES:
                raise refusal
            wait_out(attempt, retry_after_s=float(refusal.extra.get("retry_after_s", 0)))
        raise AssertionError("unreachable")


def may_pass(error: ApiError) -> bool:
    """Whether trying again may help."""
    if error.code in LASTING:
        return False
    return error.status in {408, 429, 502, 503, 504} or (error.status == 500 and error.code == "internal_error")


def wait_out(attempt: int, *, retry_after_s: float = 0) -> None:
    """Sleeps longer after each attempt; a little by chance, so that many threads do not come back together."""
    wait_s = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (attempt - 1)) * random.uniform(0.7, 1.0)  # noqa: S311
    time.sleep(max(wait_s, retry_after_s))


def refused(answer: httpx.Response) -> ApiError:
    """The problem document of an answer as an error."""
    try:
        data = answer.json()
    except ValueError:
        data = {}
    if not isinstance(data, dict):
        data = {}
    hint = data.get("hint", "")
    if answer.status_code == 401:
        hint = "The key is wrong, revoked or expired: make one in the workspace's settings."
    return ApiError(
        status=answer.status_code,
        code=data.get("code", f"http_{answer.status_code}"),
        message=data.get("detail") or data.get("title") or f"The server answered {answer.status_code}.",
        hint=hint,
        fields=data.get("fields"),
        extra={name: data[name] for name in PLACES if name in data} | (data.get("extra") or {}),
    )

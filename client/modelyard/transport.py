"""HTTP requests that are retried after lost connections, restarts of the server and throttling.

Every request may be sent twice without harm: parts are written at an offset, batches are recognised by their content.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any

import httpx

from modelyard.errors import ApiError, UnreachableError

MAX_TRIES = 9
"""About a minute and a half with the waits between: a server that restarts is back by then."""
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 20.0
PERMANENT_CODES = frozenset({"deployment_stopped", "deployment_failed"})
"""Codes of errors that only a person can resolve, although their HTTP status stands for a temporary one."""
PLACES = ("row", "column", "cell")
"""Fields of the prediction server's errors that say where in a table the fault is."""
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
        """Sends a request, with retries after temporary errors; returns the JSON of the response, None if it is empty.

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
                back_off(attempt)
                continue
            if answer.is_success:
                return answer.json() if answer.content else None
            refusal = api_error(answer)
            if not is_temporary(refusal) or attempt == MAX_TRIES:
                raise refusal
            back_off(attempt, retry_after_s=float(refusal.extra.get("retry_after_s", 0)))
        raise AssertionError("unreachable")


def is_temporary(error: ApiError) -> bool:
    """Whether the request may succeed if it is sent again."""
    if error.code in PERMANENT_CODES:
        return False
    return error.status in {408, 429, 502, 503, 504} or (error.status == 500 and error.code == "internal_error")


def back_off(attempt: int, *, retry_after_s: float = 0) -> None:
    """Sleeps before a retry, longer after each attempt, with some jitter so that threads do not retry in step."""
    wait_s = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (attempt - 1)) * random.uniform(0.7, 1.0)  # noqa: S311
    time.sleep(max(wait_s, retry_after_s))


def api_error(answer: httpx.Response) -> ApiError:
    """The error that a response's problem document describes."""
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

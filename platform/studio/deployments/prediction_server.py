"""The connections of this process to the prediction server."""

from __future__ import annotations

from functools import cache

import httpx

MAX_CONNECTIONS_KEPT = 12
KEPT_S = 3.0
"""Less than the five seconds for which the server keeps them."""


@cache
def prediction_client() -> httpx.Client:
    """One client for all threads: a client of its own for a call costs ten milliseconds of a core, more than many calls.

    A proxy is for the world outside, so that none is asked.
    """
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=MAX_CONNECTIONS_KEPT, keepalive_expiry=KEPT_S)
    return httpx.Client(limits=limits, trust_env=False)

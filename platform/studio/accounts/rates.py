"""How often a caller may ask for what costs much: uploads begun, searches by picture, plans, sources, the API's description.

A caller is a person, a key, a device, or an address of the network where nobody signed in. Counts are kept in the database, so
that all processes and hosts count together: one statement a request, and only the few endpoints that ask pay for it.
"""

from __future__ import annotations

import time
from enum import StrEnum

from django.conf import settings
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.accounts.attempts import client_address
from studio.accounts.errors import RateLimitedError
from studio.accounts.models import RateCount, SharedCache

words = Words(__file__)

WINDOW_S = 60
"""A window begins with the first request after the one before it ended."""
_SQL = """
    INSERT INTO accounts_ratecount AS kept (rate, caller, since_s, num) VALUES (%s, %s, %s, 1)
    ON CONFLICT (rate, caller) DO UPDATE SET
        num = CASE WHEN abs(excluded.since_s - kept.since_s) < %s THEN kept.num + 1 ELSE 1 END,
        since_s = CASE WHEN abs(excluded.since_s - kept.since_s) < %s THEN kept.since_s ELSE excluded.since_s END
    RETURNING num, since_s
"""


class Rate(StrEnum):
    """What there can be a limit of, per caller and minute."""

    UPLOADS = "uploads"
    SEARCHES = "searches"
    PLANS = "plans"
    SOURCES = "sources"
    DESCRIPTIONS = "descriptions"
    JOINS = "joins"
    DEVICES = "devices"


NAMES: dict[Rate, Text] = {rate: words(f"rate.{rate.value}") for rate in Rate}


def rate_check(request: HttpRequest, rate: Rate, *, now_s: float | None = None) -> None:
    """Counts a request, or refuses it. Outside of a transaction, which would forget the refused ones.

    Args:
        request: by whom.
        rate: what is asked for.
        now_s: seconds since the epoch.

    Raises:
        RateLimitedError: as many were let in already within the window.
    """
    limit = settings.RATES[rate.value]
    if limit is None:
        return
    now = int(time.time() if now_s is None else now_s)
    with connection.cursor() as cursor:
        cursor.execute(_SQL, [rate.value, _caller(request), now, WINDOW_S, WINDOW_S])
        ((num, since_s),) = cursor.fetchall()
    if num > limit:
        wait_s = max(1, since_s + WINDOW_S - now)
        raise RateLimitedError(
            f"{NAMES[rate].en}: at most {limit:,} a minute.",
            hint=f"Try again in {wait_s} seconds.",
            extra={"rate": rate.value, "limit": limit, "retry_after_s": wait_s},
        )


def rates_prune(*, now_s: float | None = None) -> int:
    """Deletes counts whose window is over, and what the shared cache forgets; returns how many counts."""
    SharedCache.objects.filter(expires__lt=timezone.now()).delete()
    over = int(time.time() if now_s is None else now_s) - 2 * WINDOW_S
    return RateCount.objects.filter(since_s__lt=over).delete()[0]


def _caller(request: HttpRequest) -> str:
    caller = getattr(getattr(request, "auth", None), "id", None)
    return caller if isinstance(caller, str) else client_address(request)

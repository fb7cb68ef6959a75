"""Moments that callers send: those at the ends of the calendar are refused where they come in.

ISO 8601 can say `0001-01-01T00:00+14:00`, which is before the first moment that Python and the databases know. Whoever converts
it to UTC later would answer 500.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator

EARLIEST, LATEST = datetime(1900, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)


def moment_check(value: datetime) -> datetime:
    """The moment in UTC; one without a time zone is in UTC already.

    Raises:
        ValueError: it is not of 1900 to 2999.
    """
    aware = value.replace(tzinfo=UTC) if value.tzinfo is None else value
    if not EARLIEST <= aware < LATEST:
        raise ValueError(f"must lie between the years {EARLIEST.year} and {LATEST.year - 1}")
    return aware.astimezone(UTC)


Moment = Annotated[datetime, AfterValidator(moment_check)]
"""A point in time that a caller sends."""

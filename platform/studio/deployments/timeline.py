"""What a deployment's calls were like over time: how many, how fast, what was answered, and how much of it was right.

Counts and latencies are of all calls. The database counts latencies by their logarithm, so that a percentile costs no reading
of single calls and is right to 2 %.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db.models import Count, F, FloatField, Q, QuerySet, Sum, Value
from django.db.models.functions import Floor, Greatest, Ln, TruncHour
from django.utils import timezone

from studio.deployments.calls import IS_TRY_OUT, calls_of, feedback_of, first_call
from studio.deployments.drift import BestAnswer
from studio.deployments.models import CallFeedback, Deployment, PredictionLog
from studio.deployments.selectors import percentile

HOUR = timedelta(hours=1)
ANSWERS_LOOKED_AT = 1000
"""Latest answered calls of each period whose answers are counted."""
FEEDBACK_LOOKED_AT = 50_000
"""Latest words on calls that are counted."""
MOST_LABELS = 8
"""Labels that are distinguished; the others are counted together."""
_BINS_PER_E = 25
"""Steps of the logarithm of latencies: 4 % wide, so the middle is at most 2 % off."""
_SHORTEST_MS = Value(0.001, output_field=FloatField())
_BIN = Floor(Ln(Greatest(F("latency_ms"), _SHORTEST_MS)) * _BINS_PER_E, output_field=FloatField())
_Z = 1.96


class Range(StrEnum):
    """How far to look back."""

    DAY = "24h"
    WEEK = "7d"
    MONTH = "30d"

    @property
    def hours(self) -> int:
        """All of it."""
        return _HOURS[self][0]

    @property
    def step_hours(self) -> int:
        """Of one period."""
        return _HOURS[self][1]


_HOURS = {Range.DAY: (24, 1), Range.WEEK: (7 * 24, 6), Range.MONTH: (30 * 24, 24)}


@dataclass(frozen=True)
class TimelineFilter:
    """Whose calls count; None takes all."""

    key: str | None = None
    artefact: str | None = None
    has_try_outs: bool = False
    """Whether calls of the try-out page count."""


@dataclass
class Period:
    """Calls of some hours. Latencies are of answered calls, in milliseconds; None without any."""

    at: datetime
    """When it begins."""
    calls: int = 0
    errors: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Refused calls by status and code."""
    p50_ms: float | None = None
    p95_ms: float | None = None
    p99_ms: float | None = None
    labels: Counter[str | None] = field(default_factory=Counter)
    """Best answers of items; None is where nothing was found."""
    low: float | None = None
    """Of the predicted numbers a tenth lies below, as the next two."""
    median: float | None = None
    high: float | None = None
    uncertainty: float | None = None
    """Mean."""
    feedback: int = 0
    """Answers with feedback of callers."""
    loss: float | None = None
    """How wrong these were, 0..1, on the average, with a 95 % interval."""
    loss_low: float | None = None
    loss_high: float | None = None


@dataclass(frozen=True)
class Timeline:
    """Calls over time."""

    since: datetime
    until: datetime
    step_hours: int
    periods: list[Period]
    labels: list[str | None]
    """The commonest best answers of all periods; None is where nothing was found."""
    keys: list[tuple[str, int]]
    """Who called in this time, the most frequent first, whatever the filter; so the next."""
    artefacts: list[tuple[str, int]]
    try_outs: int


def timeline_of(
    deployment: Deployment, range_: Range, criteria: TimelineFilter | None = None, *, now: datetime | None = None
) -> Timeline:
    """Cuts the last hours or days into periods of the same length, the last of which is not over yet.

    Args:
        deployment: whose calls.
        range_: how far to look back.
        criteria: whose calls count; None takes all but try-outs.
        now: for tests.
    """
    criteria = criteria or TimelineFilter()
    until = (now or timezone.now()).astimezone(UTC).replace(minute=0, second=0, microsecond=0) + HOUR
    since = until - range_.hours * HOUR
    step = range_.step_hours * HOUR
    periods = [Period(at=since + place * step) for place in range(range_.hours // range_.step_hours)]
    everyone = PredictionLog.objects.filter(deployment=deployment, at__gte=since, at__lt=until)
    outside = calls_of(deployment).filter(at__gte=since, at__lt=until)
    calls = _filtered(everyone if criteria.has_try_outs else outside, criteria)

    def of(hour: datetime) -> Period:
        return periods[int((hour - since) / step)]

    _calls_count(calls, of)
    _latencies_count(calls, of)
    for period in periods:
        if period.calls:
            _answers_count(calls.filter(at__gte=period.at, at__lt=period.at + step), period)
    _feedback_count(_feedback(deployment, criteria, since, until), periods)
    return Timeline(
        since=since,
        until=until,
        step_hours=range_.step_hours,
        periods=periods,
        labels=_commonest(periods),
        keys=_counted(outside, "key"),
        artefacts=_counted(outside, "artefact"),
        try_outs=everyone.filter(IS_TRY_OUT).count(),
    )


def wilson(mean: float, number: int) -> tuple[float, float]:
    """A 95 % interval of the mean of numbers between 0 and 1 (Wilson 1927).

    It is made for zeros and ones; numbers between them vary less, so for them it is only too wide.
    """
    square = _Z * _Z / number
    middle = (mean + square / 2) / (1 + square)
    half = math.sqrt(max(0.0, mean * (1 - mean)) * square + square * square / 4) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def _filtered(calls: QuerySet[PredictionLog], criteria: TimelineFilter) -> QuerySet[PredictionLog]:
    if criteria.key is not None:
        calls = calls.filter(key=criteria.key)
    return calls if criteria.artefact is None else calls.filter(artefact=criteria.artefact)


def _hourly(calls: QuerySet[PredictionLog]) -> Any:  # noqa: ANN401 - a queryset; its type says nothing more
    return calls.annotate(hour=TruncHour("at", tzinfo=UTC)).order_by()


def _calls_count(calls: QuerySet[PredictionLog], of: Callable[[datetime], Period]) -> None:
    rows = (
        _hourly(calls)
        .values("hour", "status", "code")
        .annotate(number=Count("id"), unsure=Sum("uncertainty"), judged=Count("uncertainty"))
    )
    sums: dict[datetime, tuple[float, int]] = {}
    for row in rows:
        period = of(row["hour"])
        period.calls += row["number"]
        if row["status"] >= 400:
            period.errors[row["status"], row["code"]] += row["number"]
        total, number = sums.get(period.at, (0.0, 0))
        sums[period.at] = (total + (row["unsure"] or 0.0), number + row["judged"])
    for at, (total, number) in sums.items():
        of(at).uncertainty = total / number if number else None


def latency_percentile(calls: QuerySet[PredictionLog], fraction: float) -> tuple[int, float | None]:
    """How many calls were answered, and how long they took at a percentile, in milliseconds; None without any."""
    rows = calls.filter(status__lt=400).annotate(bin=_BIN).order_by().values("bin").annotate(number=Count("id"))
    numbers = {int(row["bin"]): row["number"] for row in rows}
    return sum(numbers.values()), _bin_percentile(numbers, fraction) if numbers else None


def _latencies_count(calls: QuerySet[PredictionLog], of: Callable[[datetime], Period]) -> None:
    rows = _hourly(calls.filter(status__lt=400)).annotate(bin=_BIN).values("hour", "bin").annotate(number=Count("id"))
    counted: dict[datetime, Counter[int]] = {}
    for row in rows:
        counted.setdefault(of(row["hour"]).at, Counter())[int(row["bin"])] += row["number"]
    for at, numbers in counted.items():
        period = of(at)
        period.p50_ms, period.p95_ms, period.p99_ms = (_bin_percentile(numbers, part) for part in (0.5, 0.95, 0.99))


def _bin_percentile(numbers: Mapping[int, int], fraction: float) -> float:
    rank, seen = fraction * sum(numbers.values()), 0
    for place in sorted(numbers):
        seen += numbers[place]
        if seen > rank:
            break
    return round(math.exp((place + 0.5) / _BINS_PER_E), 3)


def _answers_count(calls: QuerySet[PredictionLog], period: Period) -> None:
    tops = calls.filter(status__lt=400).order_by("-id").values_list("top", flat=True)[:ANSWERS_LOOKED_AT]
    best = [BestAnswer.of(one) for top in tops for one in top]
    values = sorted(one.value for one in best if one.value is not None)
    period.labels.update(one.label for one in best if one.value is None)
    period.low, period.median, period.high = (percentile(values, part) for part in (0.1, 0.5, 0.9))


def _feedback(
    deployment: Deployment, criteria: TimelineFilter, since: datetime, until: datetime
) -> Iterable[tuple[str, float]]:
    """Words on calls of these hours: a call's id says when it was."""
    rows = CallFeedback.objects.filter(deployment=deployment) if criteria.has_try_outs else feedback_of(deployment)
    rows = rows.filter(call__gte=first_call(since), call__lt=first_call(until))
    if criteria.artefact is not None:
        rows = rows.filter(artefact=criteria.artefact)
    if criteria.key is not None:
        rows = rows.filter(call__in=PredictionLog.objects.filter(Q(key=criteria.key), deployment=deployment).values("id"))
    return rows.order_by("-call").values_list("call", "loss")[:FEEDBACK_LOOKED_AT]


def _feedback_count(rows: Iterable[tuple[str, float]], periods: Sequence[Period]) -> None:
    begins = [first_call(period.at) for period in periods]  # ids are in the order of time
    losses: dict[int, list[float]] = {}
    for call, loss in rows:
        losses.setdefault(bisect_right(begins, call) - 1, []).append(loss)
    for place, known in losses.items():
        period, mean = periods[place], math.fsum(known) / len(known)
        period.feedback, period.loss = len(known), mean
        period.loss_low, period.loss_high = wilson(mean, len(known))


def _commonest(periods: Sequence[Period]) -> list[str | None]:
    total: Counter[str | None] = Counter()
    for period in periods:
        total.update(period.labels)
    return [label for label, _ in total.most_common(MOST_LABELS)]


def _counted(calls: QuerySet[PredictionLog], name: str) -> list[tuple[str, int]]:
    rows = calls.values(name).annotate(number=Count("id")).order_by("-number", name)
    return [(row[name], row["number"]) for row in rows]

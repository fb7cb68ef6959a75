"""What more items of a label would bring: ``advice.json`` of a job ``advice``."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from automl.contracts.base import Contract

ADVICE_FILE = "advice.json"


class Verdict(StrEnum):
    """What may be said of more items."""

    GAIN = "gain"
    """They help: the interval of the gain lies above 0."""
    FLAT = "flat"
    """More of the same does not help: the most that the gain may be is small."""
    UNCLEAR = "unclear"
    """The interval is too wide to say either."""
    TOO_FEW = "too_few"
    """There are too few items for a learning curve."""


class CurveSample(Contract):
    """What was measured with a part of the items."""

    num_items: float = Field(gt=0)
    """That were learned, the mean over folds; of a label's curve those that carry it."""
    value: float
    """Of the measure, on items that were held back."""
    interval: tuple[float, float]


class FittedPoint(Contract):
    """A place of the fitted curve."""

    num_items: float = Field(gt=0)
    value: float
    interval: tuple[float, float]
    """Of what is to come: as wide as the gain from today's items is uncertain. Up to today's number it is ``value`` alone."""


class Forecast(Contract):
    """What so many more items would bring."""

    num_more: int = Field(ge=1)
    gain: float
    """Above 0 where the measure becomes better, whichever way it goes."""
    interval: tuple[float, float]


class GainCurve(Contract):
    """How one measure depends on the number of items."""

    measure: str
    """A metric of the task, or ``f1``: that of the label itself."""
    is_higher_better: bool
    samples: tuple[CurveSample, ...] = Field(min_length=1)
    """The fewest items first."""
    fitted: tuple[FittedPoint, ...] = Field(min_length=2)
    forecasts: tuple[Forecast, ...] = Field(min_length=1)
    """The fewest more items first."""
    back_test: float
    """How far off the gain of the last step was when it was forecast from the points before it: measured less forecast."""


class SubjectAdvice(Contract):
    """What more items of one label bring, or more of all labels."""

    label: str | None
    """None: items of all labels, mixed as they are."""
    num_items: int = Field(ge=0)
    """There are today to learn from."""
    verdict: Verdict
    own: GainCurve | None = None
    """The label's own F1; None of all labels and where there are too few items."""
    objective: GainCurve | None = None
    """The study's metric; None where there are too few items."""


class AdviceReport(Contract):
    """``advice.json``."""

    schema_version: int = 1
    objective: str
    """The metric that is forecast beside that of each label."""
    num_items: int
    """To learn from: those of train and validation."""
    num_used: int
    """Of these; more than a limit are drawn."""
    num_draws: int
    """How often every point was measured, each time with other items and folds."""
    least_items: int
    """Of a label; below, nothing is said."""
    level: float = Field(gt=0, lt=1)
    """Of all intervals."""
    overall: SubjectAdvice
    labels: tuple[SubjectAdvice, ...]
    """The best gain of the objective an item first; then those of which nothing is sure, those that gain nothing, and those
    with too few items."""
    num_left_out: int = 0
    """Labels that were not measured since others answer worse: there is a limit."""

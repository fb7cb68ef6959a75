"""What the endpoints give that watch a deployment."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from automl.contracts.base import Text
from automl.contracts.dataset import Split
from studio.deployments.answer_drift import DriftState
from studio.deployments.input_drift import InputState
from studio.deployments.timeline import Range

Id = Annotated[str, Field(pattern=r"^[0-9a-z_]*$", max_length=40)]


class TimelineQuery(Schema):
    """Filter of calls."""

    range: Range = Range.DAY
    key: Id | None = None
    """Only calls with this API key, by its id; empty of calls without a valid one."""
    artefact: Id | None = None
    """Only calls that this model answered."""
    try_outs: bool = False
    """Whether calls of the platform's own try-out page count."""


class CallErrorOut(Schema):
    """Refused calls of one kind."""

    status: int
    code: str
    calls: int


class AnswerCountOut(Schema):
    """How often a label was the best answer."""

    label: str | None
    """Null where nothing was found."""
    count: int


class TimelinePeriodOut(Schema):
    """Calls of some hours. Latencies are of answered calls; null without any."""

    at: datetime
    """When it begins."""
    calls: int
    errors: list[CallErrorOut]
    """The commonest first."""
    p50_ms: float | None
    p95_ms: float | None
    p99_ms: float | None
    answers: list[AnswerCountOut]
    """Best answers of the items of the latest thousand calls, the commonest first."""
    low: float | None
    """Of the predicted numbers a tenth lies below."""
    median: float | None
    high: float | None
    """Of the predicted numbers a tenth lies above."""
    uncertainty: float | None
    """Mean; null where nothing says so."""
    feedback: int
    """Answers of which callers said what was true."""
    loss: float | None
    """How wrong these were, 0..1, on the average: the fraction of wrong labels, or the mean relative error of numbers."""
    loss_low: float | None
    """Of a 95 % interval (Wilson)."""
    loss_high: float | None


class CallerOut(Schema):
    """Who called."""

    key: str
    """Id of the API key; empty of calls without a valid one."""
    name: str | None
    """Null of a key that is gone."""
    calls: int


class AnsweredByOut(Schema):
    """Which model answered."""

    artefact: str
    calls: int


class TimelineOut(Schema):
    """Calls over time, in periods of the same length; the last one is not over."""

    since: datetime
    until: datetime
    step_hours: int
    periods: list[TimelinePeriodOut]
    labels: list[str | None]
    """The commonest best answers of all periods, at most eight."""
    keys: list[CallerOut]
    """All of this time, the most frequent first, whatever is asked for; so the next."""
    models: list[AnsweredByOut]
    try_outs: int
    """Calls of the platform's own try-out page; they count only when asked for."""


class AnswerChangeOut(Schema):
    """How often an answer is given, as fractions of all."""

    label: str | None
    """Null where nothing was found."""
    before: float
    after: float
    part: float
    """Of the population stability index."""


class SpreadOut(Schema):
    """Where scores or numbers lie."""

    low: float
    """A tenth lies below."""
    median: float
    high: float
    """A tenth lies above."""


class ModelDriftOut(Schema):
    """Whether a model answers as it did in its test."""

    artefact: str
    state: DriftState
    split: Split | None
    """Whose answers the calls are compared with; null without any."""
    num_tested: int
    """Items of the split."""
    num_calls: int
    """Answered calls of these days."""
    psi: float | None
    """Population stability index of the answers; null where too little is known, as the next three."""
    psi_p: float | None
    """How likely at least such an index is where nothing has changed."""
    ks: float | None
    """Largest distance of the distribution functions of the best scores, or of the numbers, 0..1."""
    ks_p: float | None
    is_answers_changed: bool
    """Whether other answers are given than in the test, beyond chance and by enough to matter."""
    is_scores_changed: bool
    """Likewise of the scores, or of the numbers."""
    changes: list[AnswerChangeOut]
    """At most ten labels, those that changed most first; empty of numbers."""
    before: SpreadOut | None
    """Scores or numbers in the test."""
    after: SpreadOut | None


class DriftOut(Schema):
    """Whether the models that answer callers still answer as in their tests."""

    days: int
    """How far is looked back."""
    fewest_calls: int
    """Answered calls below which nothing is judged."""
    models: list[ModelDriftOut]


class FactBinOut(Schema):
    """How often a fact of items lies in a bin, as fractions of all items."""

    role: Literal["range", "value", "other", "missing"]
    """Numbers between two limits; a value; all rarer and unseen values; items of which the fact is not known."""
    low: float | None = None
    """Of a range; null has no end."""
    high: float | None = None
    value: str | None = None
    before: float
    """Of the items of the model's version."""
    after: float
    """Of callers' items."""


class InputFactOut(Schema):
    """A fact about each item: how bright a picture is, how long a text, the value in a column."""

    name: str
    kind: Literal["numeric", "category"]
    title: Text
    sentence: Text | None
    """What has changed; null where nothing has."""
    is_changed: bool
    """Beyond chance and by enough to matter."""
    psi: float
    """Population stability index; below 0.1 nothing counts as changed."""
    p: float | None
    """How likely a difference as clear is where nothing has changed, at most; null where the index is small."""
    median_before: float | None
    """Of numbers."""
    median_after_low: float | None
    """The median of callers' items is at least this: only bins are known; null has no end."""
    median_after_high: float | None
    bins: list[FactBinOut]


class ModelInputsOut(Schema):
    """Whether the items that a model is asked about are like those of the version that it was made from."""

    artefact: str
    state: InputState
    splits: list[Split]
    """Whose items callers' are compared with: the test's, where these are few others too; none without any."""
    num_judged: int
    """Items of these splits that are compared with: at most some, drawn evenly."""
    num_calls: int
    """Calls of these days of which facts were taken: a sample."""
    num_facts: int
    num_changed: int
    facts: list[InputFactOut]
    """At most fifty, those that changed most first."""


class InputDriftOut(Schema):
    """Whether callers' items are like those of the versions that the models were made from."""

    days: int
    """How far is looked back."""
    fewest_calls: int
    """Calls with facts below which nothing is judged."""
    models: list[ModelInputsOut]

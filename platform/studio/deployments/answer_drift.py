"""Whether a deployment's models still answer as they did in their test: the calls of the last days against the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache

import numpy as np
from django.utils import timezone

from automl.contracts.annotation import item_numbers
from automl.contracts.dataset import Split
from automl.contracts.report import JudgedItem, SplitReport
from runtime.answers import Answers, answers_kind
from studio.deployments.calls import calls_of
from studio.deployments.drift import FEWEST_ANSWERS, FEWEST_TESTED, BestAnswer, Drift, drift_judge
from studio.deployments.gateway import models_of, thresholds_of
from studio.deployments.models import Deployment
from studio.registry.errors import ResultInvalidError
from studio.registry.labelled import labelled
from studio.registry.models import Artefact
from studio.registry.reports import report_of

DAYS = 7
MOST_CALLS = 10_000
"""Largest number of calls that are considered, the latest."""
_LARGEST_LOSSES = 1000
"""A report that cannot keep all items of a split keeps so many with the largest losses, and of the others some drawn evenly."""


class DriftState(StrEnum):
    """Whether a model's answers have drifted, or why that is not known."""

    CHANGED = "changed"
    QUIET = "quiet"
    FEW_CALLS = "few_calls"
    """Too few to judge."""
    NO_TEST = "no_test"
    """The report has too few items to compare with."""


@dataclass(frozen=True)
class ModelDrift:
    """The drift of one model's answers."""

    artefact: str
    state: DriftState
    split: Split | None
    """Whose answers are compared with; None without any."""
    num_tested: int
    num_calls: int
    drift: Drift | None
    """None where too little is known."""


def drifts_of(deployment: Deployment, *, now: datetime | None = None) -> list[ModelDrift]:
    """Judges the models that answer callers now by their calls of the last seven days.

    Of a call with several items only the first counts: items that are sent together are often alike.
    """
    since = watched_since(now)
    return [_model_drift(deployment, model, since) for model in watched_models(deployment)]


def watched_since(now: datetime | None) -> datetime:
    """The time from which calls are considered; None: from now on."""
    return (now or timezone.now()) - timedelta(days=DAYS)


def watched_models(deployment: Deployment) -> list[Artefact]:
    """The models that answer callers now: a shadow answers nobody."""
    shadows = {variant.artefact_id for variant in deployment.variants.all() if variant.is_shadow}
    return [model for model in models_of(deployment) if model.id not in shadows]


def _model_drift(deployment: Deployment, model: Artefact, since: datetime) -> ModelDrift:
    split, before = _tested(model, thresholds_of(deployment, model))
    calls = calls_of(deployment).filter(artefact=model.id, status__lt=400, at__gte=since).order_by("-id")
    tops = calls.values_list("top", flat=True)[:MOST_CALLS]
    after = [BestAnswer.of(top[0]) for top in tops if top]
    if len(before) < FEWEST_TESTED:
        return ModelDrift(model.id, DriftState.NO_TEST, split, len(before), len(after), None)
    if len(after) < FEWEST_ANSWERS:
        return ModelDrift(model.id, DriftState.FEW_CALLS, split, len(before), len(after), None)
    drift = drift_judge(before, after)
    state = DriftState.CHANGED if drift.is_significant else DriftState.QUIET
    return ModelDrift(model.id, state, split, len(before), len(after), drift)


def _tested(model: Artefact, thresholds: Mapping[str, float]) -> tuple[Split | None, Sequence[BestAnswer]]:
    return _tested_of(
        model.tree, model.facts.output.value, tuple(model.facts.label_set.names), tuple(sorted(thresholds.items()))
    )


@lru_cache(maxsize=32)
def _tested_of(
    tree: str, output: str, labels: tuple[str, ...], thresholds: tuple[tuple[str, float], ...]
) -> tuple[Split | None, Sequence[BestAnswer]]:
    """What the model answered in its test, or on its validation split where it has no test."""
    try:
        splits = {each.split: each for each in report_of(tree).splits}
    except ResultInvalidError:
        return None, ()
    found = next((splits[split] for split in (Split.TEST, Split.VALIDATION) if split in splits and splits[split].items), None)
    if found is None:
        return None, ()
    kind = answers_kind(output)(labels)
    return found.split, tuple(_judged(kind, labels, item, dict(thresholds)) for item in _evenly(found))


def _evenly(split: SplitReport) -> list[JudgedItem]:
    """Items that stand for the whole split: where the report keeps more of the large losses, as many fewer of them."""
    ordered = sorted(split.items, key=lambda item: -item.loss)
    worst, others = ordered[:_LARGEST_LOSSES], ordered[_LARGEST_LOSSES:]
    if len(ordered) >= split.num_items or not others:
        return ordered
    step = (split.num_items - len(worst)) / len(others)
    return [worst[int(place * step)] for place in range(int(len(worst) / step))] + others


def _judged(kind: Answers, labels: Sequence[str], item: JudgedItem, thresholds: Mapping[str, float]) -> BestAnswer:
    """The best answer, in the form of the prediction server's log."""
    predicted = item.prediction
    if not predicted:
        return BestAnswer()
    if numbers := item_numbers(predicted):
        return BestAnswer(value=numbers[0])
    scores = {each.label: each.score or 0.0 for each in labelled(predicted) if each.is_of_whole_item}
    if scores:
        best = kind.best(np.array([scores.get(label, 0.0) for label in labels], dtype=np.float32), thresholds)
        return BestAnswer.of(best)
    first = labelled(predicted)[0]  # best first
    return BestAnswer(label=first.label, score=first.score)

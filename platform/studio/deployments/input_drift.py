"""Whether callers' items are still like those of the versions that a deployment's models were made from.

The prediction server takes facts of some of the items (``runtime/sampling.py``); here the bins of the last days are compared
with those in the model's ``reference.json``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache

from pydantic import ValidationError

from automl.contracts.dataset import Split
from automl.contracts.reference import REFERENCE_FILE, InputReference
from studio.common.blob_store import BlobMissingError
from studio.common.blobs import blobs
from studio.deployments.answer_drift import MOST_CALLS, watched_models, watched_since
from studio.deployments.calls import calls_of
from studio.deployments.drift import FEWEST_ANSWERS, FEWEST_TESTED
from studio.deployments.fact_drift import FactDrift, facts_judge
from studio.deployments.models import Deployment
from studio.registry.models import Artefact


class InputState(StrEnum):
    """Whether callers' items have drifted, or why that is not known."""

    CHANGED = "changed"
    QUIET = "quiet"
    FEW_CALLS = "few_calls"
    """Facts of too few items to judge."""
    NO_REFERENCE = "no_reference"
    """The model is older than references, or made from too few items."""


@dataclass(frozen=True)
class ModelInputs:
    """The drift of the items that one model was asked about."""

    model: Artefact
    state: InputState
    splits: tuple[Split, ...]
    """Whose items are compared with; none without any."""
    num_judged: int
    """Items of these splits that are compared with."""
    num_calls: int
    """Calls of which facts were taken."""
    facts: list[FactDrift]
    """Those that changed most first; empty where too little is known."""


def input_drifts_of(deployment: Deployment, *, now: datetime | None = None) -> list[ModelInputs]:
    """Judges the items that callers sent to the models that answer now, in the last seven days."""
    since = watched_since(now)
    return [_model_inputs(deployment, model, since) for model in watched_models(deployment)]


def _model_inputs(deployment: Deployment, model: Artefact, since: datetime) -> ModelInputs:
    reference = reference_of(model.tree)
    if reference is None or reference.num_items < FEWEST_TESTED:
        splits, number = ((), 0) if reference is None else (reference.splits, reference.num_items)
        return ModelInputs(model, InputState.NO_REFERENCE, splits, number, 0, [])
    calls = calls_of(deployment).filter(artefact=model.id, status__lt=400, at__gte=since, facts__isnull=False)
    latest = calls.order_by("-id").values_list("facts", flat=True)[:MOST_CALLS]
    called = [bins for bins in latest if bins is not None and len(bins) == len(reference.facts)]
    if len(called) < FEWEST_ANSWERS:
        return ModelInputs(model, InputState.FEW_CALLS, reference.splits, reference.num_items, len(called), [])
    facts = facts_judge(reference, called)
    state = InputState.CHANGED if any(fact.is_changed for fact in facts) else InputState.QUIET
    return ModelInputs(model, state, reference.splits, reference.num_items, len(called), facts)


@lru_cache(maxsize=32)
def reference_of(tree: str) -> InputReference | None:
    """What the items of a model were like; None of older models, and where it cannot be read."""
    try:
        return InputReference.read(blobs().fetch_tree(tree) / REFERENCE_FILE)
    except (BlobMissingError, FileNotFoundError, ValidationError):
        return None

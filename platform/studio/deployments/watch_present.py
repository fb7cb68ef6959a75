"""From what was found out about a deployment's calls to what goes over the wire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from studio.accounts.selectors import actor_names
from studio.deployments.answer_drift import DAYS, ModelDrift
from studio.deployments.drift import FEWEST_ANSWERS
from studio.deployments.fact_drift import FactDrift, bin_limits
from studio.deployments.input_drift import ModelInputs
from studio.deployments.items import DeployedItems, deployed_items
from studio.deployments.timeline import Period, Timeline
from studio.deployments.watch_schemas import (
    AnswerChangeOut,
    AnswerCountOut,
    AnsweredByOut,
    CallerOut,
    CallErrorOut,
    DriftOut,
    FactBinOut,
    InputDriftOut,
    InputFactOut,
    ModelDriftOut,
    ModelInputsOut,
    SpreadOut,
    TimelineOut,
    TimelinePeriodOut,
)

MOST_CHANGES = 10
MOST_FACTS = 50
"""Of a model, those that changed most."""


def timeline_out(timeline: Timeline) -> TimelineOut:
    """Calls over time, with the names of the keys."""
    names = actor_names([key for key, _ in timeline.keys if key])
    return TimelineOut(
        since=timeline.since,
        until=timeline.until,
        step_hours=timeline.step_hours,
        periods=[_period_out(period) for period in timeline.periods],
        labels=timeline.labels,
        keys=[CallerOut(key=key, name=names.get(key), calls=calls) for key, calls in timeline.keys],
        models=[AnsweredByOut(artefact=artefact, calls=calls) for artefact, calls in timeline.artefacts if artefact],
        try_outs=timeline.try_outs,
    )


def _period_out(period: Period) -> TimelinePeriodOut:
    errors = [CallErrorOut(status=status, code=code, calls=calls) for (status, code), calls in period.errors.most_common()]
    answers = [AnswerCountOut(label=label, count=count) for label, count in period.labels.most_common()]
    fields = {name: value for name, value in asdict(period).items() if name not in ("errors", "labels")}
    return TimelinePeriodOut(errors=errors, answers=answers, **fields)


def drift_out(models: Sequence[ModelDrift]) -> DriftOut:
    """Whether models still answer as in their tests."""
    return DriftOut(days=DAYS, fewest_calls=FEWEST_ANSWERS, models=[_model_drift_out(model) for model in models])


def _model_drift_out(model: ModelDrift) -> ModelDriftOut:
    drift = model.drift
    return ModelDriftOut(
        artefact=model.artefact,
        state=model.state,
        split=model.split,
        num_tested=model.num_tested,
        num_calls=model.num_calls,
        psi=drift.psi if drift else None,
        psi_p=drift.psi_p if drift else None,
        ks=drift.ks if drift else None,
        ks_p=drift.ks_p if drift else None,
        is_answers_changed=drift is not None and drift.is_answers_changed,
        is_scores_changed=drift is not None and drift.is_scores_changed,
        changes=[AnswerChangeOut(**asdict(change)) for change in drift.changes[:MOST_CHANGES]] if drift else [],
        before=SpreadOut(**asdict(drift.before)) if drift and drift.before else None,
        after=SpreadOut(**asdict(drift.after)) if drift and drift.after else None,
    )


def input_drift_out(models: Sequence[ModelInputs]) -> InputDriftOut:
    """Whether callers' items are still like those of the versions that models were made from."""
    return InputDriftOut(days=DAYS, fewest_calls=FEWEST_ANSWERS, models=[_model_inputs_out(model) for model in models])


def _model_inputs_out(model: ModelInputs) -> ModelInputsOut:
    kind = deployed_items(model.model.facts)
    return ModelInputsOut(
        artefact=model.model.id,
        state=model.state,
        splits=list(model.splits),
        num_judged=model.num_judged,
        num_calls=model.num_calls,
        num_facts=len(model.facts),
        num_changed=sum(fact.is_changed for fact in model.facts),
        facts=[_fact_out(fact, kind) for fact in model.facts[:MOST_FACTS]],
    )


def _fact_out(fact: FactDrift, kind: DeployedItems) -> InputFactOut:
    name = fact.reference.name
    low, high = (None, None) if fact.median_bin is None else bin_limits(fact.reference, fact.median_bin)
    return InputFactOut(
        name=name,
        kind=fact.reference.kind,
        title=kind.fact_title(name),
        sentence=kind.fact_changed(name, fact.direction) if fact.is_changed else None,
        is_changed=fact.is_changed,
        psi=fact.drift.psi,
        p=fact.drift.p,
        median_before=fact.reference.median,
        median_after_low=low,
        median_after_high=high,
        bins=_bins_out(fact),
    )


def _bins_out(fact: FactDrift) -> list[FactBinOut]:
    """Numbers and values in their order; of other values and of items that lack the fact there is a bin where there are any."""
    reference, numbers = fact.reference, zip(fact.reference.counts, fact.after, strict=True)
    *shares, missing = [(before / sum(reference.counts), after / sum(fact.after)) for before, after in numbers]
    bins = []
    for place, (before, after) in enumerate(shares):
        if reference.kind == "numeric":
            low, high = bin_limits(reference, place)
            bins.append(FactBinOut(role="range", low=low, high=high, before=before, after=after))
        elif place < len(reference.values):
            bins.append(FactBinOut(role="value", value=reference.values[place], before=before, after=after))
        elif before or after:
            bins.append(FactBinOut(role="other", before=before, after=after))
    return [*bins, FactBinOut(role="missing", before=missing[0], after=missing[1])] if any(missing) else bins

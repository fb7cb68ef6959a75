"""From what was found out about a deployment's calls to what goes over the wire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from studio.accounts.selectors import actor_names
from studio.deployments.answer_drift import DAYS, ModelDrift
from studio.deployments.drift import FEWEST_ANSWERS
from studio.deployments.timeline import Period, Timeline
from studio.deployments.watch_schemas import (
    AnswerChangeOut,
    AnswerCountOut,
    AnsweredByOut,
    CallerOut,
    CallErrorOut,
    DriftOut,
    ModelDriftOut,
    SpreadOut,
    TimelineOut,
    TimelinePeriodOut,
)

MOST_CHANGES = 10


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

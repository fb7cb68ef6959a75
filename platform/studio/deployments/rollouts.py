"""Rollouts: a candidate gets a growing share of a deployment's calls, is promoted when better and rolled back when worse.

The judgement is ``sequential``'s. Only calls whose model was chosen by share count, those of both models from the same time on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Case, CharField, F, Q, Value, When
from django.utils import timezone

from automl.contracts.words import Words
from studio.accounts.access import SYSTEM, Principal
from studio.deployments.calls import first_call
from studio.deployments.errors import RolloutEndedError, RolloutInvalidError, RolloutRunningError
from studio.deployments.models import CallFeedback, Deployment, Measure, PredictionLog, Rollout, RolloutState
from studio.deployments.sequential import Evidence, evidence_add, verdict_of
from studio.deployments.services import artefact_check, deployment_record
from studio.deployments.traffic import form_check, traffic_of, traffic_write
from studio.registry.models import Artefact

words = Words(__file__)
ALPHA = 0.05
"""Of rollouts of an equal candidate, at most this fraction ends with a judgement."""
SETTLING = timedelta(seconds=10)
"""After so long a call is in the log."""
MOST_AT_ONCE = 50_000
"""Calls that are taken into account in one go."""
_ENDS = {"better": RolloutState.PROMOTED, "worse": RolloutState.ROLLED_BACK}


@dataclass(frozen=True)
class RolloutPlan:
    """How a candidate is judged, and how fast it gets more calls."""

    measure: Measure
    """What the two models are judged by."""
    margin: float
    """By how much the candidate may be worse and is promoted all the same, 0..1."""
    steps: Sequence[int]
    """Percent of the calls, ascending."""
    step_minutes: int
    """How long each step but the last one lasts at least."""


def rollout_start(*, deployment: Deployment, candidate: Artefact, plan: RolloutPlan, actor: Principal) -> Rollout:
    """Gives a candidate its first share.

    Args:
        deployment: which.
        candidate: the model that may take over.
        plan: how it is judged.
        actor: who starts it.

    Raises:
        RolloutRunningError: there is one already.
        RolloutInvalidError: the candidate answers all calls already, a third model has a share, or the steps do not ascend.
        DeploymentArtefactError: the candidate belongs to another project, or answers in another form.
    """
    _start_check(deployment, candidate, plan.steps)
    now = timezone.now()
    try:
        with transaction.atomic():
            rollout = Rollout.objects.create(
                deployment=deployment,
                baseline=deployment.artefact,
                candidate=candidate,
                measure=plan.measure,
                margin=plan.margin,
                steps=list(plan.steps),
                step_minutes=plan.step_minutes,
                step_at=now,
                judged_until=now,
                created_by=actor.id,
            )
            _change(rollout, RolloutState.RUNNING, "deployment.rollout_started", actor, now)
    except IntegrityError as error:
        raise RolloutRunningError from error
    return rollout


def _start_check(deployment: Deployment, candidate: Artefact, steps: Sequence[int]) -> None:
    artefact_check(deployment, candidate)
    form_check(deployment.artefact, candidate)
    others = {artefact for artefact, share in traffic_of(deployment).shares.items() if share} - {deployment.artefact_id}
    if candidate.id == deployment.artefact_id:
        raise RolloutInvalidError(words("rollout.candidate"))
    if others - {candidate.id}:
        raise RolloutInvalidError(words("rollout.third"))
    if list(steps) != sorted(set(steps)):
        raise RolloutInvalidError(words("rollout.steps"))


def rollout_stop(*, deployment: Deployment, actor: Principal) -> Rollout:
    """Ends a rollout by a person's word; all calls go to the model from before it.

    Raises:
        RolloutEndedError: none is running.
    """
    with transaction.atomic():
        rollout: Rollout | None = _running().filter(deployment=deployment).first()
        if rollout is None:
            raise RolloutEndedError("No rollout of this deployment is running.")
        _change(rollout, RolloutState.STOPPED, "deployment.rollout_stopped", actor, timezone.now())
    return rollout


def rollouts_advance(*, now: datetime | None = None) -> None:
    """Takes what became known into account; ends rollouts that are decided, and gives the others their next step in time."""
    for id_ in Rollout.objects.filter(state=RolloutState.RUNNING).values_list("id", flat=True):
        with transaction.atomic():
            rollout = _running().filter(id=id_).first()
            if rollout is not None:
                _advance(rollout, now or timezone.now())


def rollouts_of(deployment: Deployment) -> list[Rollout]:
    """The latest rollouts of a deployment, the newest first."""
    return list(Rollout.objects.filter(deployment=deployment).order_by("-id")[:20])


def share_of(rollout: Rollout) -> int:
    """Percent of the calls that the candidate has now."""
    if rollout.state == RolloutState.RUNNING:
        return int(rollout.steps[rollout.step])
    return 100 if rollout.state == RolloutState.PROMOTED else 0


def _running() -> Any:  # noqa: ANN401 - a queryset; its type says nothing more
    return Rollout.objects.select_for_update(of=("self",)).select_related("deployment").filter(state=RolloutState.RUNNING)


def _advance(rollout: Rollout, now: datetime) -> None:
    _learn(rollout, until=now - SETTLING)
    verdict = verdict_of(Evidence(**rollout.evidence), alpha=ALPHA)
    if verdict is not None:
        end = _ENDS[verdict]
        _change(rollout, end, f"deployment.rollout_{end.value}", SYSTEM, now)
        return
    is_due = now >= rollout.step_at + timedelta(minutes=rollout.step_minutes)
    if is_due and rollout.step + 1 < len(rollout.steps) and rollout.calls.get("candidate"):
        rollout.step += 1
        rollout.step_at = now
        _change(rollout, RolloutState.RUNNING, "deployment.rollout_step", SYSTEM, now)


def _learn(rollout: Rollout, *, until: datetime) -> None:
    """Adds the losses that became known to the evidence."""
    if until <= rollout.judged_until:
        return
    found = _known(rollout, until)[:MOST_AT_ONCE]
    rows = list(found)
    if len(rows) == MOST_AT_ONCE:  # the rest comes next time
        until = rows[-1][0]
        rows = [row for row in rows if row[0] < until] or rows
    for _, artefact, loss in rows:
        name = "candidate" if artefact == rollout.candidate_id else "baseline"
        number, total = rollout.calls.get(name, (0, 0.0))
        rollout.calls[name] = [number + 1, total + loss]
    losses = [(artefact == rollout.candidate_id, float(loss)) for _, artefact, loss in rows]
    rollout.evidence = asdict(evidence_add(Evidence(**rollout.evidence), losses, margin=rollout.margin))
    rollout.judged_until = until
    rollout.save(update_fields=["evidence", "calls", "judged_until"])


def _known(rollout: Rollout, until: datetime) -> Any:  # noqa: ANN401 - as above
    """When, of which model and which loss, in the order in which they became known."""
    models = (rollout.baseline_id, rollout.candidate_id)
    began_at = rollout.created_at
    window: dict[str, Any]
    if rollout.measure == Measure.FEEDBACK:
        window = {"received_at__gte": rollout.judged_until, "received_at__lt": until}
        rows = CallFeedback.objects.filter(deployment=rollout.deployment_id, artefact__in=models, is_pinned=False, **window)
        return (
            rows.filter(call__gte=first_call(began_at))
            .order_by("received_at", "id")
            .values_list("received_at", "artefact", "loss")
        )
    window = {"at__gte": rollout.judged_until, "at__lt": until}
    calls = PredictionLog.objects.filter(deployment=rollout.deployment_id, is_pinned=False, **window)
    is_failed = Q(status__gte=500) | ~Q(fallback_from="")
    chosen = Case(When(~Q(fallback_from=""), then=F("fallback_from")), default=F("artefact"), output_field=CharField())
    judged = calls.annotate(chosen=chosen, loss=Case(When(is_failed, then=Value(1)), default=Value(0)))
    judged = judged.filter(Q(status__lt=400) | Q(status__gte=500), chosen__in=models)
    return judged.order_by("at", "id").values_list("at", "chosen", "loss")


def _change(rollout: Rollout, state: RolloutState, action: str, actor: Principal, now: datetime) -> None:
    """A step or the end: the shares, the history, the audit row and the event, in the caller's transaction."""
    rollout.state = state
    if state is not RolloutState.RUNNING:
        rollout.ended_at, rollout.ended_by = now, actor.id
    share = share_of(rollout)
    rollout.history = [*rollout.history, {"at": now.isoformat(), "state": state.value, "share": share}]
    rollout.save()
    deployment = rollout.deployment
    shadow = traffic_of(deployment).shadow
    shares = {rollout.baseline_id: 100 - share, rollout.candidate_id: share}
    first = rollout.candidate_id if share == 100 else rollout.baseline_id
    traffic_write(
        deployment,
        first=first,
        shares={artefact: part for artefact, part in shares.items() if part},
        shadow=None if shadow == rollout.candidate_id else shadow,
    )
    detail: dict[str, object] = {"rollout": rollout.id, "candidate": rollout.candidate_id, "share": share}
    deployment_record(deployment, action, actor, detail)

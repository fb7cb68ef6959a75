"""Looks whether models are to be trained again, starts that, and offers what came of it.

A training takes the settings of the study that the model in service came from, on a version of the items as they stand. Its
model is offered as the challenger of a rollout: the sequential test decides there. Only where the rule asks for it does the
rollout begin by itself, and only where callers give feedback: without any, nothing could be decided.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from automl.contracts.words import Words
from studio.accounts.access import SYSTEM
from studio.common.errors import StudioError
from studio.datasets.models import Dataset, DatasetVersion
from studio.deployments.alerts.recording import Figures
from studio.deployments.calls import feedback_of
from studio.deployments.models import Deployment, Measure
from studio.deployments.retraining.models import Retraining, RetrainingState, RetrainRule
from studio.deployments.retraining.reasons.kind import Observation, Reason
from studio.deployments.retraining.services import settings_of
from studio.deployments.rollouts import RolloutPlan, rollout_start
from studio.deployments.services import deployment_record
from studio.registry.models import Artefact
from studio.studies.advance import objective_of
from studio.studies.again import study_again, study_settings
from studio.studies.hooks import version_cut
from studio.studies.models import Study, StudyState, Trial
from studio.studies.selection import shipped_of

log = logging.getLogger(__name__)
words = Words(__file__)
STEPS = (5, 20, 50)
"""Percent of the calls that a challenger gets, one after the other."""
STEP_MINUTES = 60
FEEDBACK_DAYS = 28
"""A rollout begins by itself only where callers gave feedback in so many days."""


def retraining_judge(*, now: datetime | None = None) -> None:
    """Looks at every deployment with a rule, and starts what is due."""
    at = now or timezone.now()
    rules = RetrainRule.objects.select_related("deployment__artefact__version", "deployment__project")
    for rule in rules.order_by("deployment"):
        try:
            _judge(rule, at)
        except Exception:
            log.exception("the retrain rule of %s cannot be judged", rule.deployment_id)


def retraining_advance() -> None:
    """Offers the models of trainings that have ended."""
    for retraining in Retraining.objects.filter(state=RetrainingState.TRAINING).select_related("study", "deployment"):
        if retraining.study is None:
            _end(retraining, RetrainingState.FAILED, code="study_deleted")
        elif retraining.study.state == StudyState.SUCCEEDED:
            _offer(retraining, retraining.study)
        elif retraining.study.state != StudyState.RUNNING:
            error = retraining.study.error or {}
            _end(retraining, RetrainingState.FAILED, code=str(error.get("code") or f"study_{retraining.study.state}"))


def retrainings_of(deployment: Deployment) -> list[Retraining]:
    """The latest twenty, the newest first."""
    rows = Retraining.objects.filter(deployment=deployment).select_related("version", "study", "artefact")
    return list(rows.order_by("-id")[:20])


def _judge(rule: RetrainRule, now: datetime) -> None:
    deployment = rule.deployment
    if Retraining.objects.filter(deployment=deployment, state=RetrainingState.TRAINING).exists():
        return
    latest = Retraining.objects.filter(deployment=deployment).select_related("version").order_by("-id").first()
    learned = [deployment.artefact.version, *([latest.version] if latest is not None else [])]
    since = max(version.created_at for version in learned)
    due: tuple[Reason, Figures] | None = None
    holds_since: dict[str, str] = {}
    for setting in settings_of(rule):
        name = setting.reason.name
        stored = rule.holds_since.get(name)
        if not setting.is_on:
            continue
        began_at = datetime.fromisoformat(stored) if stored else None
        found = setting.reason.look(Observation(deployment, setting.limit, now, since, began_at))
        if found is None or found.holds:
            began_at = began_at or (now if found is not None else None)
            if began_at is not None:
                holds_since[name] = began_at.isoformat()
        if found is not None and found.is_due and due is None:
            due = setting.reason, found.figures
    blocked = None if due is None else _start(deployment, *due, learned=learned)
    if blocked is not None and due is not None:
        blocked |= {"reason": due[0].name, "at": (rule.blocked or {}).get("at") or now.isoformat()}
    if due is not None and blocked is None:
        holds_since = {}
    RetrainRule.objects.filter(deployment=deployment).update(holds_since=holds_since, blocked=blocked)


def _start(deployment: Deployment, reason: Reason, figures: Figures, *, learned: list[DatasetVersion]) -> dict[str, str] | None:
    """Cuts a version and starts the study; returns the code of what stands in the way."""
    study = _study_of(deployment.artefact)
    if study is None:
        return {"code": "study_deleted"}
    dataset = Dataset.objects.select_related("project").get(id=deployment.project.default_dataset_id)
    try:
        version = version_cut(dataset, words("note", name=deployment.name).in_language("en"), SYSTEM)
        if version.id in {each.id for each in learned}:
            return {"code": "nothing_new"}
        with transaction.atomic():
            retraining = Retraining.objects.create(
                deployment=deployment, reason=reason.name, figures=dict(figures), version=version
            )
            retraining.study = study_again(study_settings(study), version=version, actor=SYSTEM)
            retraining.save(update_fields=["study"])
            detail: dict[str, object] = {"version": version.id, "study": retraining.study.id}
            deployment_record(deployment, "deployment.retraining_started", SYSTEM, detail)
    except StudioError as error:
        return {"code": error.code}
    except IntegrityError:
        return None  # another process has started it
    return None


def _study_of(artefact: Artefact) -> Study | None:
    """The study that a model came from; of a compressed one, that of the model that was compressed."""
    origin: Artefact | None = artefact
    while origin is not None and origin.trial is None:
        origin = origin.parent
    return None if origin is None or origin.trial is None else origin.trial.study


def _offer(retraining: Retraining, study: Study) -> None:
    trial = shipped_of(study, list(Trial.objects.filter(study=study).order_by("number")), objective_of(study))
    artefact = None if trial is None else Artefact.objects.filter(trial=trial.id).first()
    if artefact is None:
        _end(retraining, RetrainingState.FAILED, code="model_deleted")
        return
    retraining.artefact = artefact
    _end(retraining, RetrainingState.OFFERED)
    rule = RetrainRule.objects.filter(deployment=retraining.deployment_id, starts_rollout=True).first()
    if rule is not None:
        code = _challenge(Deployment.objects.select_related("artefact", "project").get(id=retraining.deployment_id), artefact)
        Retraining.objects.filter(id=retraining.id).update(code=code)


def _challenge(deployment: Deployment, candidate: Artefact) -> str:
    """Begins the rollout; returns why it could not, or nothing."""
    since = timezone.now() - timedelta(days=FEEDBACK_DAYS)
    if not feedback_of(deployment).filter(received_at__gte=since).exists():
        return "feedback_missing"
    plan = RolloutPlan(measure=Measure.FEEDBACK, margin=0.0, steps=STEPS, step_minutes=STEP_MINUTES)
    try:
        rollout_start(deployment=deployment, candidate=candidate, plan=plan, actor=SYSTEM)
    except StudioError as error:
        return error.code
    return ""


def _end(retraining: Retraining, state: RetrainingState, *, code: str = "") -> None:
    retraining.state, retraining.code, retraining.ended_at = state, code, timezone.now()
    with transaction.atomic():
        retraining.save()
        artefact = retraining.artefact
        detail: dict[str, object] = {"code": code} if artefact is None else {"artefact": artefact.id}
        deployment_record(retraining.deployment, f"deployment.retraining_{state.value}", SYSTEM, detail)

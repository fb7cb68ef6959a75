"""What the study app does when a training job is prepared, reports and ends."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, QuerySet, Value
from django.utils import timezone

from automl.contracts.dataset import Split
from automl.contracts.job import Event, JobLimits, JobSpec, JobState, Metric, Started, StopReason
from automl.search.objectives import SideObjective
from automl.search.pruners import NO_PRUNER
from automl.search.states import TrialState
from automl.search.study import should_prune
from engine.models import family_spec
from engine.tasks import task_spec
from studio.accounts.access import Principal
from studio.common.events import event_record
from studio.datasets.items.report_facts import facts_place
from studio.datasets.versions.manifest import version_place
from studio.jobs.handlers import Executor
from studio.jobs.models import Job
from studio.jobs.threads import job_threads
from studio.projects.models import Project
from studio.registry.errors import ResultInvalidError
from studio.registry.importing import artefact_import, report_read
from studio.studies.advance import history_of, objective_of, study_advance
from studio.studies.models import Study, StudyState, Trial, TrialPoint
from studio.studies.plan import data_parallel_of, hosts_of, processes_of, space_of
from studio.studies.refits import members_place, refit_order
from studio.studies.selection import evidence_of, shipped_of
from studio.studies.services import study_cancel, study_pause
from studio.studies.starts import start_place
from studio.studies.states import TrialMoveError, trial_move
from studio.studies.strategies import strategy_of

EXECUTORS: Mapping[str, Executor] = {"train": "engine"}

LEAST_TIME_S = 1.0
"""Of a training whose study has no time left."""
FOLDS_S = 120.0
"""Of processor time that a trial of a network may spend on being judged by folds."""

_ENDED_AS = {
    JobState.SUCCEEDED: TrialState.SUCCEEDED,
    JobState.FAILED: TrialState.FAILED,
    JobState.STOPPED: TrialState.PRUNED,
    JobState.CANCELLED: TrialState.CANCELLED,
}

_log = logging.getLogger(__name__)


def job_prepare(job: Job, workdir: Path) -> JobSpec:
    """Places the dataset version, and the model that training goes on from, and returns the order to train."""
    trial = _trial(job)
    study = trial.study
    version_place(study.version, workdir / "data")
    facts_place(study.version, workdir / "data")
    if study.start is not None:
        start_place(study.start, workdir)
    lineage = {"project": study.project_id, "study": study.id, "trial": trial.id}
    if not trial.is_candidate:
        members_place(trial, workdir)
        return _spec(job, trial, kind="refit", train=None, refit=refit_order(trial), lineage=lineage)
    _clock_start(study)
    order = strategy_of(study.strategy).order(study, workdir)
    return _spec(job, trial, **{**order, "lineage": {**lineage, **order["lineage"]}}, time_s=_time_s(study))


def _spec(job: Job, trial: Trial, *, time_s: float | None = None, **own: Any) -> JobSpec:
    """The order, but for what is only of its kind."""
    study = trial.study
    num_processes = processes_of(family_spec(trial.train.family), study.num_processes)
    return JobSpec(
        id=job.id,
        task=study.project.task,
        seed=study.seed,
        objective=study.objective,
        device=study.device,
        cache_dir=str(settings.CACHE_DIR),
        assets_dir=str(settings.ASSETS_DIR),
        limits=JobLimits(
            num_threads=job_threads(job, num_processes=num_processes),
            time_s=time_s,
            folds_s=FOLDS_S,
            batch_parts=_batch_parts(job, trial),
            num_processes=num_processes,
            num_hosts=hosts_of(study, trial),
            data_parallel=data_parallel_of(study),
        ),
        **{"train": trial.train, **own},
    )


def _batch_parts(job: Job, trial: Trial) -> int | None:
    """Of families that are trained by gradient steps."""
    return job.batch_parts if family_spec(trial.train.family).can_continue else None


def job_reported(job: Job, event: Event) -> StopReason | None:
    """Keeps the points of the learning curves, and ends a trial that has no hope.

    Called at least once an event: a point that comes again writes over itself.
    """
    if isinstance(event, Started):
        _started(job)
    if not isinstance(event, Metric):
        return None
    trial = _trial(job)
    if TrialState(trial.state).is_final:
        return None
    _point_keep(trial, event)
    is_objective = event.split is Split.VALIDATION and objective_of(trial.study).name in event.values
    return StopReason.PRUNED if is_objective and _is_hopeless(trial) else None


def job_ended(job: Job) -> None:
    """Writes how the trial ended and advances its study. Doing it again changes nothing."""
    study_advance(study_id=_trial_end(job).study_id)


def trials_shipped(trial_ids: Sequence[str]) -> set[str]:
    """Those of the trials that their ended studies ship."""
    ended = Study.objects.filter(trials__in=trial_ids, ended_at__isnull=False).distinct()
    shipped = [
        shipped_of(study, list(study.trials.all()), objective_of(study))
        for study in ended.select_related("project").prefetch_related("trials")
    ]
    return {trial.id for trial in shipped if trial is not None}.intersection(trial_ids)


def project_deleted(project: Project, actor: Principal) -> None:
    """Pauses its trainings; cancels them where it cannot be restored."""
    end = study_pause if project.is_restorable else study_cancel
    for study in Study.objects.filter(project=project, state=StudyState.RUNNING):
        end(study=study, actor=actor)


def project_counts(project_ids: Sequence[str]) -> list[QuerySet[Any, Any]]:
    """Figures of this app for project pages."""
    studies = Study.objects.filter(project__in=project_ids).order_by()
    return [studies.values_list("project", Value("studies")).annotate(number=Count("id"))]


def _clock_start(study: Study) -> None:
    """Lets the study's time begin now, unless one of its trials has used some of it."""
    if not Trial.objects.filter(study=study, started_at__gte=study.clock_started_at).exists():
        study.clock_started_at = timezone.now()
        study.save(update_fields=["clock_started_at"])


def _time_s(study: Study) -> float | None:
    """What is left of the study's time; a trial that waited until it was over still ends with something."""
    left_s = study.left_s(timezone.now())
    return None if left_s is None else max(left_s, LEAST_TIME_S)


def _trial(job: Job) -> Trial:
    return _trials().get(id=job.subject)


def _trials() -> QuerySet[Trial]:
    return Trial.objects.select_related(
        "study__project", "study__version__project", "study__teacher", "study__start__trial__study"
    )


def _started(job: Job) -> None:
    trial = _trial(job)
    if trial.state == TrialState.QUEUED:
        try:
            trial_move(trial, TrialState.RUNNING)
        except TrialMoveError:
            _log.info("%s started after it had ended", trial.id)


def _point_keep(trial: Trial, event: Metric) -> None:
    values = {name: value for name, value in event.values.items() if math.isfinite(value)}
    point = TrialPoint(trial=trial, split=event.split.value, step=event.step, epoch=event.epoch, values=values)
    with transaction.atomic():
        TrialPoint.objects.bulk_create(
            [point],
            update_conflicts=True,
            unique_fields=["trial", "split", "step"],
            update_fields=["epoch", "values"],
        )
        data = {"study": trial.study_id, "step": event.step, "epoch": event.epoch, "split": event.split, "values": values}
        _event_add(trial, "trial.reported", data)


def _is_hopeless(trial: Trial) -> bool:
    study = trial.study
    if not trial.is_candidate or study.pruner == NO_PRUNER or study.state != StudyState.RUNNING:
        return False
    space = space_of(study)
    if space is None or not task_spec(study.project.task).consumes.has_telling_curves:
        return False
    history = history_of(study)
    record = next(record for record in history if record.number == trial.number)
    is_higher_better = objective_of(study).is_higher_better
    return should_prune(history=history, trial=record, space=space, is_higher_better=is_higher_better, pruner=study.pruner)


def _trial_end(job: Job) -> Trial:
    """Ends the trial with its row held: should two processes report the same end, the second finds it done."""
    with transaction.atomic():
        trial = _trials().select_for_update(of=("self",)).get(id=job.subject)
        if TrialState(trial.state).is_final:
            return trial
        to = _ENDED_AS[JobState(job.state)]
        changes: dict[str, Any] = {"error": job.error}
        if to is TrialState.SUCCEEDED:
            try:
                changes = _measured(trial, job)
            except ResultInvalidError as error:
                to = TrialState.FAILED
                changes = {"error": {"code": error.code, "message": error.message, "hint": error.hint, "items": []}}
        trial_move(trial, to, changes=changes)
        _event_add(trial, f"trial.{to.value}", {"study": trial.study_id, "number": trial.number, "value": trial.value})
    return trial


def _measured(trial: Trial, job: Job) -> dict[str, Any]:
    """Enters the artefact into the registry and records what the trial is judged by."""
    artefact = artefact_import(job=job, trial_id=trial.id, version=trial.study.version)
    values = dict(job.metrics) or dict(artefact.facts.metrics.get(Split.VALIDATION, {}))
    evidence = evidence_of(report_read(artefact.tree))
    footprint = {SideObjective.LATENCY_MS: artefact.latency_ms, SideObjective.MODEL_BYTES: artefact.model_bytes}
    value = values.get(objective_of(trial.study).name)
    return {"values": values, "value": value, "footprint": footprint, "evidence": evidence, "cpu_s": job.cpu_s}


def _event_add(trial: Trial, type: str, data: dict[str, Any]) -> None:  # noqa: A002 - the event's word
    project = trial.study.project
    event_record(workspace=project.workspace_id, project=project.id, type=type, subject=trial.id, data=data)

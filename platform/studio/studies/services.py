"""Writes of studies that people ask for: start, pause, resume, cancel, finish, extend, ship."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from automl.contracts.job import JobState, StopReason
from automl.contracts.words import Words
from automl.search.pruners import NO_PRUNER, pruner_names
from automl.search.states import TrialState
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.accounts.quotas import Quota, quota_claimed
from studio.common.errors import InvalidInputError
from studio.common.events import event_record
from studio.datasets.models import DatasetVersion
from studio.jobs.models import Job
from studio.jobs.services import job_pause, job_resume, job_stop
from studio.projects.models import Project
from studio.studies.advance import objective_of, refit_try, study_advance
from studio.studies.errors import StudyBlockedError, StudyEndedError, StudyNotDoneError, StudyPausedError, TrialNotOnFrontError
from studio.studies.models import Study, StudyState, Trial
from studio.studies.plan import plan_make, ranges_stored
from studio.studies.selection import front_of, has_reached, refit_of
from studio.studies.states import FINAL, study_move
from studio.studies.strategies import strategy_of
from studio.studies.strategy import StudyRequest
from studio.studies.warm_trials import warm_stored

words = Words(__file__)


def study_start(
    *,
    version: DatasetVersion,
    request: StudyRequest,
    pruner: str,
    actor: Principal,
    name: str = "",
    time_limit_s: float | None = None,
    target: float | None = None,
    seed: int = 0,
) -> Study:
    """Starts a study with its first trials. With several objectives no trial is stopped early: it may lead in another one.

    Raises:
        StudyBlockedError: the version cannot be trained on, or nothing fits.
        InvalidInputError: a strategy, pruner, family or configuration that does not exist.
        StartUnsuitableError: training cannot go on from the model named.
    """
    if pruner not in {NO_PRUNER, *pruner_names()}:
        fields = {"pruner": [f"known: {', '.join((NO_PRUNER, *pruner_names()))}"]}
        raise InvalidInputError(f"There is no pruner {pruner!r}.", fields=fields)
    plan = plan_make(version=version, request=request)
    if plan.blocking:
        raise StudyBlockedError(problems=plan.blocking)
    project = version.project
    with quota_claimed(project.workspace_id, {Quota.JOBS: 1}), transaction.atomic():
        study = Study.objects.create(
            project=project,
            version=version,
            name=name.strip() or _first_name(project, actor),
            strategy=request.strategy,
            families=[[family.name, [size.name for size in family.sizes]] for family in plan.families],
            single=request.single.model_dump(mode="json") if request.single else None,
            teacher=request.teacher,
            start=request.start,
            max_trials=plan.num_trials,
            concurrency=request.concurrency,
            time_limit_s=time_limit_s,
            clock_started_at=timezone.now(),
            objective=request.objective,
            also_improves=[name.value for name in dict.fromkeys(request.also_improves)],
            refits=plan.refits,
            learns_test=request.learns_test and plan.refits,
            max_answer_ratio=plan.max_answer_ratio,
            prefers_fast=request.prefers_fast,
            pruner=NO_PRUNER if request.also_improves else pruner,
            target=target,
            seed=seed,
            ranges=ranges_stored(request.ranges),
            at_most=dict(request.at_most),
            device=request.device,
            num_processes=request.num_processes,
            num_hosts=request.num_hosts,
            data_parallel=request.data_parallel.model_dump(mode="json"),
            warm_trials=warm_stored(plan.warm_trials),
            created_by=actor.id,
        )
        detail: dict[str, object] = {"version": version.id, "strategy": request.strategy}
        if request.start is not None:
            detail["start_from"] = request.start.id
        study_record(study, "study.started", actor, detail)
        study_advance(study_id=study.id)
    return study


def study_pause(*, study: Study, actor: Principal) -> Study:
    """Starts no trial any more and puts those that run back to their last checkpoint, until ``study_resume``.

    Pausing a paused study changes nothing.

    Raises:
        StudyEndedError: it does not run.
    """
    with transaction.atomic():
        study = _locked(study)
        if study.state != StudyState.RUNNING:
            raise StudyEndedError(state=study.state, hint="Only a running study can be paused.")
        if study.paused_at is None:
            study.paused_at = timezone.now()
            study.save(update_fields=["paused_at"])
            study_record(study, "study.paused", actor, {})
            for job in _open_jobs(study):
                job_pause(job=job)
    return study


def study_resume(*, study: Study, actor: Principal) -> Study:
    """Lets a paused study go on; the time of the pause does not count for its limit. Otherwise nothing changes.

    Raises:
        JobsQuotaError: its jobs would be more than the workspace may have now; paused ones did not count.
    """
    study.refresh_from_db()
    if study.paused_at is None:
        return study
    num_jobs = max(1, sum(job.is_paused and job.state == JobState.QUEUED.value for job in _open_jobs(study)))
    with quota_claimed(study.project.workspace_id, {Quota.JOBS: num_jobs}), transaction.atomic():
        study = _locked(study)
        if study.paused_at is None:
            return study
        pause = timezone.now() - study.paused_at
        # How long a trial takes is counted from its start, for plans too.
        study.trials.exclude(state__in=FINAL).filter(started_at__isnull=False).update(started_at=F("started_at") + pause)
        study.clock_started_at += pause
        study.paused_at = None
        study.save(update_fields=["clock_started_at", "paused_at"])
        study_record(study, "study.resumed", actor, {})
        for job in _open_jobs(study):
            job_resume(job=job)
        study_advance(study_id=study.id)
    study.refresh_from_db()
    return study


def study_cancel(*, study: Study, actor: Principal) -> Study:
    """Ends a study now; trials that run are asked to end, and what has been found stays.

    Raises:
        StudyEndedError: it does not run.
    """
    with transaction.atomic():
        study = _locked(study)
        if study.state != StudyState.RUNNING:
            raise StudyEndedError(state=study.state, hint="Only a running study can be cancelled.")
        Study.objects.filter(id=study.id).update(paused_at=None)
        study_move(study, StudyState.CANCELLED)
        study_record(study, "study.cancelled", actor, {})
        for job in _open_jobs(study):
            job_stop(job=job, reason=StopReason.CANCELLED)
    return study


def study_finish(*, study: Study, actor: Principal) -> Study:
    """Ends a study with what it has: no trial is started any more, and those that run leave what they have learned.

    Raises:
        StudyEndedError: it does not run.
        StudyPausedError: it is paused.
    """
    with transaction.atomic():
        study = _locked(study)
        if study.state != StudyState.RUNNING:
            raise StudyEndedError(state=study.state, hint="Only a running study can be finished.")
        if study.paused_at is not None:  # a trial can leave what it has learned only while it runs
            raise StudyPausedError
        if not study.is_finishing:
            Study.objects.filter(id=study.id).update(is_finishing=True)
            study_record(study, "study.finishing", actor, {})
        for trial in Trial.objects.filter(study=study).exclude(state__in=FINAL).select_related("job"):
            if trial.job is not None:
                # The best trial is shipped as it was judged: a model that was cut off while it learned anew is not as good.
                job_stop(job=trial.job, reason=StopReason.FINISH if trial.is_candidate else StopReason.CANCELLED)
        study_advance(study_id=study.id)
    study.refresh_from_db()
    return study


def study_extend(*, study: Study, max_trials: int, actor: Principal) -> Study:
    """Lets a study run on to a larger number of trials; its time limit starts anew, and a target that was reached is gone.

    Raises:
        StudyEndedError: it was cancelled, or all its trials were known beforehand.
        InvalidInputError: the number is not larger.
    """
    with transaction.atomic():
        study = _locked(study)
        if study.state == StudyState.CANCELLED or not strategy_of(study.strategy).searches:
            raise StudyEndedError(state=study.state, hint="Start a new study instead.")
        if max_trials <= study.max_trials:
            message = f"The study has {study.max_trials} trials already."
            raise InvalidInputError(message, fields={"max_trials": [f"must be more than {study.max_trials}"]})
        changes: dict[str, Any] = {"max_trials": max_trials, "clock_started_at": timezone.now(), "is_finishing": False}
        if has_reached(study, study.trials.all(), objective_of(study)):
            changes["target"] = None
        Study.objects.filter(id=study.id).update(**changes)
        if study.state != StudyState.RUNNING:
            study_move(study, StudyState.RUNNING)
        study_record(study, "study.extended", actor, {"max_trials": max_trials})
        study_advance(study_id=study.id)
    study.refresh_from_db()
    return study


def study_ship(*, study: Study, trial: str, actor: Principal) -> Study:
    """Ships another trial of the front of a study that has ended well; it learns once more as the best did.

    Choosing a trial again changes nothing, unless that learning failed or was cancelled: then it is tried again.

    Raises:
        StudyNotDoneError: it runs, has failed or was cancelled.
        TrialNotOnFrontError: the study has one objective, or the trial is not on its front.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(of=("self",)).select_related("project", "version__project").get(id=study.id)
        if study.state != StudyState.SUCCEEDED:
            raise StudyNotDoneError(state=study.state)
        trials = list(Trial.objects.filter(study=study).order_by("number"))
        if trial not in {each.id for each in front_of(study, trials, objective_of(study))}:
            raise TrialNotOnFrontError
        Study.objects.filter(id=study.id).update(chosen_trial=trial)
        study.chosen_trial = trial
        study_record(study, "study.chosen", actor, {"trial": trial})
        last = refit_of(study, trials)
        if (last is None or last.state in {TrialState.FAILED, TrialState.CANCELLED}) and refit_try(study, trials):
            study_move(study, StudyState.RUNNING)
    study.refresh_from_db()
    return study


def _locked(study: Study) -> Study:
    return Study.objects.select_for_update(of=("self",)).select_related("project").get(id=study.id)


def _open_jobs(study: Study) -> list[Job]:
    """Jobs of the trials that have not ended."""
    trials = Trial.objects.filter(study=study, job__isnull=False).exclude(state__in=FINAL).select_related("job")
    return [trial.job for trial in trials if trial.job is not None]


def _first_name(project: Project, actor: Principal) -> str:
    """The default name of a study: its number, in the language of the person who starts it."""
    number = Study.objects.filter(project=project).count() + 1
    return words("study.name", number=number).in_language(actor.language)


def study_record(study: Study, action: str, actor: Principal, detail: dict[str, object]) -> None:
    """The audit row and the event of a change."""
    workspace = study.project.workspace_id
    audit_record(workspace=workspace, project=study.project_id, actor=actor, action=action, subject=study.id, detail=detail)
    event_record(workspace=workspace, project=study.project_id, type=action, subject=study.id, data=detail)

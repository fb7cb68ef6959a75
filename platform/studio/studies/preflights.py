"""Pre-flights: whether a study would run, how long it would take and how much memory, found out by a job before it is started.

The job is all there is of a pre-flight: its payload holds what was asked, its result is a ``PreflightReport``.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from pydantic import ValidationError

from automl.contracts.job import JobLimits, JobSpec, JobState, PreflightOrder, TrainConfig
from automl.contracts.preflight import PREFLIGHT_FILE, PreflightReport, StageOutcome, TrialCheck
from automl.contracts.words import Words
from automl.planning.fit import TIMES_OFF, Basis, TrialEstimate
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.accounts.quotas import Quota, quota_claimed
from studio.accounts.sight import Sight
from studio.common.blob_store import BlobMissingError
from studio.common.blobs import blobs
from studio.common.errors import NotFoundError
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.manifest import version_place
from studio.jobs.handlers import Executor
from studio.jobs.models import Job
from studio.jobs.selectors import job_get
from studio.jobs.services import job_submit_once
from studio.jobs.threads import job_threads
from studio.jobs.workdir import result_prefix
from studio.registry.errors import ResultInvalidError
from studio.registry.models import Artefact
from studio.studies.cure_jobs import version_submit
from studio.studies.cures.kind import CurePlan, Failure
from studio.studies.curing import cures_of, version_without
from studio.studies.errors import CureUnsuitableError, PreflightUnsuitableError, StudyBlockedError
from studio.studies.forecast import Forecast, forecast_make
from studio.studies.handlers import FOLDS_S
from studio.studies.models import Study, StudyState, Trial
from studio.studies.plan import Estimator, StudyPlan, family_of, plan_make, ranges_stored, within
from studio.studies.starts import start_place
from studio.studies.strategies import strategy_of
from studio.studies.strategy import StudyRequest
from studio.studies.warm_trials import warm_stored

EXECUTORS: Mapping[str, Executor] = {"preflight": "engine"}
KIND = "preflight"
MOST_TRIALS = 8
"""Models that are gone through; a minute is enough for about two networks, and for all families of tables."""
words = Words(__file__)


@dataclass(frozen=True)
class Preflight:
    """A pre-flight as it stands."""

    job: Job
    version: DatasetVersion
    request: StudyRequest
    report: PreflightReport | None
    """None while the job runs, and of one that did not end well."""

    @cached_property
    def plan(self) -> StudyPlan:
        """What the study would run."""
        return plan_make(version=self.version, request=self.request)

    @cached_property
    def forecast(self) -> Forecast | None:
        """What the study takes, with what was measured in place of what was planned; None where all that was tried fails."""
        report = self.report
        if report is None or all(check.failure is not None for check in report.trials):
            return None
        return forecast_make(self.plan, report, version=self.version, request=self.request)

    @cached_property
    def failure(self) -> Failure | None:
        """Why the study would fail, or models of it; None where nothing does."""
        if self.job.state == JobState.FAILED.value:
            error = self.job.error or {}
            trains = trials_of(self.job)
            return self._failure(str(error.get("code", "")), str(error.get("message", "")), error.get("items", ()), trains)
        failed = [] if self.report is None else [check for check in self.report.trials if check.failure is not None]
        first = failed[0].failure if failed else None
        if first is None:
            return None
        alike = [check for check in failed if check.failure is not None and check.failure.code == first.code]
        items = [item for check in alike if check.failure is not None for item in check.failure.items]
        return self._failure(first.code, first.message, items, [check.train for check in alike])

    def _failure(self, code: str, message: str, items: Sequence[str], trains: Sequence[TrainConfig]) -> Failure:
        study = study_unsaved(self.version, self.request)
        trials = tuple(
            Trial(study=study, number=number, config=train.model_dump(mode="json"), estimated_s=0.0)
            for number, train in enumerate(trains)
        )
        return Failure(study, code, message, tuple(dict.fromkeys(items)), trials)


def preflight_start(*, version: DatasetVersion, request: StudyRequest, asked: Mapping[str, Any], actor: Principal) -> Job:
    """Has a study tried that is not started yet; while such a job waits or runs for the same settings, gives that job.

    Args:
        version: to train on.
        request: the study.
        asked: the same as JSON, from which whoever reads the job makes the request again.
        actor: who asks.

    Raises:
        PreflightUnsuitableError: the study's trials learn from another model.
        StudyBlockedError: there is nothing to try: no model fits.
        InvalidInputError: errors as of ``plan_make``.
    """
    if strategy_of(request.strategy).is_taught:
        raise PreflightUnsuitableError
    plan = plan_make(version=version, request=request)
    trains = _trials_tried(plan, version, request)
    if not trains:
        raise StudyBlockedError(problems=plan.blocking)
    workspace, project = version.project.workspace_id, version.project_id
    given = json.dumps(asked, sort_keys=True)
    detail = {"version": version.id}
    with quota_claimed(workspace, {Quota.JOBS: 1}), transaction.atomic():
        job, is_new = job_submit_once(
            workspace=workspace,
            project=project,
            kind=KIND,
            title=words("job.preflight", version=version.number),
            subject=version.id,
            payload={"asked": dict(asked), "trials": [train.model_dump(mode="json") for train in trains]},
            variant=(hashlib.sha256(given.encode()).hexdigest()[:16],),
            max_attempts=1,
        )
        if is_new:
            audit_record(
                workspace=workspace, project=project, actor=actor, action="study.checked", subject=job.id, detail=detail
            )
    return job


def preflight_job(sight: Sight, preflight_id: str) -> Job:
    """The job of a pre-flight.

    Raises:
        NotFoundError: there is none within sight.
    """
    job = job_get(sight, job_id=preflight_id)
    if job.kind != KIND:
        raise NotFoundError(f"There is no pre-flight {preflight_id}.")
    return job


def preflight_of(job: Job, version: DatasetVersion, request: StudyRequest) -> Preflight:
    """What a job was asked and what it found.

    Raises:
        ResultInvalidError: the report cannot be read.
    """
    has_ended_well = job.state == JobState.SUCCEEDED.value and job.end_handled_at is not None
    return Preflight(job, version, request, _report(result_prefix(job.id)) if has_ended_well else None)


def preflight_cure(preflight: Preflight, *, name: str, actor: Principal) -> tuple[DatasetVersion | Job, StudyRequest]:
    """The version and the study that a cure leaves: items are put aside where it says so, and nothing is started.

    Of a large dataset a job cuts the version.

    Raises:
        CureUnsuitableError: it is none of the cures, or one that a person does on a page.
        StudioError: the version without the items cannot be created.
    """
    plan = cure_found(preflight, name)[1]
    version, left_out = preflight.version, plan.leaves_out
    if not left_out:
        return version, plan.settings.request
    project, note = version.project, words("checked.note", count=len(left_out))
    job = version_submit(project=project, subject=preflight.job.id, name=name, left_out=left_out, note=note, actor=actor)
    return job or version_without(project, left_out, note, actor), plan.settings.request


def cure_found(preflight: Preflight, name: str) -> tuple[Any, CurePlan]:
    """A cure, and what it changes. Errors as of ``preflight_cure``."""
    failure = preflight.failure
    found = {cure.name: (cure, plan) for cure, plan in cures_of(failure) if cure.page is None} if failure else {}
    if name not in found:
        raise CureUnsuitableError(cure=name, known=list(found))
    return found[name]


def job_prepare(job: Job, workdir: Path) -> JobSpec:
    """Places the version, and the model that training goes on from, and returns the order to try."""
    version = DatasetVersion.objects.select_related("project").get(id=job.subject)
    version_place(version, workdir / "data")
    start, asked = _start_of(job), job.payload["asked"]
    if start is not None:
        start_place(start, workdir)
    return JobSpec(
        id=job.id,
        kind="preflight",
        task=version.project.task,
        preflight=PreflightOrder(trials=tuple(trials_of(job))),
        objective=asked.get("objective") or "",
        device=asked.get("device") or "auto",
        cache_dir=str(settings.CACHE_DIR),
        assets_dir=str(settings.ASSETS_DIR),
        limits=JobLimits(num_threads=job_threads(job, num_alike=asked.get("concurrency") or 1), folds_s=FOLDS_S),
        lineage={"project": version.project_id},
    )


def trials_of(job: Job) -> list[TrainConfig]:
    """What a pre-flight tries, in order."""
    return [TrainConfig.model_validate(train) for train in job.payload["trials"]]


def study_unsaved(version: DatasetVersion, request: StudyRequest) -> Study:
    """The study as it would stand, for whoever asks what it is; it is in no table."""
    return Study(
        project=version.project,
        version=version,
        name="",
        state=StudyState.FAILED,
        strategy=request.strategy,
        families=[[name, []] for name in request.families or ()],
        single=request.single.model_dump(mode="json") if request.single else None,
        teacher=request.teacher,
        start=request.start,
        max_trials=request.max_trials,
        concurrency=request.concurrency,
        objective=request.objective,
        also_improves=[each.value for each in request.also_improves],
        refits=request.refits,
        learns_test=request.learns_test,
        max_answer_ratio=request.max_answer_ratio,
        prefers_fast=request.prefers_fast,
        pruner="none",
        seed=0,
        ranges=ranges_stored(request.ranges),
        at_most=dict(request.at_most),
        device=request.device,
        num_processes=request.num_processes,
        num_hosts=request.num_hosts,
        data_parallel=request.data_parallel.model_dump(mode="json"),
        warm_trials=warm_stored(request.warm_trials),
    )


def _trials_tried(plan: StudyPlan, version: DatasetVersion, request: StudyRequest) -> list[TrainConfig]:
    """One trial of each model, the quickest first, so that most are measured.

    As planning is not surer than that (``TIMES_OFF``), those that take about as long stand in the study's own order: of each
    family first the one that it begins with, then the others by memory.
    """
    estimator = Estimator(version=version, concurrency=request.concurrency, num_processes=request.num_processes)
    found = {(one.train.family, one.train.size): one for one in reversed(plan.trials) if one.is_fitting}
    if strategy_of(request.strategy).searches is not None and plan.num_trials > len(plan.trials):
        for family in plan.families:
            for size in family.sizes:
                if (family.name, size.name) not in found:
                    (train,) = within([TrainConfig(family=family.name, size=size.name, params={})], [family], request.ranges)
                    found[family.name, size.name] = estimator.raw(family_of(plan.families, train), train)
    first: dict[str, TrialEstimate] = {}
    for one in plan.trials:
        if one.is_fitting:
            first.setdefault(one.train.family, one)
    places = {(one.train.family, one.train.size): place for place, one in enumerate(first.values())}
    ordered = sorted(
        found.values(),
        key=lambda one: (places.get((one.train.family, one.train.size), len(places)), -one.memory_bytes),
    )
    chosen = ordered[:MOST_TRIALS]
    quickest_s = min((one.estimated_s for one in chosen), default=1.0)
    chosen.sort(key=lambda one: int(math.log(one.estimated_s / quickest_s, TIMES_OFF[Basis.PLANNED])))
    start_from = None if request.start is None else request.start.id
    return [one.train.model_copy(update={"start_from": start_from}) for one in chosen]


def is_tried(check: TrialCheck) -> bool:
    """Whether time was enough to say that a trial runs, or that it does not."""
    return check.failure is not None or all(stage.outcome is StageOutcome.PASSED for stage in check.stages)


def _start_of(job: Job) -> Artefact | None:
    start = next((train.start_from for train in trials_of(job) if train.start_from is not None), None)
    return None if start is None else Artefact.objects.select_related("project", "version").get(id=start)


@lru_cache(maxsize=32)
def _report(tree: str) -> PreflightReport:
    try:
        return PreflightReport.read(blobs().fetch_tree(tree) / PREFLIGHT_FILE)
    except (BlobMissingError, FileNotFoundError) as error:
        raise ResultInvalidError(f"The result has no {PREFLIGHT_FILE}.") from error
    except ValidationError as error:
        raise ResultInvalidError(f"{PREFLIGHT_FILE} is no report: {error.errors()[0]['msg']}.") from error

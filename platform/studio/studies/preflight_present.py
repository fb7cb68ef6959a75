"""Turns a pre-flight into the schemas of the API."""

from __future__ import annotations

from typing import Literal

from automl.contracts.job import JobState
from automl.contracts.preflight import StageOutcome, StageResult, TrialCheck
from studio.datasets.models import DatasetVersion
from studio.jobs.models import Job
from studio.jobs.schemas import job_out
from studio.studies.preflights import Preflight, is_tried
from studio.studies.present import failure_out
from studio.studies.schemas import CheckedStageOut, CheckedTrialOut, ErrorOut, PreflightCuredOut, PreflightOut
from studio.studies.strategy import StudyRequest

Verdict = Literal["runs", "partly", "fails", "unknown"]


def preflight_out(preflight: Preflight) -> PreflightOut:
    """A pre-flight as it stands."""
    report, forecast = preflight.report, preflight.forecast
    return PreflightOut(
        id=preflight.job.id,
        version=preflight.version.id,
        job=job_out(preflight.job),
        verdict=_verdict(preflight),
        estimated_s=None if forecast is None else forecast.estimated_s,
        least_s=None if forecast is None else forecast.least_s,
        most_s=None if forecast is None else forecast.most_s,
        time_basis=None if forecast is None else forecast.time_basis,
        estimated_cpu_s=None if forecast is None else forecast.cpu_s,
        memory_bytes=None if forecast is None else forecast.memory_bytes,
        memory_basis=None if forecast is None else forecast.memory_basis,
        trials=[] if report is None else [_trial_out(check) for check in report.trials],
        problems=[] if report is None else list(report.problems),
        num_items=0 if report is None else report.num_items,
        num_read=0 if report is None else report.num_read,
        failure=failure_out(preflight.failure, by_trial=False),
    )


def cured_out(version: DatasetVersion, request: StudyRequest, job: Job | None = None) -> PreflightCuredOut:
    """The settings that a cure leaves; ``job`` cuts the version where the dataset is large."""
    return PreflightCuredOut(
        version=version.id,
        job=None if job is None else job_out(job),
        families=None if request.families is None else list(request.families),
        strategy=request.strategy,
        max_trials=request.max_trials,
        concurrency=request.concurrency,
        train=request.single,
        start_from=None if request.start is None else request.start.id,
        ranges={family: dict(own) for family, own in request.ranges.items()},
        at_most=dict(request.at_most),
        device="cpu" if request.device == "cpu" else "auto",
    )


def _verdict(preflight: Preflight) -> Verdict | None:
    if preflight.job.state == JobState.FAILED.value:
        return "fails"
    if preflight.report is None:
        return None
    tried = [check for check in preflight.report.trials if is_tried(check)]
    failing = [check for check in tried if check.failure is not None]
    if not tried:
        return "unknown"
    if not failing:
        return "runs"
    return "fails" if len(failing) == len(tried) else "partly"


def _trial_out(check: TrialCheck) -> CheckedTrialOut:
    return CheckedTrialOut(
        family=check.train.family,
        size=check.train.size,
        params=dict(check.train.params),
        stages=[_stage_out(stage) for stage in check.stages],
        estimated_s=check.estimated_s,
        estimated_cpu_s=check.estimated_cpu_s,
        is_rough=check.is_rough,
        memory_bytes=check.memory_bytes,
        num_train=check.num_train,
        is_whole=check.is_whole,
    )


def _stage_out(stage: StageResult) -> CheckedStageOut:
    error = None
    if stage.outcome is StageOutcome.FAILED:
        error = ErrorOut(code=stage.code, message=stage.message, hint=stage.hint, items=list(stage.items))
    return CheckedStageOut(stage=stage.stage, outcome=stage.outcome, seconds=stage.seconds, error=error)

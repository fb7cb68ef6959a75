"""What more items would bring a model: starting the job, what it does, and what it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.db import transaction
from pydantic import ValidationError

from automl.contracts.advice import ADVICE_FILE, AdviceReport
from automl.contracts.dataset import Split
from automl.contracts.job import JobSpec, JobState
from automl.contracts.words import Words
from engine.advice import can_be_advised
from engine.advice.plan import plan_of
from studio.accounts.access import Principal
from studio.accounts.quotas import Quota, quota_claimed
from studio.common.blob_store import BlobMissingError
from studio.common.blobs import blobs
from studio.common.events import event_record
from studio.datasets.versions.selectors import version_manifest
from studio.jobs.handlers import Executor
from studio.jobs.models import Job
from studio.jobs.services import job_submit_once
from studio.jobs.workdir import result_prefix
from studio.registry.errors import EvaluationUnfitError, ResultInvalidError
from studio.registry.handlers import judging_spec
from studio.registry.models import Artefact
from studio.registry.recording import artefact_audit

EXECUTORS: Mapping[str, Executor] = {"advice": "engine"}
words = Words(__file__)


@dataclass(frozen=True)
class Advice:
    """Where the forecast of what more items bring stands."""

    is_offered: bool
    estimated_s: float
    report: AdviceReport | None
    latest: Job | None
    """The latest job, running or not."""


def advice_start(*, artefact: Artefact, actor: Principal) -> Job:
    """Measures the learning curves of a model's own version; while such a job waits or runs, gives that job.

    Raises:
        EvaluationUnfitError: no quick head can stand for models of this kind.
    """
    if not _is_offered(artefact):
        raise EvaluationUnfitError(
            "There is no quick model that could stand for this one.",
            hint="What more data brings can be measured for models that sort images or texts, and for tables.",
            params={"context": "advice"},
        )
    workspace, detail = artefact.project.workspace_id, {"version": artefact.version_id, "objective": _objective(artefact)}
    with quota_claimed(workspace, {Quota.JOBS: 1}), transaction.atomic():
        job, is_new = job_submit_once(
            workspace=workspace,
            project=artefact.project_id,
            kind="advice",
            title=words("job.advice", model=artefact.number),
            subject=artefact.id,
            payload=detail,
        )
        if is_new:
            artefact_audit(artefact, actor, "artefact.advice", detail)
    return job


def advice_get(artefact: Artefact) -> Advice:
    """The latest report, and the latest job.

    Raises:
        ResultInvalidError: the report cannot be read.
    """
    jobs = Job.objects.filter(project=artefact.project_id, kind="advice", subject=artefact.id).order_by("-id")
    reported = jobs.filter(state=JobState.SUCCEEDED.value).first()
    counts, labels = version_manifest(artefact.version).num_items_by_split, artefact.facts.label_set.names
    plan = plan_of(counts.get(Split.TRAIN, 0) + counts.get(Split.VALIDATION, 0), len(labels))
    report = None if reported is None else _report(result_prefix(reported.id))
    return Advice(_is_offered(artefact), plan.seconds, report, jobs.first())


def job_prepare(job: Job, workdir: Path) -> JobSpec:
    """Places the version and the model, and returns the order to measure."""
    return judging_spec(job, workdir, kind="advice")


def job_ended(job: Job) -> None:
    """Notifies the pages that there is a report."""
    if job.state == JobState.SUCCEEDED.value:
        event_record(
            workspace=job.workspace_id, project=job.project_id, type="artefact.advice_measured", subject=job.subject, data={}
        )


def _is_offered(artefact: Artefact) -> bool:
    facts = artefact.facts
    return can_be_advised(facts.decode.kind, facts.output.value) and not facts.files


def _objective(artefact: Artefact) -> str:
    """The metric that the model's study improves; empty takes the task's."""
    return "" if artefact.trial is None else str(artefact.trial.study.objective)


@lru_cache(maxsize=16)
def _report(tree: str) -> AdviceReport:
    try:
        return AdviceReport.read(blobs().fetch_tree(tree) / ADVICE_FILE)
    except (BlobMissingError, FileNotFoundError) as error:
        raise ResultInvalidError(f"The result has no {ADVICE_FILE}.") from error
    except ValidationError as error:
        raise ResultInvalidError(f"{ADVICE_FILE} is no report: {error.errors()[0]['msg']}.") from error

"""How a model holds on items that are made worse: starting the job, what it does, and what it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.db import transaction
from pydantic import ValidationError

from automl.contracts.dataset import Split
from automl.contracts.job import JobSpec, JobState
from automl.contracts.robustness import ROBUSTNESS_FILE, RobustnessReport
from automl.contracts.words import Words
from engine.robustness.items import can_be_altered
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
from studio.registry.errors import EvaluationUnfitError, ResultInvalidError, SplitLearnedError
from studio.registry.handlers import judging_spec
from studio.registry.models import Artefact
from studio.registry.recording import artefact_audit

EXECUTORS: Mapping[str, Executor] = {"robustness": "engine"}
words = Words(__file__)


@dataclass(frozen=True)
class Robustness:
    """Where the trial of a model on altered items of a split stands."""

    report: RobustnessReport | None
    latest: Job | None
    """The latest job, running or not."""


def robustness_start(*, artefact: Artefact, split: Split, actor: Principal) -> Job:
    """Tries a model on altered items of a split of its own version; while such a job waits or runs, gives that job.

    Raises:
        EvaluationUnfitError: items of this kind cannot be altered, or the split is empty.
        SplitLearnedError: the model learned from the split.
    """
    facts = artefact.facts
    if not can_be_altered(facts.decode.kind, facts.files, facts.pipeline):
        raise EvaluationUnfitError(
            "There are no alterations for this kind of data.",
            hint="Robustness can be tested for models of images, texts and tables.",
            params={"context": "alterations"},
        )
    if split in artefact.facts.learned:
        raise SplitLearnedError(split=split)
    if not version_manifest(artefact.version).num_items_by_split.get(split, 0):
        raise EvaluationUnfitError(
            f"The version has no items in {split}.",
            hint="Choose another split or version.",
            params={"context": "split", "split": split.value},
        )
    workspace, detail = artefact.project.workspace_id, {"version": artefact.version_id, "split": split.value}
    with quota_claimed(workspace, {Quota.JOBS: 1}), transaction.atomic():
        job, is_new = job_submit_once(
            workspace=workspace,
            project=artefact.project_id,
            kind="robustness",
            title=words("job.robustness", model=artefact.number, split=words(f"split.{split.value}")),
            subject=artefact.id,
            payload=detail,
            variant=(split.value,),
        )
        if is_new:
            artefact_audit(artefact, actor, "artefact.robustness", detail)
    return job


def robustness_get(artefact: Artefact, split: Split) -> Robustness:
    """The latest report of a split, and the latest job.

    Raises:
        ResultInvalidError: the report cannot be read.
    """
    jobs = Job.objects.filter(project=artefact.project_id, kind="robustness", subject=artefact.id, payload__split=split.value)
    jobs = jobs.order_by("-id")
    reported = jobs.filter(state=JobState.SUCCEEDED.value).first()
    return Robustness(None if reported is None else _report(result_prefix(reported.id)), jobs.first())


def job_prepare(job: Job, workdir: Path) -> JobSpec:
    """Places the version and the model, and returns the order to test."""
    return judging_spec(job, workdir, kind="robustness")


def job_ended(job: Job) -> None:
    """Notifies the pages that there is a report."""
    if job.state == JobState.SUCCEEDED.value:
        event_record(
            workspace=job.workspace_id,
            project=job.project_id,
            type="artefact.robustness_tested",
            subject=job.subject,
            data={"split": job.payload["split"]},
        )


@lru_cache(maxsize=16)
def _report(tree: str) -> RobustnessReport:
    try:
        return RobustnessReport.read(blobs().fetch_tree(tree) / ROBUSTNESS_FILE)
    except (BlobMissingError, FileNotFoundError) as error:
        raise ResultInvalidError(f"The result has no {ROBUSTNESS_FILE}.") from error
    except ValidationError as error:
        raise ResultInvalidError(f"{ROBUSTNESS_FILE} is no report: {error.errors()[0]['msg']}.") from error

"""What the quality app does when its job is prepared and ends, and which of a project's problems it adds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow.parquet as pq
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from automl.contracts.job import JobLimits, JobSpec, JobState
from automl.contracts.quality import FINDINGS_FILE, PAIRED, Finding, FindingKind, finding_from_row
from automl.contracts.task import Problem, Severity
from automl.contracts.words import Words
from labeling.kinds import labelling_kind_of
from labeling.quality.changes import SETTLED
from labeling.quality.job_files import dataset_write
from labeling.quality.selectors import open_counts
from studio.common.blobs import blobs
from studio.common.events import event_record
from studio.datasets.items.annotations import chunks
from studio.datasets.models import Dataset, Item, ItemFlag
from studio.jobs.handlers import Executor
from studio.jobs.models import Job
from studio.jobs.threads import job_threads
from studio.jobs.workdir import result_prefix
from studio.projects.models import Project

words = Words(__file__)

EXECUTORS: Mapping[str, Executor] = {"quality": "engine"}
_ROWS = 2000
_PARAMETERS = 500
"""Ids in one statement: below SQLite's limit."""


def job_prepare(job: Job, workdir: Path) -> JobSpec:
    """Places the items as they stand."""
    dataset = Dataset.objects.select_related("project").get(id=job.subject)
    dataset_write(dataset, workdir / "data")
    return JobSpec(
        id=job.id,
        kind="quality",
        task=dataset.project.task,
        cache_dir=str(settings.CACHE_DIR),
        assets_dir=str(settings.ASSETS_DIR),
        limits=JobLimits(num_threads=job_threads(job)),
        lineage={"project": dataset.project_id},
    )


def job_ended(job: Job) -> None:
    """Enters the findings in place of the last report's. Doing it again changes nothing."""
    if job.state != JobState.SUCCEEDED.value:
        return
    folder = blobs().fetch_tree(result_prefix(job.id))
    with transaction.atomic():
        dataset = Dataset.objects.select_for_update().get(id=job.subject)
        if Job.objects.filter(subject=job.subject, kind="quality", state=job.state, id__gt=job.id).exists():
            return  # a later report is in already
        findings_enter(dataset, _findings(folder / FINDINGS_FILE))
        event_record(
            workspace=job.workspace_id,
            project=job.project_id,
            type="quality.reported",
            subject=dataset.id,
            data={"job": job.id},
        )


def _findings(path: Path) -> Iterator[Finding]:
    for batch in pq.ParquetFile(path).iter_batches(batch_size=_ROWS):
        for row in batch.to_pylist():
            yield finding_from_row(row)


def findings_enter(dataset: Dataset, findings: Iterator[Finding]) -> None:
    """Replaces a dataset's open findings; what somebody dismissed stays so while it says the same. Needs a transaction."""
    flags = ItemFlag.objects.filter(dataset=dataset)
    flags.filter(Q(dismissed_at=None) | Q(detail__has_key=SETTLED)).delete()
    dismissed = {(flag.item_id, flag.kind): flag for flag in flags.all()}
    at = timezone.now()
    for chunk in chunks(findings, _ROWS):
        known: set[str] = set()
        for ids in chunks((one.item for one in chunk), _PARAMETERS):
            known |= set(Item.objects.filter(dataset=dataset, id__in=ids).values_list("id", flat=True))
        new = []
        for one in chunk:
            before = dismissed.get((one.item, one.kind.value))
            if one.item not in known or (
                before is not None and _subject(before.kind, before.detail) == _subject(one.kind, one.detail)
            ):
                continue
            if before is not None:
                before.delete()
            new.append(
                ItemFlag(
                    dataset=dataset,
                    item_id=one.item,
                    kind=one.kind.value,
                    severity=one.severity,
                    detail=dict(one.detail),
                    created_at=at,
                )
            )
        ItemFlag.objects.bulk_create(new, batch_size=_PARAMETERS)


def _subject(kind: str, detail: Mapping[str, object]) -> object:
    """What a dismissal was about: another copy or another label is a new finding."""
    if kind in {one.value for one in PAIRED}:
        return detail.get("other")
    return detail.get("label") if kind == FindingKind.WRONG_LABEL.value else None


_REMEDY = words("problem.remedy")


def project_problems(project: Project) -> list[Problem]:
    """The findings of the latest report that spoil a training, as advice."""
    own, counts = labelling_kind_of(project), open_counts(project.default_dataset_id)
    return [
        Problem(
            code=f"quality_{kind.value}",
            severity=Severity.ADVISORY,
            message=own.finding_sentence(kind, counts[kind]),
            remedy=_REMEDY,
        )
        for kind in own.shown_findings
        if counts.get(kind)
    ]

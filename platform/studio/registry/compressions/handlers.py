"""What the registry does when a compression's job is prepared and ends."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pydantic
from django.conf import settings
from django.db import transaction

from automl.contracts.compression import COMPRESSION_FILE, Budget, CompressionReport
from automl.contracts.job import CompressOrder, JobLimits, JobSpec, JobState
from studio.common.blobs import blobs
from studio.common.events import event_record
from studio.common.stored import read_stored
from studio.jobs.handlers import Executor
from studio.jobs.models import Job
from studio.jobs.threads import job_threads
from studio.jobs.workdir import result_prefix
from studio.registry.errors import ResultInvalidError
from studio.registry.handlers import MODEL_DIR, model_place
from studio.registry.models import Artefact, Compression

EXECUTORS: Mapping[str, Executor] = {"compress": "engine"}


def job_prepare(job: Job, workdir: Path) -> JobSpec:
    """Places the version and the model, and returns the order with what a smaller one may lose and cost."""
    artefact = Artefact.objects.select_related("project").get(id=job.subject)
    compression = Compression.objects.get(job=job)
    model_place(artefact, job.payload["version"], workdir)
    return JobSpec(
        id=job.id,
        kind="compress",
        task=artefact.project.task,
        artefact=MODEL_DIR,
        compress=CompressOrder(
            parent=artefact.id,
            budget=read_stored(Budget, compression.budget, subject=compression.id),
            trains=job.payload.get("trains", False),
        ),
        cache_dir=str(settings.CACHE_DIR),
        assets_dir=str(settings.ASSETS_DIR),
        limits=JobLimits(num_threads=job_threads(job)),
        lineage={"project": artefact.project_id},
    )


def job_ended(job: Job) -> None:
    """Enters what was found. Doing it again changes nothing."""
    if job.state != JobState.SUCCEEDED.value:
        return
    tree = result_prefix(job.id)
    try:
        report = CompressionReport.read(blobs().fetch_tree(tree) / COMPRESSION_FILE)
    except (FileNotFoundError, pydantic.ValidationError) as error:
        raise ResultInvalidError(f"The result has no {COMPRESSION_FILE} that can be read.") from error
    with transaction.atomic():
        Compression.objects.filter(job=job).update(tree=tree, report=report.model_dump(mode="json"))
        event_record(
            workspace=job.workspace_id,
            project=job.project_id,
            type="artefact.compressed",
            subject=job.subject,
            data={"num_candidates": len(report.candidates)},
        )

"""What the registry does when an evaluation job is prepared and ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from django.conf import settings
from django.db import transaction
from django.db.models import Count, QuerySet, Value

from automl.contracts.dataset import Split
from automl.contracts.job import JobLimits, JobSpec, JobState
from studio.common.blobs import blobs
from studio.common.events import event_record
from studio.datasets.items.report_facts import facts_place
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.manifest import version_place
from studio.jobs.handlers import Executor
from studio.jobs.models import Job
from studio.jobs.threads import job_threads
from studio.jobs.workdir import result_prefix
from studio.registry.importing import evaluations_record, report_read
from studio.registry.models import Artefact

EXECUTORS: Mapping[str, Executor] = {"evaluate": "engine"}
MODEL_DIR = "model"
"""Where the artefact lies in the working directory."""


def job_prepare(job: Job, workdir: Path) -> JobSpec:
    """Places the version and the model, and returns the order to measure."""
    return judging_spec(job, workdir, kind="evaluate")


def judging_spec(job: Job, workdir: Path, *, kind: Literal["evaluate", "robustness", "advice"]) -> JobSpec:
    """Places the version and the model of a job about both; one that asks the model about a split has it in its payload."""
    artefact = Artefact.objects.select_related("project").get(id=job.subject)
    model_place(artefact, job.payload["version"], workdir)
    return JobSpec(
        id=job.id,
        kind=kind,
        task=artefact.project.task,
        artefact=MODEL_DIR,
        split=Split(job.payload.get("split", Split.TEST)),
        objective=job.payload.get("objective", ""),
        cache_dir=str(settings.CACHE_DIR),
        assets_dir=str(settings.ASSETS_DIR),
        limits=JobLimits(num_threads=job_threads(job)),
        lineage={"project": artefact.project_id},
    )


def model_place(artefact: Artefact, version_id: str, workdir: Path) -> None:
    """Places a model and a version, with what is kept of its items, in a working directory."""
    version = DatasetVersion.objects.select_related("project").get(id=version_id)
    version_place(version, workdir / "data")
    facts_place(version, workdir / "data")
    link = workdir / MODEL_DIR
    if not link.is_symlink():
        link.symlink_to(blobs().fetch_tree(artefact.tree), target_is_directory=True)


def job_ended(job: Job) -> None:
    """Enters what was measured. Doing it again changes nothing."""
    if job.state != JobState.SUCCEEDED.value:
        return
    artefact = Artefact.objects.select_related("project").get(id=job.subject)
    version = DatasetVersion.objects.get(id=job.payload["version"])
    with transaction.atomic():
        evaluations_record(artefact=artefact, version=version, report=report_read(result_prefix(job.id)), job=job)
        event_record(
            workspace=job.workspace_id,
            project=job.project_id,
            type="artefact.evaluated",
            subject=artefact.id,
            data={"version": version.id, "split": job.payload["split"]},
        )


def project_counts(project_ids: Sequence[str]) -> list[QuerySet[Any, Any]]:
    """Figures of this app for project pages."""
    artefacts = Artefact.objects.filter(project__in=project_ids).order_by()
    return [artefacts.values_list("project", Value("artefacts")).annotate(number=Count("id"))]

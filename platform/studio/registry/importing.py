"""From the result of a training job to a row of the registry."""

from __future__ import annotations

from pathlib import Path

import pydantic
from django.db import transaction
from django.db.models import Max

from automl.contracts.artefact import MANIFEST_FILE, MODEL_FILE, ArtefactManifest
from automl.contracts.report import REPORT_FILE, Report
from studio.common.blob_store import BlobMissingError
from studio.common.blobs import blobs
from studio.common.events import event_record
from studio.datasets.models import DatasetVersion
from studio.jobs.models import Job
from studio.jobs.workdir import result_prefix
from studio.projects.models import Project
from studio.registry.errors import ResultInvalidError
from studio.registry.models import Artefact, Evaluation


def artefact_import(*, job: Job, trial_id: str, version: DatasetVersion) -> Artefact:
    """Enters what a training job left; the same trial gives the same artefact. Its report becomes evaluations.

    Call it inside the transaction that ends the trial.

    Raises:
        ResultInvalidError: the result is not there or is no artefact.
    """
    existing = Artefact.objects.filter(trial=trial_id).first()
    if existing is not None:
        return existing
    with transaction.atomic():
        project = Project.objects.select_for_update().get(id=job.project_id)  # numbers are given out one by one
        return _entered(project, result_prefix(job.id), version, job, trial_id=trial_id)


def compressed_import(*, parent: Artefact, tree: str, job: Job | None) -> tuple[Artefact, bool]:
    """Enters a model that was made from another one, smaller; the same files give the same artefact.

    Args:
        parent: the model that was made smaller.
        tree: name of its files in the blob store.
        job: that made it.

    Returns:
        The model, and whether it is new.

    Raises:
        ResultInvalidError: the files are not there or are no artefact.
    """
    with transaction.atomic():
        project = Project.objects.select_for_update().get(id=parent.project_id)
        existing = Artefact.objects.filter(project=project, tree=tree).first()
        if existing is not None:
            return existing, False
        return _entered(project, tree, parent.version, job, parent=parent), True


def _entered(
    project: Project,
    tree: str,
    version: DatasetVersion,
    job: Job | None,
    *,
    trial_id: str | None = None,
    parent: Artefact | None = None,
) -> Artefact:
    """A new row; its caller holds the project's."""
    folder, manifest, report = _read(tree)
    last = Artefact.objects.filter(project=project).aggregate(last=Max("number"))["last"] or 0
    artefact = Artefact.objects.create(
        project=project,
        number=last + 1,
        trial_id=trial_id,
        parent=parent,
        version=version,
        tree=tree,
        manifest=manifest.model_dump(mode="json"),
        latency_ms=report.latency_ms,
        model_bytes=report.model_bytes,
        size_bytes=sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()),
    )
    evaluations_record(artefact=artefact, version=version, report=report, job=job)
    data = {"number": artefact.number, "trial": trial_id, "metrics": artefact.manifest["metrics"]}
    event_record(workspace=project.workspace_id, project=project.id, type="artefact.imported", subject=artefact.id, data=data)
    return artefact


def evaluations_record(*, artefact: Artefact, version: DatasetVersion, report: Report, job: Job | None) -> None:
    """Keeps the numbers of each split of a report; measuring the same thing again writes over it."""
    for split in report.splits:
        Evaluation.objects.update_or_create(
            artefact=artefact,
            version=version,
            split=split.split.value,
            defaults={"metrics": dict(split.metrics), "num_items": split.num_items, "job": job},
        )


def report_read(tree: str) -> Report:
    """Reads the report of a result.

    Raises:
        ResultInvalidError: it is not there or is no report.
    """
    try:
        return Report.read(blobs().fetch_tree(tree) / REPORT_FILE)
    except (BlobMissingError, FileNotFoundError) as error:
        raise ResultInvalidError(f"The result has no {REPORT_FILE}.") from error
    except pydantic.ValidationError as error:
        raise ResultInvalidError(f"{REPORT_FILE} is no report: {error.errors()[0]['msg']}.") from error


def _read(tree: str) -> tuple[Path, ArtefactManifest, Report]:
    report = report_read(tree)
    folder = blobs().fetch_tree(tree)
    try:
        manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
    except FileNotFoundError as error:
        raise ResultInvalidError(f"The result has no {MANIFEST_FILE}.") from error
    except pydantic.ValidationError as error:
        raise ResultInvalidError(f"{MANIFEST_FILE} is no manifest: {error.errors()[0]['msg']}.") from error
    if not (folder / MODEL_FILE).is_file():
        raise ResultInvalidError(f"The result has no {MODEL_FILE}.")
    return folder, manifest, report

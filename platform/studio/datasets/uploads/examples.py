"""Real examples for a project without data: the order, and the job ``examples`` that brings them and reads them in.

The engine writes them as a zip, as a person would upload it, from packages of the registries; from there on they are an upload.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import transaction

from automl.contracts.table import ColumnRole
from automl.contracts.words import Words
from engine.tasks import task_part, task_spec
from studio.accounts.access import SYSTEM, Principal
from studio.common.blobs import blobs
from studio.common.errors import InvalidInputError, StudioError
from studio.datasets.hooks import example_files_added
from studio.datasets.items.kinds import kind_of
from studio.datasets.items.table_schema import schema_of
from studio.datasets.models import Dataset, LabelSource, Upload, UploadKind, UploadState
from studio.datasets.tables.columns import columns_set
from studio.datasets.tables.errors import ColumnsStaleError
from studio.datasets.tables.targets import target_kind
from studio.datasets.uploads.ingest import upload_ingest
from studio.jobs.models import Job
from studio.jobs.services import job_submit
from studio.projects.models import Project

words = Words(__file__)

_FILE = "examples.zip"
_BESIDE = "beside"
_BROUGHT = 0.7
"""Of the whole: the registries are slower than reading what came."""

Report = Callable[[float, float | None], None]


class ExamplesMissingError(InvalidInputError):
    """The task has no examples."""

    code = "examples_missing"
    title = "There are no examples for this task"


class ExamplesUnreachableError(StudioError):
    """No registry gave the examples."""

    code = "examples_unreachable"
    title = "The examples could not be fetched"


def examples_collect(*, dataset: Dataset, actor: Principal, quickstart: str | None = None) -> tuple[Upload, Job]:
    """Orders a task's examples, with labels in the language of the person who orders them.

    Args:
        dataset: that they go into.
        actor: who orders them.
        quickstart: name of one of the task's quick starts; None: its usual examples.

    Raises:
        ExamplesMissingError: the task has none, or no such quick start.
    """
    project = dataset.project
    task = task_spec(project.task)
    if quickstart is not None and quickstart not in {each.name for each in task.quickstarts}:
        raise ExamplesMissingError(
            f"The task {project.task} has no quick start {quickstart!r}.", hint="Upload data of your own."
        )
    if quickstart is None and not task.has_examples:
        raise ExamplesMissingError(f"The task {project.task} has no examples.", hint="Upload data of your own.")
    with transaction.atomic():
        upload = Upload.objects.create(
            dataset=dataset,
            created_by=actor.id,
            name=words("examples.file").in_language(actor.language),
            kind=UploadKind.ARCHIVE,
            state=UploadState.INGESTING,
            labels=LabelSource.AUTO,
            size_bytes=0,
        )
        job = job_submit(
            workspace=project.workspace_id,
            project=project.id,
            kind="examples",
            title=words("job.examples"),
            subject=upload.id,
            payload={"upload": upload.id, "language": actor.language.value, "quickstart": quickstart},
        )
        Upload.objects.filter(id=upload.id).update(job=job)
        upload.job_id = job.id
    return upload, job


def examples_run(*, job: Job, report: Report) -> Upload:
    """Brings the examples, unless an earlier attempt did, and reads them in.

    Raises:
        ExamplesUnreachableError: they cannot be had; the message says why.
    """
    upload = Upload.objects.select_related("dataset__project").get(id=job.payload["upload"])
    if upload.state == UploadState.DONE:
        return upload
    if not upload.blob:
        with TemporaryDirectory(prefix="examples-") as folder:
            target, beside = Path(folder) / _FILE, Path(folder) / _BESIDE
            labels = _written(
                upload.dataset.project.task, target, beside, job.payload, lambda part: report(_BROUGHT * part, None)
            )
            if beside.is_dir():
                example_files_added(upload.dataset.project, beside)
            upload.size_bytes = upload.received_bytes = target.stat().st_size
            upload.labels = labels
            upload.blob = blobs().put_file(target).sha256
        upload.save(update_fields=["size_bytes", "received_bytes", "labels", "blob"])
    upload_ingest(upload=upload, report=lambda part, left_s: report(_BROUGHT + (1 - _BROUGHT) * part, left_s))
    if kind_of(upload.dataset.project).has_columns:
        _target_choose(upload)
    return upload


def _target_choose(upload: Upload) -> None:
    """Of an example everybody knows what is to be predicted; where a person has chosen a target already, that one stays."""
    dataset = Dataset.objects.select_related("project").get(id=upload.dataset_id)
    schema = schema_of(dataset)
    if schema is None or schema.target is not None:
        return
    target = _target_of(dataset.project)
    changed = {"role": ColumnRole.TARGET, "kind": target_kind(dataset.project).usual}
    columns = [one.model_copy(update=changed) if one.name == target else one for one in schema.columns]
    with suppress(ColumnsStaleError):  # somebody is at the columns
        columns_set(dataset=dataset, columns=columns, revision=dataset.columns_revision, actor=SYSTEM)


def _target_of(project: Project) -> str | None:
    targets: Mapping[str, str] = getattr(task_part(project.task, "quickstart"), "TARGETS", {})
    return next((targets[value] for value in project.task_options.values() if value in targets), None)


def _written(task: str, target: Path, beside: Path, payload: Mapping[str, object], report: Callable[[float], None]) -> str:
    """Has the engine write the zip, in a process of its own; returns where its labels come from."""
    command = [sys.executable, "-m", "engine.tasks.shared.quickstart", task, "--beside", str(beside)]
    command += ["--assets-dir", str(settings.ASSETS_DIR.absolute()), "--out", str(target)]
    command += ["--language", str(payload.get("language", "en"))]
    command += ["--quickstart", str(payload["quickstart"])] if payload.get("quickstart") else []
    message: dict[str, object] = {}
    with (
        (target.parent / "errors.txt").open("w+") as errors,
        subprocess.Popen(command, cwd=settings.REPOSITORY_DIR, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        try:
            for line in process.stdout or ():
                message = json.loads(line)
                report(float(str(message["fraction"])))
        except BaseException:
            process.kill()  # cancelled: nobody waits for the registry
            raise
        process.wait()
        errors.seek(0)
        trouble = errors.read().strip()
    if process.returncode or "labels" not in message:
        raise ExamplesUnreachableError(
            trouble[-1000:] or f"The engine ended with status {process.returncode}.",
            hint="The examples come from package registries: try again when the server can reach them.",
        )
    return str(message["labels"])

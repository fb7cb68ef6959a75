"""The job ``evaluate``: judges an artefact on a split of any version of the same task."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from automl.contracts.artefact import MANIFEST_FILE, MODEL_FILE, REPORT_FILE, ArtefactManifest, Report
from automl.contracts.job import StopReason
from engine.artefact.session import Session
from engine.data.packed import BuildStoppedError
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError, JobInvalidError
from engine.job import Job, StoppedError
from engine.tasks import task_part, task_spec
from engine.training.evaluate import Judge
from engine.training.prepare import packed_pictures

_EVALUATE_AT = 0.15


def run(job: Job) -> Mapping[str, float]:
    """Writes ``artefact/report.json`` and returns the metrics on the split.

    Raises:
        StoppedError: the job was asked to stop.
        JobInvalidError: there is no such artefact.
        DataInvalidError: the split is empty or carries labels that the artefact does not know.
    """
    try:
        return _judged(job)
    except BuildStoppedError:
        raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None


def _judged(job: Job) -> Mapping[str, float]:
    job.progress("load", 0.0)
    started_s = time.monotonic()
    folder = _artefact_folder(job)
    manifest = _manifest(folder)
    version = DatasetVersion.open(job.data_dir)
    records = version.records(job.spec.split)
    if not records:
        raise DataInvalidError(f"The version has no items in the split {job.spec.split}.")
    task, labels, options = task_spec(manifest.task), manifest.label_set.names, version.manifest.task_options
    targets = task_part(task.name, "data").targets(records, labels, options)
    pictures = packed_pictures(job, version, manifest.decode.min_side_px)
    session = Session(folder / MODEL_FILE, num_threads=job.spec.limits.num_threads)
    judge = Judge(session, task, options, labels, job)
    scores_NL = judge.scores(pictures, records, span=(_EVALUATE_AT, 1.0))
    split = judge.report(job.spec.split, records, targets, scores_NL, manifest.thresholds)
    report = Report(
        labels=labels,
        splits=(split,),
        curves=(),
        train_seconds=time.monotonic() - started_s,
        latency_ms=Session(folder / MODEL_FILE).latency_ms(pictures.pictures_NHWC[0]),
        model_bytes=(folder / MODEL_FILE).stat().st_size,
    )
    job.artefact_dir.mkdir(exist_ok=True)
    report.write(job.artefact_dir / REPORT_FILE)
    job.progress("evaluate", 1.0)
    return split.metrics


def _artefact_folder(job: Job) -> Path:
    if job.spec.artefact is None:
        raise JobInvalidError("The job says evaluate but not which artefact.")
    return job.workdir / job.spec.artefact


def _manifest(folder: Path) -> ArtefactManifest:
    try:
        return ArtefactManifest.read(folder / MANIFEST_FILE)
    except (OSError, ValidationError) as error:
        raise JobInvalidError(f"The artefact cannot be read: {error}") from error

"""The job ``evaluate``: judges an artefact on a split of any version of the same task."""

from __future__ import annotations

import time
from collections.abc import Mapping

from pydantic import ValidationError

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.job import StopReason
from automl.contracts.report import REPORT_FILE, Report
from engine.artefact.session import graphs_bytes
from engine.data.packed import BuildStoppedError
from engine.errors import JobInvalidError
from engine.job import Job, StoppedError
from engine.training.prepare import version_of
from engine.training.ways import way_of


def run(job: Job) -> Mapping[str, float]:
    """Writes ``artefact/report.json`` and returns the metrics on the split.

    Raises:
        StoppedError: the job was asked to stop.
        JobInvalidError: there is no such artefact.
        VersionDamagedError: the version is broken.
        DataInvalidError: the version is for another task, the split is empty or carries labels that the artefact does not know.
    """
    job.progress("load", 0.0)
    if job.spec.artefact is None:
        raise JobInvalidError("The job says evaluate but not which artefact.")
    folder = job.workdir / job.spec.artefact
    try:
        manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
    except (OSError, ValidationError) as error:
        raise JobInvalidError(f"The artefact cannot be read: {error}") from error
    started_s = time.monotonic()
    way, version = way_of(manifest.task), version_of(job, manifest.task)
    try:
        split, latency_ms = way.judge(job, folder, manifest, version)
    except BuildStoppedError:
        raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None
    report = Report(
        labels=manifest.label_set.names,
        splits=(split,),
        curves=(),
        train_seconds=time.monotonic() - started_s,
        latency_ms=latency_ms,
        model_bytes=graphs_bytes(folder),
    )
    job.artefact_dir.mkdir(exist_ok=True)
    report.write(job.artefact_dir / REPORT_FILE)
    job.progress("evaluate", 1.0)
    return split.metrics

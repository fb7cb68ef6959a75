"""The job ``evaluate``: judges an artefact on a split of any version of the same task."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.job import StopReason
from engine.data.packed import BuildStoppedError
from engine.errors import JobInvalidError
from engine.job import Job, StoppedError
from engine.training.ways import way_of


def run(job: Job) -> Mapping[str, float]:
    """Writes ``artefact/report.json`` and returns the metrics on the split.

    Raises:
        StoppedError: the job was asked to stop.
        JobInvalidError: there is no such artefact.
        DataInvalidError: the split is empty or carries labels that the artefact does not know.
    """
    job.progress("load", 0.0)
    if job.spec.artefact is None:
        raise JobInvalidError("The job says evaluate but not which artefact.")
    folder = job.workdir / job.spec.artefact
    try:
        manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
    except (OSError, ValidationError) as error:
        raise JobInvalidError(f"The artefact cannot be read: {error}") from error
    try:
        return way_of(manifest.task).judge(job, folder, manifest)
    except BuildStoppedError:
        raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None

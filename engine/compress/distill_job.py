"""The job ``distill``: a student is trained by a teacher's answers."""

from __future__ import annotations

import json
from collections.abc import Mapping

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.dataset import Split
from automl.contracts.job import UNLABELLED_FILE
from engine.compress.distill import distill
from engine.errors import JobInvalidError
from engine.job import Job


def run(job: Job) -> Mapping[str, float]:
    """Leaves the student's artefact, with ``distillation.json`` in it, and returns its metrics on validation.

    Raises:
        StoppedError: the job was asked to stop; there is no artefact.
        EngineError: the job cannot be done, with a code that says why.
    """
    if job.spec.artefact is None:
        raise JobInvalidError("The job says distill but not by which teacher.")
    distill(job, job.workdir / job.spec.artefact, _unlabelled(job))
    return ArtefactManifest.read(job.artefact_dir / MANIFEST_FILE).metrics[Split.VALIDATION]


def _unlabelled(job: Job) -> list[str]:
    try:
        lines = (job.workdir / UNLABELLED_FILE).read_bytes().splitlines()
        texts = [json.loads(line) for line in lines]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise JobInvalidError(f"{UNLABELLED_FILE} cannot be read: {error}") from error
    if not all(isinstance(text, str) for text in texts):
        raise JobInvalidError(f"{UNLABELLED_FILE} holds something else than texts.")
    return texts

"""The job ``train``: prepare, fit, publish, in the way of what the task consumes."""

from __future__ import annotations

from collections.abc import Mapping

from engine.job import Job
from engine.training.ways import way_of


def run(job: Job) -> Mapping[str, float]:
    """Trains what the job says, leaves the artefact and returns its metrics on validation.

    Raises:
        StoppedError: the job was asked to stop; there is no artefact.
        EngineError: the job cannot be done, with a code that says why.
    """
    return way_of(job.spec.task).train(job)

"""The job ``refit``: the model that a study ships, learned once more from all items that it may learn from."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.job import StopReason
from engine.data.packed import BuildStoppedError
from engine.errors import JobInvalidError
from engine.job import Job, StoppedError
from engine.training.ways import way_of


def run(job: Job) -> Mapping[str, float]:
    """Leaves the artefact and returns the metrics of what was judged.

    Raises:
        StoppedError: the job was asked to stop, or what was judged is all that could be shipped; there is no artefact.
        EngineError: the job cannot be done, with a code that says why.
    """
    order = job.spec.refit
    if order is None:
        raise JobInvalidError("The job says refit but not what.")
    try:
        return way_of(job.spec.task).refit(order, job)
    except BuildStoppedError:
        raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None

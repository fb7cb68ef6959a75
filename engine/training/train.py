"""The job ``train``: prepare, fit, publish. What the task consumes says how each is done (``ways``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from automl.contracts.job import StopReason
from engine.data.packed import BuildStoppedError
from engine.job import EarlyEnd, Job, StoppedError
from engine.training.ways import way_of

_HALT_MESSAGES = {EarlyEnd.TIME_LIMIT: "The time limit was reached", EarlyEnd.FINISH: "Somebody asked to finish"}


def run(job: Job) -> Mapping[str, float]:
    """Trains what the job says, leaves the artefact and returns its metrics on validation. Errors as of ``train``.

    A host that takes part in the training of another one leaves nothing.
    """
    if job.spec.hosts is not None and not job.spec.hosts.is_first:
        from engine.training.parallel import take_part  # noqa: PLC0415 - torch's parts for it take time to import

        take_part(job)
        return {}
    return train(job)


def train(job: Job, prepare: Callable[[Job], Any] | None = None) -> Mapping[str, float]:
    """Does the same with material of the caller's.

    Args:
        job: an order to train.
        prepare: makes what is trained on; None lets the way of the task do it.

    Raises:
        StoppedError: the job was asked to stop; there is no artefact.
        EngineError: the job cannot be done, with a code that says why.
    """
    way = way_of(job.spec.task)
    try:
        prepared = (prepare or way.prepare)(job)
        job.control.raise_if_stopped()
        fitted = way.fit(prepared, job)
    except BuildStoppedError:
        raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None
    if isinstance(fitted.halt, StopReason):
        raise StoppedError(fitted.halt)
    if fitted.halt is not None:
        job.events.warning(fitted.halt.value, f"{_HALT_MESSAGES[fitted.halt]}; the result is what was learned until then.")
    return way.publish(fitted, prepared, job)

"""Ways of training, by what a task consumes: in batches, or on all rows at once. A module each, found by listing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Protocol

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.family import FeatureKind
from automl.contracts.job import RefitOrder
from automl.contracts.listing import kind_in, kind_names
from engine.errors import JobInvalidError
from engine.job import Job
from engine.tasks import task_spec


class Way(Protocol):
    """What each module calls ``KIND``. Metrics are those of the split that judges; errors as of the jobs' ``run``."""

    consumes: ClassVar[frozenset[FeatureKind]]
    """What tasks of this way consume; no other way has any of it."""

    def train(self, job: Job) -> Mapping[str, float]:
        """Prepares, fits and publishes."""

    def judge(self, job: Job, folder: Path, manifest: ArtefactManifest) -> Mapping[str, float]:
        """Judges an artefact on the job's split."""

    def refit(self, order: RefitOrder, job: Job) -> Mapping[str, float]:
        """Fits what a study ships once more, from all items that it may learn from."""


def way_of(task: str) -> Way:
    """The way in which models of a task are trained.

    Args:
        task: its name.

    Raises:
        JobInvalidError: there is no such task, or no way to train what it consumes.
    """
    try:
        consumed = task_spec(task).consumes
    except ValueError as error:
        raise JobInvalidError(str(error)) from error
    for name in kind_names(__name__):
        way: Way = kind_in(__name__, name)
        if consumed in way.consumes:
            return way
    raise JobInvalidError(f"There is no way to train what consumes {consumed}.")

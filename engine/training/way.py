"""The interface of a way of training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.family import FeatureKind, ParamValue
from automl.contracts.job import JobLimits, RefitOrder
from automl.contracts.report import SplitReport
from automl.contracts.task import Problem
from engine.data.items import PackedItems
from engine.data.version import DatasetVersion
from engine.items.kind import ItemReader
from engine.job import Halt, Job
from engine.table.table import FitNeeds
from engine.training.config import TrainingRequest
from engine.training.evaluate import AskedItems


class Fit(Protocol):
    """A fitted model; each way has a class of its own."""

    @property
    def halt(self) -> Halt | None:
        """Why training ended early; None where it did not."""


@dataclass(frozen=True)
class JudgedItems:
    """The items of a version that models are judged by."""

    items: AskedItems
    packed: PackedItems | None
    """The same, from which slices of a report are found; None where such models have no slices."""


class Way(Protocol):
    """What each module calls ``KIND``. ``StoppedError`` and ``BuildStoppedError`` say that the job was asked to stop."""

    consumes: ClassVar[frozenset[FeatureKind]]
    """What tasks of this way consume; no other way has any of it."""

    def problems(self, version: DatasetVersion) -> list[Problem]:
        """What the task's checker finds in a version.

        Raises:
            VersionDamagedError: a shard cannot be read.
        """

    def needed_items(self, params: Mapping[str, ParamValue]) -> int:
        """To learn from, so that a trial does what it would do with more."""

    def item_bytes(self, prepared: Any) -> float:
        """Memory that each further item takes while a trial runs."""

    def judging_fits(self, request: TrainingRequest, limits: JobLimits, *, num_items: int, fit_cpu_s: float) -> float:
        """Further fits that only judge the model, counted in fits of the model itself.

        Args:
            request: the trial.
            limits: of the trial.
            num_items: to learn from, validation included.
            fit_cpu_s: processor time that the fit of the model takes.
        """

    def fit_needs(self, fitted: Any) -> FitNeeds | None:
        """What a fit takes that no limit of the job cuts short, where the family knows; else None."""

    def prepare(self, job: Job) -> Any:
        """What is trained on.

        Raises:
            EngineError: the job asks for what is not there, or the version cannot be trained on.
        """

    def fit(self, prepared: Any, job: Job) -> Fit:
        """A model, fitted as its family is: by gradient steps, unless the family brings its own ``fit.py``.

        Raises:
            EngineError: it cannot be done, with a code that says why.
        """

    def publish(self, fitted: Any, prepared: Any, job: Job) -> Mapping[str, float]:
        """Leaves the artefact and returns its metrics on validation.

        Raises:
            ParityError: the exported graph does not answer like the model.
        """

    def asked(self, job: Job, version: DatasetVersion, reader: ItemReader) -> JudgedItems:
        """The version's items, so that graphs may be asked about them.

        Raises:
            EngineError: some cannot be read, or models of this way are not judged by items.
        """

    def judge(self, job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> tuple[SplitReport, float]:
        """Asks an artefact about the job's split of a version of the same task.

        Returns:
            The split's report, and the milliseconds that one item takes.

        Raises:
            DataInvalidError: the split is empty, or carries labels that the artefact does not know.
        """

    def refit(self, order: RefitOrder, job: Job) -> Mapping[str, float]:
        """Fits what a study ships once more, from all items that it may learn from; returns the metrics of what was judged."""

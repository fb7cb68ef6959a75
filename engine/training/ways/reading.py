"""Networks that find and read lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.family import FeatureKind, ParamValue
from automl.contracts.job import JobLimits, RefitOrder
from automl.contracts.report import SplitReport
from automl.contracts.task import Problem
from engine.data.version import DatasetVersion
from engine.errors import JobInvalidError
from engine.items.kind import ItemReader
from engine.job import Job
from engine.training.config import TrainingRequest
from engine.training.prepare import batch_items, problems_of
from engine.training.reading import fit, judge, publish
from engine.training.reading.data import PreparedReading, WholePictures, prepare
from engine.training.reading.fit import FittedReader
from engine.training.way import JudgedItems


class Reading:
    """See ``Way``."""

    consumes: ClassVar[frozenset[FeatureKind]] = frozenset({FeatureKind.TEXT_LINES})

    def problems(self, version: DatasetVersion) -> list[Problem]:
        """See ``Way``."""
        return problems_of(version)

    def needed_items(self, params: Mapping[str, ParamValue]) -> int:
        """A batch."""
        return batch_items(params)

    def item_bytes(self, prepared: PreparedReading) -> float:
        """Lines are cut out as they are needed."""
        del prepared
        return 0.0

    def judging_fits(self, request: TrainingRequest, limits: JobLimits, *, num_items: int, fit_cpu_s: float) -> float:
        """None."""
        del request, limits, num_items, fit_cpu_s
        return 0.0

    def fit_needs(self, fitted: FittedReader) -> None:
        """None: the rest of the steps is known by their number."""
        del fitted

    def prepare(self, job: Job) -> PreparedReading:
        """See ``Way``."""
        return prepare(job)

    def fit(self, prepared: PreparedReading, job: Job) -> FittedReader:
        """See ``Way``."""
        return fit.fit(prepared, job)

    def publish(self, fitted: FittedReader, prepared: PreparedReading, job: Job) -> Mapping[str, float]:
        """See ``Way``."""
        return publish.artefact(fitted, prepared, job)

    def asked(self, job: Job, version: DatasetVersion, reader: ItemReader) -> JudgedItems:
        """See ``Way``."""
        del job, reader
        return JudgedItems(WholePictures(version), None)

    def judge(self, job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> tuple[SplitReport, float]:
        """See ``Way``."""
        return judge.evaluate(job, folder, manifest, version)

    def refit(self, order: RefitOrder, job: Job) -> Mapping[str, float]:
        """Never: the epoch that is kept is chosen on what is held back."""
        raise JobInvalidError("Models that read text are not fitted anew by this job.")


KIND = Reading()

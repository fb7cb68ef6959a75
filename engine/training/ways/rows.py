"""Rows of a table, all of which a family sees at once."""

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
from engine.table.reader import read_rows
from engine.table.table import FitNeeds
from engine.training.config import TrainingRequest
from engine.training.rows import judge, publish, work
from engine.training.rows.data import PreparedRows, prepare, problems_of
from engine.training.way import JudgedItems

NEEDED_ROWS = 1_000
BYTES_PER_CELL = 60
"""As it came and as a model takes it; planning counts as many."""


class Rows:
    """See ``Way``."""

    consumes: ClassVar[frozenset[FeatureKind]] = frozenset({FeatureKind.ROWS})

    def problems(self, version: DatasetVersion) -> list[Problem]:
        """See ``Way``."""
        return problems_of(version, read_rows(version))

    def needed_items(self, params: Mapping[str, ParamValue]) -> int:
        """Families of rows learn nothing from a handful."""
        del params
        return NEEDED_ROWS

    def item_bytes(self, prepared: PreparedRows) -> float:
        """Cells as they came, and as a model takes them."""
        return BYTES_PER_CELL * len(prepared.columns)

    def judging_fits(self, request: TrainingRequest, limits: JobLimits, *, num_items: int, fit_cpu_s: float) -> float:
        """None: families judge themselves while they are fitted."""
        del request, limits, num_items, fit_cpu_s
        return 0.0

    def fit_needs(self, fitted: publish.FittedRows) -> FitNeeds | None:
        """Known of ensembles."""
        return fitted.needs

    def prepare(self, job: Job) -> PreparedRows:
        """See ``Way``."""
        return prepare(job)

    def fit(self, prepared: PreparedRows, job: Job) -> publish.FittedRows:
        """See ``Way``."""
        return work.fit(prepared, job)

    def publish(self, fitted: publish.FittedRows, prepared: PreparedRows, job: Job) -> Mapping[str, float]:
        """See ``Way``."""
        return publish.artefact(fitted, prepared, job)

    def asked(self, job: Job, version: DatasetVersion, reader: ItemReader) -> JudgedItems:
        """Never: their columns are read as a whole."""
        del job, version, reader
        raise JobInvalidError("Models of rows are not asked about items one by one.")

    def judge(self, job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> tuple[SplitReport, float]:
        """See ``Way``."""
        return judge.evaluate(job, folder, manifest, version)

    def refit(self, order: RefitOrder, job: Job) -> Mapping[str, float]:
        """Never: a trial of rows learns validation by itself where it should (``learns_validation``)."""
        raise JobInvalidError("Models of rows are not fitted anew by this job.")


KIND = Rows()

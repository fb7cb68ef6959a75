"""Rows of a table, all of which a family sees at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.family import FeatureKind
from automl.contracts.job import RefitOrder
from automl.contracts.report import SplitReport
from engine.data.version import DatasetVersion
from engine.errors import JobInvalidError
from engine.job import Job
from engine.training.rows import judge, publish, work
from engine.training.rows.data import PreparedRows, prepare


class Rows:
    """See ``Way``."""

    consumes: ClassVar[frozenset[FeatureKind]] = frozenset({FeatureKind.ROWS})

    def prepare(self, job: Job) -> PreparedRows:
        """See ``Way``."""
        return prepare(job)

    def fit(self, prepared: PreparedRows, job: Job) -> publish.FittedRows:
        """See ``Way``."""
        return work.fit(prepared, job)

    def publish(self, fitted: publish.FittedRows, prepared: PreparedRows, job: Job) -> Mapping[str, float]:
        """See ``Way``."""
        return publish.artefact(fitted, prepared, job)

    def judge(self, job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> tuple[SplitReport, float]:
        """See ``Way``."""
        return judge.evaluate(job, folder, manifest, version)

    def refit(self, order: RefitOrder, job: Job) -> Mapping[str, float]:
        """Never: a trial of rows learns validation by itself where it should (``learns_validation``)."""
        raise JobInvalidError("Models of rows are not fitted anew by this job.")


KIND = Rows()

"""Networks that learn which items are alike."""

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
from engine.training import batches_judge, metric, publish
from engine.training.loop import FitResult
from engine.training.prepare import PreparedTrial, prepare


class Metric:
    """See ``Way``."""

    consumes: ClassVar[frozenset[FeatureKind]] = frozenset({FeatureKind.EMBEDDING})

    def prepare(self, job: Job) -> PreparedTrial:
        """See ``Way``."""
        return prepare(job)

    def fit(self, prepared: PreparedTrial, job: Job) -> FitResult:
        """See ``Way``."""
        return metric.fit(prepared, job)

    def publish(self, fitted: FitResult, prepared: PreparedTrial, job: Job) -> Mapping[str, float]:
        """See ``Way``."""
        return publish.artefact(fitted, prepared, job)

    def judge(self, job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> tuple[SplitReport, float]:
        """See ``Way``."""
        return batches_judge.evaluate(job, folder, manifest, version)

    def refit(self, order: RefitOrder, job: Job) -> Mapping[str, float]:
        """Never: a model that learned the held-back items too would have nothing left to take its limits from."""
        raise JobInvalidError("Models that compare items are not fitted anew by this job.")


KIND = Metric()

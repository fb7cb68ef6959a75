"""Networks and heads that see items in batches."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.family import FeatureKind
from automl.contracts.job import RefitOrder
from automl.contracts.report import SplitReport
from engine.data.version import DatasetVersion
from engine.job import Job
from engine.training import batches, batches_judge, batches_refit, publish
from engine.training.loop import FitResult
from engine.training.prepare import PreparedTrial, prepare


class Batches:
    """See ``Way``."""

    consumes: ClassVar[frozenset[FeatureKind]] = frozenset(
        {
            FeatureKind.VECTOR,
            FeatureKind.PYRAMID,
            FeatureKind.BOXES,
            FeatureKind.MASKS,
            FeatureKind.INSTANCES,
            FeatureKind.TOKENS,
        }
    )

    def prepare(self, job: Job) -> PreparedTrial:
        """See ``Way``."""
        return prepare(job)

    def fit(self, prepared: PreparedTrial, job: Job) -> FitResult:
        """See ``Way``."""
        return batches.fit(prepared, job)

    def publish(self, fitted: FitResult, prepared: PreparedTrial, job: Job) -> Mapping[str, float]:
        """See ``Way``."""
        return publish.artefact(fitted, prepared, job)

    def judge(self, job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> tuple[SplitReport, float]:
        """See ``Way``."""
        return batches_judge.evaluate(job, folder, manifest, version)

    def refit(self, order: RefitOrder, job: Job) -> Mapping[str, float]:
        """See ``Way``."""
        return batches_refit.refitted(order, job)


KIND = Batches()

"""Networks and heads that see items in batches."""

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
from engine.job import Job
from engine.training import batches, batches_judge, batches_refit, publish, turns
from engine.training.config import TrainingRequest
from engine.training.loop import FitResult
from engine.training.prepare import PreparedTrial, batch_items, prepare, problems_of, row_bytes


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

    def problems(self, version: DatasetVersion) -> list[Problem]:
        """See ``Way``."""
        return problems_of(version)

    def needed_items(self, params: Mapping[str, ParamValue]) -> int:
        """A batch."""
        return batch_items(params)

    def item_bytes(self, prepared: PreparedTrial) -> float:
        """Its row of the packed items, which stays mapped."""
        return row_bytes(prepared.items)

    def judging_s(self, request: TrainingRequest, limits: JobLimits, *, num_items: int, fit_s: float) -> float:
        """Networks take turns at being judged where items are few."""
        return turns.planned_s(request, limits, num_items=num_items, fit_s=fit_s)

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

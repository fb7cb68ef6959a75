"""Networks and heads that see items in batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from automl.contracts.family import FeatureKind
from automl.contracts.job import JobLimits, RefitOrder
from engine.job import Job
from engine.training import batches, batches_refit, turns
from engine.training.batch_way import BatchWay
from engine.training.config import TrainingRequest
from engine.training.loop import FitResult
from engine.training.prepare import PreparedTrial


class Batches(BatchWay):
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

    def judging_fits(self, request: TrainingRequest, limits: JobLimits, *, num_items: int, fit_cpu_s: float) -> float:
        """Networks take turns at being judged where items are few."""
        return turns.planned_fits(request, limits, num_items=num_items, fit_cpu_s=fit_cpu_s)

    def fit(self, prepared: PreparedTrial, job: Job) -> FitResult:
        """See ``Way``."""
        return batches.fit(prepared, job)

    def refit(self, order: RefitOrder, job: Job) -> Mapping[str, float]:
        """See ``Way``."""
        return batches_refit.refitted(order, job)


KIND = Batches()

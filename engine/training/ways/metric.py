"""Networks that learn which items are alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from automl.contracts.family import FeatureKind
from automl.contracts.job import RefitOrder
from engine.errors import JobInvalidError
from engine.job import Job
from engine.training import metric
from engine.training.batch_way import BatchWay
from engine.training.loop import FitResult
from engine.training.prepare import PreparedTrial


class Metric(BatchWay):
    """See ``Way``."""

    consumes: ClassVar[frozenset[FeatureKind]] = frozenset({FeatureKind.EMBEDDING})

    def fit(self, prepared: PreparedTrial, job: Job) -> FitResult:
        """See ``Way``."""
        return metric.fit(prepared, job)

    def refit(self, order: RefitOrder, job: Job) -> Mapping[str, float]:
        """Never: a model that learned the held-back items too would have nothing left to take its limits from."""
        raise JobInvalidError("Models that compare items are not fitted anew by this job.")


KIND = Metric()

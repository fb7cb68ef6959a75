"""Detectors that learn from normal items alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from automl.contracts.family import FeatureKind
from automl.contracts.job import RefitOrder
from engine.errors import JobInvalidError
from engine.job import Job
from engine.training import one_class
from engine.training.batch_way import BatchWay
from engine.training.loop import FitResult
from engine.training.prepare import PreparedTrial


class OneClass(BatchWay):
    """See ``Way``."""

    consumes: ClassVar[frozenset[FeatureKind]] = frozenset({FeatureKind.ANOMALIES})

    def fit(self, prepared: PreparedTrial, job: Job) -> FitResult:
        """See ``Way``."""
        return one_class.fit(prepared, job)

    def refit(self, order: RefitOrder, job: Job) -> Mapping[str, float]:
        """Never: a detector that learned the held-back items too would have nothing left to take its scale from."""
        raise JobInvalidError("Models that learn from normal items alone are not fitted anew by this job.")


KIND = OneClass()

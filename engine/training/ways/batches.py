"""Networks and heads that see items in batches."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.family import FeatureKind
from automl.contracts.job import RefitOrder
from engine.job import Job
from engine.training import batches, batches_judge, batches_refit


class Batches:
    """See ``Way``."""

    consumes: ClassVar[frozenset[FeatureKind]] = frozenset(
        {FeatureKind.VECTOR, FeatureKind.PYRAMID, FeatureKind.BOXES, FeatureKind.TOKENS}
    )

    def train(self, job: Job) -> Mapping[str, float]:
        """See ``Way``."""
        return batches.train(job)

    def judge(self, job: Job, folder: Path, manifest: ArtefactManifest) -> Mapping[str, float]:
        """See ``Way``."""
        return batches_judge.judged(job, folder, manifest)

    def refit(self, order: RefitOrder, job: Job) -> Mapping[str, float]:
        """See ``Way``."""
        return batches_refit.refitted(order, job)


KIND = Batches()

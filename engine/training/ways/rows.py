"""Rows of a table, all of which a family sees at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.family import FeatureKind
from automl.contracts.job import RefitOrder
from engine.errors import JobInvalidError
from engine.job import Job
from engine.training.rows import judge, work


class Rows:
    """See ``Way``."""

    consumes: ClassVar[frozenset[FeatureKind]] = frozenset({FeatureKind.ROWS})

    def train(self, job: Job) -> Mapping[str, float]:
        """See ``Way``."""
        return work.train(job)

    def judge(self, job: Job, folder: Path, manifest: ArtefactManifest) -> Mapping[str, float]:
        """See ``Way``."""
        return judge.judged(job, folder, manifest)

    def refit(self, order: RefitOrder, job: Job) -> Mapping[str, float]:
        """Never: a trial of rows learns validation by itself where it should (``learns_validation``)."""
        raise JobInvalidError("Models of rows are not fitted anew by this job.")


KIND = Rows()

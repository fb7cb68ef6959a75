"""What the ways of training that see items in batches have in common."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.family import ParamValue
from automl.contracts.job import JobLimits
from automl.contracts.report import SplitReport
from automl.contracts.task import Problem
from engine.data.version import DatasetVersion
from engine.items.kind import ItemReader
from engine.job import Job
from engine.training import batches_judge, publish
from engine.training.config import TrainingRequest
from engine.training.loop import FitResult
from engine.training.prepare import PreparedTrial, batch_items, packed, prepare, problems_of, row_bytes
from engine.training.way import JudgedItems


class BatchWay:
    """``Way`` but for what is fitted and how."""

    def problems(self, version: DatasetVersion) -> list[Problem]:
        """See ``Way``."""
        return problems_of(version)

    def needed_items(self, params: Mapping[str, ParamValue]) -> int:
        """A batch."""
        return batch_items(params)

    def item_bytes(self, prepared: PreparedTrial) -> float:
        """Its row of the packed items, which stays mapped."""
        return row_bytes(prepared.items)

    def judging_fits(self, request: TrainingRequest, limits: JobLimits, *, num_items: int, fit_cpu_s: float) -> float:
        """None."""
        del request, limits, num_items, fit_cpu_s
        return 0.0

    def fit_needs(self, fitted: FitResult) -> None:
        """None: the rest of the steps is known by their number."""
        del fitted

    def prepare(self, job: Job) -> PreparedTrial:
        """See ``Way``."""
        return prepare(job)

    def publish(self, fitted: FitResult, prepared: PreparedTrial, job: Job) -> Mapping[str, float]:
        """See ``Way``."""
        return publish.artefact(fitted, prepared, job)

    def asked(self, job: Job, version: DatasetVersion, reader: ItemReader) -> JudgedItems:
        """See ``Way``."""
        items = packed(job, version, reader)
        return JudgedItems(items, items)

    def judge(self, job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> tuple[SplitReport, float]:
        """See ``Way``."""
        return batches_judge.evaluate(job, folder, manifest, version)

"""What an artefact says of itself, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

from automl.contracts.artefact import ArtefactManifest, Lineage
from automl.contracts.report import SplitReport
from engine.data.version import DatasetVersion
from engine.job import Job
from engine.training.config import TrainingRequest


def manifest_of(
    request: TrainingRequest,
    version: DatasetVersion,
    job: Job,
    *,
    splits: Sequence[SplitReport],
    thresholds: Mapping[str, float],
    **own: Any,
) -> ArtefactManifest:
    """The manifest of a model.

    Args:
        request: what was trained.
        version: that it learned from.
        job: that trained it.
        splits: how it was judged.
        thresholds: that the items held back recommend.
        own: the fields that its way of training knows: output, decode, inputs, outputs, label set, tolerance, licences.
    """
    return ArtefactManifest(
        task=request.task.name,
        thresholds=thresholds,
        metrics={each.split: each.metrics for each in splits},
        intervals={each.split: each.intervals for each in splits},
        num_judged={each.split: each.num_items for each in splits},
        train=request.train.model_copy(update={"params": request.params}),
        lineage=lineage_of(job, version.id),
        created_at=datetime.now(UTC),
        **own,
    )


def lineage_of(job: Job, dataset_version: str, members: tuple[str, ...] = ()) -> Lineage:
    """The job's own ids and those that its order gives."""
    known = job.spec.lineage
    return Lineage(
        project=known.get("project"),
        study=known.get("study"),
        trial=known.get("trial"),
        teacher=known.get("teacher"),
        members=members,
        job=job.spec.id,
        dataset_version=dataset_version,
        code=_code_version(),
        seed=job.spec.seed,
    )


def _code_version() -> str:
    try:
        return metadata.version("modelyard")
    except metadata.PackageNotFoundError:  # run from a checkout that is not installed
        return "source"

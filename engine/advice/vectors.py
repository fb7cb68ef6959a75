"""From vectors of a version's items to what heads learn from. Shapes: N items, D features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.dataset import ItemRecord, Split
from engine.advice.learner import Answers, Material, Rows
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError
from engine.quality.heads import NUM_AXES
from engine.quality.neighbours import principal, unit_rows
from engine.tasks import task_part

VECTORS_FROM, VECTORS_TO = 0.02, 0.5
"""Shares of the job between which features are computed."""


def records_to_learn(version: DatasetVersion) -> list[ItemRecord]:
    """Those of train and validation.

    Raises:
        DataInvalidError: there are none.
    """
    records = [*version.records(Split.TRAIN), *version.records(Split.VALIDATION)]
    if not records:
        raise DataInvalidError("The version has no items to learn from.")
    return records


def material_of(
    manifest: ArtefactManifest, version: DatasetVersion, records: Sequence[ItemRecord], vectors_ND: Rows
) -> Material:
    """What heads learn from.

    Raises:
        DataInvalidError: items carry labels that the artefact does not know.
    """
    labels = manifest.label_set.names
    _, groups_N = np.unique([record.group for record in records], return_inverse=True)
    return Material(
        views={"linear": main_axes(vectors_ND)},
        targets=task_part(manifest.task, "data").targets(records, labels, version.manifest.task_options),
        groups_N=np.asarray(groups_N, dtype=np.int64),
        labels=tuple(labels),
        metrics=measured_by(manifest.task, labels),
    )


def main_axes(vectors_ND: Rows) -> Rows:
    """Directions of the vectors on their main axes, of about unit size."""
    axes_ND = principal(unit_rows(vectors_ND), min(NUM_AXES, vectors_ND.shape[1], max(1, len(vectors_ND) - 1)))
    return np.asarray(axes_ND / max(float(axes_ND.std()), 1e-6), dtype=np.float32)


def measured_by(task: str, labels: Sequence[str]) -> Callable[[Answers, NDArray[Any]], Mapping[str, float]]:
    """The measures of a task."""
    measured: Callable[[Answers, NDArray[Any]], Mapping[str, float]] = partial(_measured, task, tuple(labels))
    return measured


def _measured(task: str, labels: tuple[str, ...], answers_NL: Answers, targets: NDArray[Any]) -> Mapping[str, float]:
    found: Mapping[str, float] = task_part(task, "metrics").metrics(answers_NL, targets, labels)
    return found

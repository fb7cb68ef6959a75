"""What a kind of items brings so that models can be tried on worse ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.dataset import ItemRecord, Split
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError
from engine.job import Job
from engine.robustness.alteration import Alter, Alteration

Span = tuple[float, float]
"""Share of the whole job, from and to."""


@dataclass(frozen=True)
class Example:
    """One item, altered or not, as people look at it."""

    picture: str | None = None
    """A data address of a small JPEG."""
    text: str | None = None


@dataclass(frozen=True)
class Questions:
    """A model, and the items that it is asked about again and again."""

    records: Sequence[ItemRecord]
    """Of the items, drawn evenly from the split."""
    num_in_split: int
    targets: NDArray[Any]
    """Of the items, as the task's measures take them."""
    alterations: Sequence[Alteration]
    """Those that change something of these items."""
    num_draws: int
    """How often each alteration is drawn anew: the mean over draws depends little on any of them."""
    answers: Callable[[Alter | None, np.random.Generator, Span], NDArray[Any]]
    """To all items, altered or as they are.

    Raises:
        StoppedError: the job was asked to stop.
    """
    example: Callable[[Alter | None], Example]
    """Of the first item."""


class AlterationsKind(Protocol):
    """How items of one kind are altered and asked about."""

    def questions(self, job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> Questions:
        """Opens a model and the items of the job's split that it is asked about.

        Args:
            job: the order.
            folder: of the artefact.
            manifest: of the artefact.
            version: of the same task.

        Raises:
            BuildStoppedError: the job was asked to stop.
            DataInvalidError: the split is empty, or items carry labels that the artefact does not know.
        """


def records_drawn(version: DatasetVersion, split: Split, most: int) -> tuple[list[ItemRecord], int]:
    """Items of a split, evenly over it, and how many it has.

    Raises:
        DataInvalidError: it has none.
    """
    records = version.records(split)
    if not records:
        raise DataInvalidError(f"The version has no items in the split {split}.")
    return [records[place] for place in places_drawn(len(records), most)], len(records)


def places_drawn(num_in_split: int, most: int) -> NDArray[np.intp]:
    """Where the items stand in the split that are asked about: evenly over it."""
    return np.linspace(0, num_in_split - 1, min(most, num_in_split)).astype(np.intp)

"""Asks a model about pictures, each altered as the model sees it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import MODEL_FILE, ArtefactManifest
from automl.contracts.dataset import ItemRecord
from engine.answers import answer_kind
from engine.artefact.session import Session
from engine.data.items import PackedItems
from engine.data.version import DatasetVersion
from engine.items import item_kind
from engine.job import Job
from engine.robustness.alteration import Alter
from engine.robustness.items.image.alterations import alterations, preview
from engine.robustness.items.kind import Example, Questions, Span, records_drawn
from engine.tasks import task_part
from engine.training.evaluate import answers
from engine.training.prepare import packed

MOST_ITEMS = 200
"""Each is asked about some twenty times."""


class Images:
    """See ``AlterationsKind``."""

    def questions(self, job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> Questions:
        """See ``AlterationsKind``. One draw is enough: noise that differs from pixel to pixel is alike over a picture."""
        records, num_in_split = records_drawn(version, job.spec.split, MOST_ITEMS)
        items = packed(job, version, item_kind(manifest.decode.kind).opened(manifest.decode, folder))
        session = Session(folder / MODEL_FILE, num_threads=job.spec.limits.num_threads)
        first = items.graph_input(items.indices(records[:1]))[0]

        def asked(alter: Alter | None, generator: np.random.Generator, span: Span) -> NDArray[Any]:
            altered = items if alter is None else AlteredPictures(items, alter, generator)
            return answers(session, altered, records, kind=answer_kind(manifest.output), job=job, span=span)

        def example(alter: Alter | None) -> Example:
            return Example(picture=preview(first if alter is None else alter(first, np.random.default_rng(0))))

        targets = task_part(manifest.task, "data").targets(records, manifest.label_set.names, version.manifest.task_options)
        return Questions(records, num_in_split, targets, alterations(), num_draws=1, answers=asked, example=example)


@dataclass(frozen=True)
class AlteredPictures:
    """See ``AskedItems``."""

    items: PackedItems
    alter: Alter
    generator: np.random.Generator

    @property
    def asked_at_once(self) -> int:
        """See ``AskedItems``."""
        return self.items.asked_at_once

    def indices(self, records: Iterable[ItemRecord]) -> NDArray[np.int64]:
        """See ``AskedItems``."""
        return self.items.indices(records)

    def graph_input(self, rows_B: NDArray[np.int64]) -> NDArray[Any]:
        """See ``AskedItems``."""
        return np.stack([self.alter(item, self.generator) for item in self.items.graph_input(rows_B)])

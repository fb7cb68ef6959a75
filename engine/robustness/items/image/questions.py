"""Asks a model about pictures, each altered as the model sees it.

Shapes: H height, W width, C colour channels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import ArtefactManifest, ImageDecode
from automl.contracts.dataset import ItemRecord
from automl.planning.tiles import num_answered
from engine.answers import answer_kind
from engine.artefact.session import session_of
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
LEAST_ITEMS, MOST_WINDOWS = 20, 2_000
"""Of pictures that are read in tiles there are fewer, but not too few to compare: each window is an answer of the network."""


class Images:
    """See ``AlterationsKind``."""

    def questions(self, job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> Questions:
        """See ``AlterationsKind``. One draw is enough: noise that differs from pixel to pixel is alike over a picture."""
        decode = manifest.decode
        assert isinstance(decode, ImageDecode)
        side_px, reader = decode.min_side_px, item_kind(decode.kind).opened(decode, folder)
        records, num_in_split = records_drawn(version, job.spec.split, _most_items(version.records(job.spec.split), decode))
        items = packed(job, version, reader)
        session = session_of(folder, num_threads=job.spec.limits.num_threads)
        first = _middle(items.graph_input(items.indices(records[:1]))[0], side_px)

        def asked(alter: Alter | None, generator: np.random.Generator, span: Span) -> NDArray[Any]:
            altered = items if alter is None else AlteredPictures(items, alter, generator)
            return answers(session, altered, records, kind=answer_kind(manifest.output), job=job, span=span)

        def example(alter: Alter | None) -> Example:
            return Example(picture=preview(first if alter is None else alter(first, np.random.default_rng(0))))

        targets = task_part(manifest.task, "data").targets(
            records, manifest.label_set.names, version.manifest.task_options, **reader.target_values
        )
        return Questions(records, num_in_split, targets, alterations(side_px), num_draws=1, answers=asked, example=example)


def _most_items(records: Sequence[ItemRecord], decode: ImageDecode) -> int:
    shrink = decode.shrink
    if shrink is None or not records:
        return MOST_ITEMS
    windows = fmean(num_answered(one.media.height / shrink, one.media.width / shrink, decode.min_side_px) for one in records)
    return max(LEAST_ITEMS, min(MOST_ITEMS, int(MOST_WINDOWS / windows)))


def _middle(picture_HWC: NDArray[Any], side_px: int) -> NDArray[Any]:
    """What the network sees of a picture at once, from its middle."""
    top, left = (max(0, (side - side_px) // 2) for side in picture_HWC.shape[:2])
    return picture_HWC[top : top + side_px, left : left + side_px]


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

"""What training starts from: the version, checked, and its lines, cut out of their pictures.

Shapes: N items, R lines, D numbers of a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from automl.contracts.dataset import ItemRecord, Split
from engine.data.blob import DAMAGED_HINT, is_blob
from engine.data.image import PictureDamagedError, PictureUnreadableError
from engine.data.version import DatasetVersion
from engine.job import Job
from engine.tasks import task_part
from engine.tasks.shared.text_lines import lines_of
from engine.training.config import TrainingRequest, training_request
from engine.training.prepare import checked_version
from runtime.errors import RuntimeFault
from runtime.items.image.decode import Picture, picture_decode
from runtime.pipelines._quads import line_of, sides
from runtime.pipelines.text_lines import HEIGHT_PX, MAX_WIDTH_PX

MARGIN = 0.12
"""Of a line's height: what is cut out around it, so that training can shift it."""
_LOAD_TO = 0.1


@dataclass(frozen=True)
class CutLine:
    """A line, upright, with a margin around it."""

    picture: Image.Image
    margin_px: float
    text: str


@dataclass(frozen=True)
class PreparedReading(TrainingRequest):
    """The material of one trial."""

    version: DatasetVersion
    records: Mapping[Split, list[ItemRecord]]
    targets: Mapping[Split, np.ndarray]
    """As ``data.targets`` of the task gives them."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Names."""
        return self.version.manifest.label_set.names

    @property
    def options(self) -> Mapping[str, str]:
        """The task's options."""
        return self.version.manifest.task_options

    @cached_property
    def lines(self) -> Mapping[Split, list[CutLine]]:
        """Lines with a text, of what is learned from and what judges the epochs."""
        return {split: list(_cut(self.version, self.records[split])) for split in (Split.TRAIN, Split.VALIDATION)}


class WholePictures:
    """See ``AskedItems``: pictures one by one, each in its own size, as a runtime reads them."""

    asked_at_once: ClassVar[int] = 1

    def __init__(self, version: DatasetVersion):
        self._version, self._records = version, version.records()
        self._places = {record.item: place for place, record in enumerate(self._records)}

    def indices(self, records: Iterable[ItemRecord]) -> NDArray[np.int64]:
        """See ``AskedItems``."""
        return np.array([self._places[record.item] for record in records], dtype=np.int64)

    def graph_input(self, rows_B: NDArray[np.int64]) -> NDArray[np.uint8]:
        """See ``AskedItems``; errors as of ``picture_of``."""
        return np.stack([picture_of(self._version, self._records[row]).pixels_HWC for row in rows_B])


def prepare(job: Job) -> PreparedReading:
    """Reads and checks everything that training needs.

    Raises:
        JobInvalidError: the job asks for a task, family, size or value that is not there.
        DataInvalidError: the version has blocking problems.
    """
    job.progress("load", 0.0)
    request = training_request(job)
    version = checked_version(job, request.task)
    records = {split: version.records(split) for split in Split}
    of_task, manifest = task_part(request.task.name, "data"), version.manifest
    targets = {split: of_task.targets(own, manifest.label_set.names, manifest.task_options) for split, own in records.items()}
    job.progress("load", _LOAD_TO)
    return PreparedReading(**vars(request), version=version, records=records, targets=targets)


def picture_of(version: DatasetVersion, record: ItemRecord) -> Picture:
    """An item as a runtime reads it.

    Raises:
        PictureDamagedError: its bytes are not those that were uploaded.
        PictureUnreadableError: it is no picture that can be read.
    """
    portable = task_part(version.manifest.task, "portable")
    try:
        data = version.blob_path(record.blob).read_bytes()
    except OSError as error:
        raise PictureUnreadableError(f"{record.name} cannot be read: {error.strerror}.", items=(record.item,)) from error
    if not is_blob(data, record.blob):
        raise PictureDamagedError(f"The stored bytes of {record.name} changed.", hint=DAMAGED_HINT, items=(record.item,))
    try:
        return picture_decode(data, min_side_px=portable.MIN_SIDE_PX)
    except RuntimeFault as error:
        raise PictureUnreadableError(f"{record.name}: {error.detail}", items=(record.item,)) from error


def _cut(version: DatasetVersion, records: Sequence[ItemRecord]) -> Iterator[CutLine]:
    for record in records:
        lines = [line for line in lines_of(record.annotations) if line.text]
        if not lines:
            continue
        decoded = picture_of(version, record)
        picture = Image.fromarray(decoded.pixels_HWC)
        scale = np.array([picture.width / decoded.width_px, picture.height / decoded.height_px])
        for line in lines:
            corners = line.corners * scale
            width, height = sides(corners)
            if min(width, height) < 1.0:
                continue
            margin = MARGIN * height
            along, down = (corners[1] - corners[0]) / width * margin, (corners[3] - corners[0]) / height * margin
            wider = corners + np.stack([-along - down, along - down, along + down, down - along])
            high = round(HEIGHT_PX * (1 + 2 * MARGIN))
            yield CutLine(line_of(picture, wider, height_px=high, most_px=MAX_WIDTH_PX), MARGIN * HEIGHT_PX, line.text)

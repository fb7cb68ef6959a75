"""Annotations to numbers. Shapes: N items, M most boxes on an item, B batch, H height, W width, C colour channels.

``targets_NM5`` is float32: left, top, right, bottom as fractions of the picture, index of the label; rows with the label -1
pad. Pictures need nothing of the task's: they come packed from ``engine.data.cache``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from torch import Generator, Tensor

from automl.contracts.annotation import Box
from automl.contracts.dataset import ItemRecord
from engine.data.augment import Policy
from engine.errors import DataInvalidError
from engine.tasks.shared.boxes_augment import Augmenter

NO_LABEL = -1.0


def targets(records: Sequence[ItemRecord], labels: Sequence[str], options: Mapping[str, str]) -> np.ndarray:
    """What training should answer, ``_NM5`` with M at least 1; boxes are cut at the picture's edges.

    Raises:
        DataInvalidError: an item carries a label that is not in ``labels``.
    """
    index = {name: position for position, name in enumerate(labels)}
    boxes = [[box for box in record.annotations if isinstance(box, Box)] for record in records]
    unknown = [
        record.item for record, own in zip(records, boxes, strict=True) if not index.keys() >= {box.label for box in own}
    ]
    if unknown:
        raise DataInvalidError(f"{len(unknown)} items carry a label that the label set does not know.", items=tuple(unknown))
    most = max((len(own) for own in boxes), default=0)
    targets_NM5 = np.zeros((len(records), max(1, most), 5), dtype=np.float32)
    targets_NM5[..., 4] = NO_LABEL
    for row, (record, own) in enumerate(zip(records, boxes, strict=True)):
        if own:
            corners_M4 = np.array([(box.x, box.y, box.x + box.width, box.y + box.height) for box in own])
            size_4 = np.array([record.media.width, record.media.height] * 2)
            targets_NM5[row, : len(own), :4] = np.clip(corners_M4 / size_4, 0.0, 1.0)
            targets_NM5[row, : len(own), 4] = [index[box.label] for box in own]
    return targets_NM5


def augmenter(policy: Policy, *, is_mirrored: bool = True) -> Callable[[Tensor, Tensor, Generator], tuple[Tensor, Tensor]]:
    """Varies a batch ``_BHWC`` and its boxes ``_BM5`` together while training."""
    return Augmenter(policy, is_mirrored=is_mirrored)


def labelled_crops(
    picture_HWC: NDArray[np.uint8], target_M5: NDArray[np.float32]
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.generic]]]:
    """The contents of a picture's boxes, each with its label."""
    size_4 = np.array([picture_HWC.shape[1], picture_HWC.shape[0]] * 2)
    for row_5 in target_M5[target_M5[:, 4] != NO_LABEL]:
        left, top, right, bottom = np.rint(row_5[:4] * size_4).astype(np.int64)
        yield picture_HWC[top:bottom, left:right], row_5[4]

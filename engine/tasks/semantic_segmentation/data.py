"""Annotations to numbers. Shapes: N items, K numbers of an item's run lengths.

``targets_NK`` are run lengths of label maps, see ``raster``: truth at the picture's own size, whatever the network's. The
augmenter turns a batch of them into label maps of the pictures' size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from torch import Generator, Tensor

from automl.contracts.annotation import IGNORED_LABEL
from automl.contracts.dataset import ItemRecord
from engine.data.augment import Policy
from engine.tasks.semantic_segmentation.augment import Augmenter
from engine.tasks.semantic_segmentation.raster import label_map, map_of, runs_of
from engine.tasks.shared.raster import LONGEST_SIDE_PX, label_index, nearest


def targets(
    records: Sequence[ItemRecord], labels: Sequence[str], options: Mapping[str, str], *, longest_px: int = LONGEST_SIDE_PX
) -> np.ndarray:
    """What training should answer, ``_NK``.

    Args:
        records: the items.
        labels: names in the order of the indices.
        options: of the task; it has none.
        longest_px: longer side of the truth, at most.

    Raises:
        DataInvalidError: an item carries a label that is not in ``labels``.
    """
    index = label_index(records, labels, besides={IGNORED_LABEL})
    return runs_of([label_map(record, index, longest_px) for record in records])


def augmenter(policy: Policy, *, is_mirrored: bool = True) -> Callable[[Tensor, Tensor, Generator], tuple[Tensor, Tensor]]:
    """Varies a batch ``_BHWC`` and its truth ``_BK`` together while training; gives label maps ``_BHW`` with it."""
    return Augmenter(policy, is_mirrored=is_mirrored)


def labelled_crops(
    picture_HWC: NDArray[np.uint8], target_K: NDArray[np.int32]
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.generic]]]:
    """The rectangles around the connected areas of each label, each with it."""
    labels_HW = map_of(target_K)
    height, width = picture_HWC.shape[:2]
    labels_HW = labels_HW[np.ix_(nearest(labels_HW.shape[0], height), nearest(labels_HW.shape[1], width))]
    for label in np.unique(labels_HW[labels_HW >= 0]):
        _, _, areas, _ = cv2.connectedComponentsWithStats((labels_HW == label).astype(np.uint8))
        for left, top, area_width, area_height, _ in areas[1:]:
            yield picture_HWC[top : top + area_height, left : left + area_width], label

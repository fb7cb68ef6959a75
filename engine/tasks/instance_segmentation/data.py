"""Annotations to numbers.

``targets_NK`` are the objects of each item with their pixels, see ``truth``: truth at the picture's own size, whatever the
network's. The augmenter turns a batch of them into boxes and the masks within them.

Shapes: N items, K numbers of an item, B batch, H height, W width, C colours, M objects, T cells of a mask's side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from torch import Generator, Tensor

from automl.contracts.dataset import ItemRecord
from engine.data.augment import Policy
from engine.tasks.instance_segmentation.augment import Augmenter
from engine.tasks.instance_segmentation.truth import runs_of, truth_of, unpacked
from engine.tasks.shared.raster import label_index


def targets(records: Sequence[ItemRecord], labels: Sequence[str], options: Mapping[str, str]) -> np.ndarray:
    """What training should answer, ``_NK``.

    Raises:
        DataInvalidError: an item carries a label that is not in ``labels``.
    """
    index = label_index(records, labels)
    return runs_of([truth_of(record, index) for record in records])


def augmenter(policy: Policy, *, is_mirrored: bool = True) -> Callable[[Tensor, Tensor, Generator], tuple[Tensor, Tensor]]:
    """Varies a batch ``_BHWC`` and its truth ``_BK`` together while training; gives rows ``_BM(5+TT)`` with it."""
    return Augmenter(policy, is_mirrored=is_mirrored)


def labelled_crops(
    picture_HWC: NDArray[np.uint8], target_K: NDArray[np.int32]
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.generic]]]:
    """The rectangles around a picture's objects, each with its label."""
    truth = unpacked(target_K)
    scale_2 = np.array([picture_HWC.shape[1] / truth.width, picture_HWC.shape[0] / truth.height])
    for one in truth.objects:
        corner_2 = np.array([one.left, one.top])
        left, top = np.rint(corner_2 * scale_2).astype(np.int64)
        right, bottom = np.rint((corner_2 + one.is_inside_HW.shape[::-1]) * scale_2).astype(np.int64)
        yield picture_HWC[top:bottom, left:right], np.array(one.label)

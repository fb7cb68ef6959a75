"""Annotations to numbers. Shapes: N items, K numbers of an item's run lengths.

``targets_NK`` are run lengths of label maps, see ``raster``: truth at the picture's own size, whatever the network's. The
augmenter turns a batch of them into label maps of the pictures' size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from torch import Generator, Tensor

from automl.contracts.dataset import ItemRecord
from engine.data.augment import Policy
from engine.errors import DataInvalidError
from engine.tasks.semantic_segmentation.augment import Augmenter
from engine.tasks.semantic_segmentation.raster import label_map, runs_of
from engine.tasks.shared.raster import shapes_of


def targets(records: Sequence[ItemRecord], labels: Sequence[str], options: Mapping[str, str]) -> np.ndarray:
    """What training should answer, ``_NK``.

    Raises:
        DataInvalidError: an item carries a label that is not in ``labels``.
    """
    index = {name: position for position, name in enumerate(labels)}
    unknown = [
        record.item for record in records if not index.keys() >= {shape.label for shape in shapes_of(record.annotations)}
    ]
    if unknown:
        raise DataInvalidError(f"{len(unknown)} items carry a label that the label set does not know.", items=tuple(unknown))
    return runs_of([label_map(record, index) for record in records])


def augmenter(policy: Policy, *, is_mirrored: bool = True) -> Callable[[Tensor, Tensor, Generator], tuple[Tensor, Tensor]]:
    """Varies a batch ``_BHWC`` and its truth ``_BK`` together while training; gives label maps ``_BHW`` with it."""
    return Augmenter(policy, is_mirrored=is_mirrored)

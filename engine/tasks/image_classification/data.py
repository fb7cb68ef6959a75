"""Annotations to numbers. Shapes: B batch, H height, W width, C colour channels.

Pictures need nothing of the task's: they come packed from ``engine.data.cache``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from torch import Generator, Tensor

from engine.data.augment import Augmenter, Policy
from engine.data.loader import OnDevice
from engine.tasks.shared.classification.targets import label_names, targets

__all__ = ["augmenter", "label_names", "labelled_crops", "targets"]


def augmenter(policy: Policy, *, is_mirrored: bool = True) -> Callable[[Tensor, Tensor, Generator], tuple[Tensor, Tensor]]:
    """Varies a batch ``_BHWC`` while training; its targets stay as they are."""
    return OnDevice(Augmenter(policy, is_mirrored=is_mirrored).batch)


def labelled_crops(
    picture_HWC: NDArray[np.uint8], target: NDArray[np.generic]
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.generic]]]:
    """The parts of a picture that carry a label, each with it: here the whole picture."""
    yield picture_HWC, target

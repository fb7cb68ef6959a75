"""Annotations to numbers. Shapes: B batch, H height, W width, C colour channels.

Pictures need nothing of the task's: they come packed from ``engine.data.cache``.
"""

from __future__ import annotations

from collections.abc import Callable

from torch import Generator, Tensor

from engine.data.augment import Augmenter, Policy
from engine.tasks.shared.classification.targets import label_names, targets

__all__ = ["augmenter", "label_names", "targets"]


def augmenter(policy: Policy, *, is_mirrored: bool = True) -> Callable[[Tensor, Tensor, Generator], tuple[Tensor, Tensor]]:
    """Varies a batch ``_BHWC`` while training; its targets stay as they are."""
    return Augmenter(policy, is_mirrored=is_mirrored).batch

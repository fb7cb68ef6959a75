"""Annotations to numbers. Shapes: B batch, T tokens.

Texts need nothing of the task's: they come as rows of tokens from ``engine.data.text_tokens``.
"""

from __future__ import annotations

from collections.abc import Callable

from torch import Generator, Tensor

from engine.data.augment import Policy
from engine.tasks.shared.classification.targets import label_names, targets

__all__ = ["augmenter", "label_names", "targets"]


def augmenter(policy: Policy, *, is_mirrored: bool = True) -> Callable[[Tensor, Tensor, Generator], tuple[Tensor, Tensor]]:
    """Leaves a batch ``_BT`` as it is: no family of texts has a parameter for augmentation.

    Raises:
        ValueError: another policy than ``none``.
    """
    if policy != "none":
        raise ValueError(f"texts are not varied; there is no policy {policy!r}")
    return lambda tokens_BT, targets_B, generator: (tokens_BT, targets_B)

"""Names of stored weights: layers that were renamed since are found by the names that they had."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from torch import Tensor, nn


@runtime_checkable
class Renamed(Protocol):
    """A module of which layers were renamed."""

    @property
    def former_names(self) -> Mapping[str, str]:
        """From the former name of a layer to its name."""


def renamed_weights(model: nn.Module, stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Weights of an earlier release under the names of today.

    Args:
        model: the weights are for it; its modules may have ``former_names``, from the former name of a layer to its name.
        stored: weights by name, such as ``proposer.said.weight``. Names of today stay as they are.
    """
    former: dict[str, str] = {}
    for module in model.modules():
        if isinstance(module, Renamed):
            former.update(module.former_names)
    return {".".join(former.get(part, part) for part in name.split(".")): tensor for name, tensor in stored.items()}

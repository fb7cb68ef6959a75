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
        """From the former name of a layer to its name, both as seen from the module."""


def renamed_weights(model: nn.Module, stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Weights of an earlier release under the names of today.

    Args:
        model: the weights are for it; its modules may have ``former_names``.
        stored: weights by name, such as ``proposer.said.weight``. Names of today stay as they are.
    """
    former = {
        _joined(prefix, before): _joined(prefix, behind)
        for prefix, module in model.named_modules()
        if isinstance(module, Renamed)
        for before, behind in module.former_names.items()
    }
    return {_renamed(name, former): tensor for name, tensor in stored.items()}


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name


def _renamed(name: str, former: Mapping[str, str]) -> str:
    for before, behind in former.items():
        if name.startswith(f"{before}."):
            return behind + name.removeprefix(before)
    return name

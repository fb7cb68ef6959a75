"""Names of stored weights: layers that were renamed since are found by the names that they had."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn


def renamed_weights(model: nn.Module, stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Weights of an earlier release under the names of today.

    Args:
        model: the weights are for it; its modules may have ``former_names``, from the former name of a layer to its name.
        stored: weights by name, such as ``proposer.said.weight``. Names of today stay as they are.
    """
    former: dict[str, str] = {}
    for module in model.modules():
        names = getattr(module, "former_names", None)
        if isinstance(names, Mapping):
            former.update(names)
    return {".".join(former.get(part, part) for part in name.split(".")): tensor for name, tensor in stored.items()}

"""The first epochs of a training, in which the last layer alone learns and the rest of the network is left as it was."""

from __future__ import annotations

from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm


class Freezer:
    """Freezes a network up to its last layer, and thaws it."""

    def __init__(self, model: nn.Module, num_epochs: int):
        """Looks which parameters are trained.

        Args:
            model: its ``label_layers`` name the last layer.
            num_epochs: in which the rest is frozen.
        """
        self._num_epochs = num_epochs
        names = tuple(f"{name}." for name in getattr(model, "label_layers", ()))
        body = [(name, module) for name, module in model.named_modules() if not f"{name}.".startswith(names)] if names else []
        self._parameters = [
            parameter for _, module in body for parameter in module.parameters(recurse=False) if parameter.requires_grad
        ]
        self._norms = [module for _, module in body if isinstance(module, _BatchNorm)]

    def begin(self, epoch: int) -> None:
        """Freezes or thaws for an epoch, counted from 0; statistics of norms stay as the weights do."""
        if self._num_epochs == 0:
            return
        is_frozen = epoch < self._num_epochs
        for parameter in self._parameters:
            parameter.requires_grad_(not is_frozen)
        if is_frozen:
            for norm in self._norms:
                norm.eval()

    def end(self) -> None:
        """Leaves the network as it was."""
        self.begin(self._num_epochs)

"""The first epochs of a training, in which the last layer alone learns and the rest of the network is left as it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm


@runtime_checkable
class HasLabelLayers(Protocol):
    """A network that tells which of its outputs belong to labels."""

    @property
    def label_layers(self) -> Mapping[str, tuple[int, int, int]]:
        """By the name of a layer: groups of outputs, outputs of a group before those of the labels, and behind them."""


class Freezer:
    """Freezes a network up to its last layer, and thaws it."""

    def __init__(self, model: nn.Module, num_epochs: int):
        """Looks which parameters are trained.

        Args:
            model: its ``label_layers`` name the last layer.
            num_epochs: in which the rest is frozen.
        """
        self._num_epochs = num_epochs
        names = tuple(f"{name}." for name in (model.label_layers if isinstance(model, HasLabelLayers) else ()))
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

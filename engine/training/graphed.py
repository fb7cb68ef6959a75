"""The gradients of a step on CUDA as one graph: hundreds of kernels are launched at once, so that small networks do not wait.

A graph is recorded when steps of one shape have run a few times as usual and none of their operations waited for the device;
what cannot be recorded, such as a loss that asks how many objects there are, runs as usual. Recorded are forward pass, loss and
backward pass; the optimiser's few kernels are not.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

Compute = Callable[[Tensor, Tensor], Tensor]
"""Adds the gradients of a batch and its targets to the parameters; returns the mean loss, detached."""
NUM_USUAL = 3
"""Steps of a shape before its graph is recorded: by then the convolutions' algorithms are chosen."""
_WAITS = "synchronizing CUDA operation"
"""What torch's warning of an operation says that waits for the device."""


@dataclass(frozen=True)
class _Graph:
    """A recorded step with the memory that it reads and writes."""

    graph: torch.cuda.CUDAGraph
    items_B: Tensor
    targets_B: Tensor
    loss: Tensor
    gradients: tuple[Tensor | None, ...]
    """Of the model's parameters, in their order."""


class GraphedGradients:
    """Computes as ``compute`` does, with parameters whose gradients are None before and set behind."""

    def __init__(self, model: nn.Module, compute: Compute):
        """Records nothing yet.

        Args:
            model: on a CUDA device.
            compute: asked for batches on that device.
        """
        self._parameters = tuple(model.parameters())
        self._compute = compute
        self._shape: tuple[object, ...] | None = None
        self._num_seen = 0
        self._graph: _Graph | None = None
        self._is_recordable = True

    def __call__(self, items_B: Tensor, targets_B: Tensor) -> Tensor:
        """The mean loss of a batch; the gradients are the parameters' own until the next call."""
        shape = (items_B.shape, items_B.dtype, targets_B.shape, targets_B.dtype)
        if self._graph is not None:
            return (
                self._replayed(self._graph, items_B, targets_B) if shape == self._shape else self._compute(items_B, targets_B)
            )
        if not self._is_recordable:
            return self._compute(items_B, targets_B)
        self._num_seen = self._num_seen + 1 if shape == self._shape else 1
        self._shape = shape
        if self._num_seen < NUM_USUAL:
            return self._compute(items_B, targets_B)
        if self._num_seen == NUM_USUAL:
            loss, self._is_recordable = self._watched(items_B, targets_B)
            return loss
        self._graph = self._recorded(items_B, targets_B)
        return self._replayed(self._graph, items_B, targets_B)

    def _watched(self, items_B: Tensor, targets_B: Tensor) -> tuple[Tensor, bool]:
        """Runs as usual, and says whether nothing waited for the device: only then can it be recorded."""
        before = torch.cuda.get_sync_debug_mode()
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            torch.cuda.set_sync_debug_mode("warn")
            try:
                loss = self._compute(items_B, targets_B)
            finally:
                torch.cuda.set_sync_debug_mode(before)
        return loss, not any(_WAITS in str(each.message) for each in seen)

    def _recorded(self, items_B: Tensor, targets_B: Tensor) -> _Graph:
        kept_B, kept_targets_B = items_B.clone(), targets_B.clone()
        for parameter in self._parameters:
            parameter.grad = None
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            loss = self._compute(kept_B, kept_targets_B)
        return _Graph(graph, kept_B, kept_targets_B, loss, tuple(parameter.grad for parameter in self._parameters))

    def _replayed(self, recorded: _Graph, items_B: Tensor, targets_B: Tensor) -> Tensor:
        recorded.items_B.copy_(items_B)
        recorded.targets_B.copy_(targets_B)
        recorded.graph.replay()
        for parameter, gradient in zip(self._parameters, recorded.gradients, strict=True):
            parameter.grad = gradient
        return recorded.loss

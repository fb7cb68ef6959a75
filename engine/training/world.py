"""The processes that train one network together, each on its share of every batch; one alone in most trainings.

Every process sees the same batches, varied alike, and takes its part of each. Gradients are added up, so that a step is that of
the whole batch; statistics of batch norm are those of the whole batch, too. What is decided, is decided by the first process.
Shapes: B batch, C channels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from automl.contracts.job import DataParallel

T = TypeVar("T")


@dataclass(frozen=True)
class World:
    """One process among those that train together."""

    rank: int = 0
    size: int = 1
    first: int = 0
    """Rank of the process that decides."""
    has_one_disk: bool = True
    """Whether all of them read the files of the first."""
    how: DataParallel = field(default_factory=DataParallel)
    """They put their gradients together."""

    @property
    def is_sharded(self) -> bool:
        """Whether each keeps only a share of the network; what needs it whole, all do together then."""
        return self.size > 1 and self.how.way == "fsdp"

    @property
    def is_first(self) -> bool:
        """Whether it judges, saves and reports."""
        return self.rank == self.first

    def share(self, tensor: Tensor) -> Tensor:
        """Its part of a batch, along the first axis; the parts differ in length by one at most."""
        return tensor if self.size == 1 else tensor.tensor_split(self.size)[self.rank]

    def add_up(self, model: nn.Module, loss: Tensor) -> Tensor:
        """Adds up the gradients of all processes, and the loss, each of a share in proportion to its items.

        Args:
            model: whose gradients become those of the whole batch.
            loss: of the share.

        Returns:
            That of the whole batch.
        """
        if self.size == 1:
            return loss
        gradients = [_gradient(parameter) for parameter in model.parameters() if parameter.requires_grad]
        total = loss.detach().float().clone()
        if self.how.sends_bf16:
            dist.all_reduce(total)
        else:
            gradients.append(total)
        for bucket in _buckets(gradients, self.how.bucket_mb * 2**20):
            flat = torch._utils._flatten_dense_tensors(bucket)
            flat = flat.bfloat16() if self.how.sends_bf16 else flat
            dist.all_reduce(flat)
            for tensor, summed in zip(bucket, torch._utils._unflatten_dense_tensors(flat, bucket), strict=True):
                tensor.copy_(summed)
        return total

    def agreed(self, value: T) -> T:
        """What the first process has."""
        if self.size == 1:
            return value
        values = [value]
        dist.broadcast_object_list(values, src=self.first)
        return values[0]

    def gathered(self, value: T) -> list[T]:
        """What each of the processes has, by rank."""
        if self.size == 1:
            return [value]
        values: list[T | None] = [None] * self.size
        dist.all_gather_object(values, value)
        return cast(list[T], values)

    def read(self, load: Callable[[], T]) -> T:
        """What the files of the first process hold."""
        if self.size == 1 or self.has_one_disk:
            return load()
        values = [load() if self.is_first else None]
        dist.broadcast_object_list(values, src=self.first)
        return cast(T, values[0])

    @contextmanager
    def normed(self, model: nn.Module) -> Iterator[None]:
        """Lets batch norm see the whole batch as long as the context lasts."""
        norms = [module for module in model.modules() if type(module) in _SYNCED] if self.size > 1 else []
        usual = [type(norm) for norm in norms]
        for norm in norms:
            norm.__class__ = _SYNCED[type(norm)]
        try:
            yield
        finally:
            for norm, kind in zip(norms, usual, strict=True):
                norm.__class__ = kind


def _gradient(parameter: nn.Parameter) -> Tensor:
    """A process whose share did not need a parameter has none of it."""
    if parameter.grad is None:
        parameter.grad = torch.zeros_like(parameter)
    return parameter.grad


def _buckets(tensors: Sequence[Tensor], most_bytes: int) -> Iterator[list[Tensor]]:
    bucket: list[Tensor] = []
    for tensor in tensors:
        if bucket and sum(each.nbytes for each in bucket) + tensor.nbytes > most_bytes:
            yield bucket
            bucket = []
        bucket.append(tensor)
    yield bucket


class _Summed(torch.autograd.Function):
    """The sum over all processes; each one's loss depends on what all of them put in."""

    @staticmethod
    def forward(context: Any, tensor: Tensor) -> Tensor:
        """Sums up."""
        del context
        summed = tensor.contiguous().clone()
        dist.all_reduce(summed)
        return summed

    @staticmethod
    def backward(context: Any, *gradients: Any) -> Tensor:
        """Sums up, too."""
        del context
        return _Summed.forward(None, gradients[0])


class _Synced(_BatchNorm):
    """Batch norm whose means and variances are those of all processes; torch's own of this kind is for GPUs only."""

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - torch's name
        """See ``nn.BatchNorm2d``."""
        if not self.training:
            return super().forward(input)
        axes = [axis for axis in range(input.ndim) if axis != 1]
        shape = [1, -1, *([1] * (input.ndim - 2))]
        values = input.float()
        number = torch.tensor([values.numel() / values.shape[1]], device=input.device)
        dist.all_reduce(number)
        mean_C = _Summed.apply(values.sum(dim=axes)) / number
        centred = values - mean_C.view(shape)
        variance_C = _Summed.apply(centred.square().sum(dim=axes)) / number
        if self.track_running_stats and self.running_mean is not None and self.running_var is not None:
            assert self.momentum is not None
            with torch.no_grad():
                self.running_mean.lerp_(mean_C, self.momentum)
                self.running_var.lerp_(variance_C * number / (number - 1), self.momentum)
                if self.num_batches_tracked is not None:
                    self.num_batches_tracked += 1
        scaled = centred * torch.rsqrt(variance_C + self.eps).view(shape)
        if self.affine:
            scaled = scaled * self.weight.view(shape) + self.bias.view(shape)
        return scaled.to(input.dtype)


class _Synced1d(_Synced, nn.BatchNorm1d):
    """Of rows."""


class _Synced2d(_Synced, nn.BatchNorm2d):
    """Of pictures."""


_SYNCED: dict[type, type] = {nn.BatchNorm1d: _Synced1d, nn.BatchNorm2d: _Synced2d}
ALONE = World()

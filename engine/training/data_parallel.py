"""How processes that train one network put their gradients together (``DataParallel``), each in one class.

All of them give the gradients of the whole batch: losses are means over items, so each process's counts by its share of them.
DDP and FSDP divide what they add up by the number of processes, which the loss is multiplied by before.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor
from torch.nn.parallel import DistributedDataParallel
from torch.utils._pytree import tree_map

from engine.errors import EngineError
from engine.training.world import World

BLOCK_PARAMETERS = 2**20
"""Blocks of a network with as many parameters are put together one at a time, so that not all of it is whole at once."""
Loss = Callable[[Tensor, Tensor], Tensor]
"""Of items and targets."""


class DataParallelUnsuitableError(EngineError):
    """The network cannot be trained by several processes in the way that was asked for."""

    code = "data_parallel_unsuitable"
    hint = "Choose `plain` or `ddp`, or train in one process."


class PlainGradients:
    """Adds them up after the backward pass; also for a process that trains alone."""

    def __init__(self, model: nn.Module, world: World, loss: Loss):
        self.model, self._world, self._loss = model, world, loss

    def begin(self) -> None:
        """An epoch begins; other parameters may be trained than in the last."""

    def backward(self, items_B: Tensor, targets_B: Tensor, *, share: float, is_last: bool) -> Tensor:
        """Adds the gradients of a part of this process's share; returns what its loss counts for, detached.

        Args:
            items_B: the part.
            targets_B: its targets.
            share: of the whole batch that the part is.
            is_last: whether it is the last part of the step.
        """
        del is_last
        loss = self._loss(items_B, targets_B)
        loss = loss if share == 1.0 else loss * share
        loss.backward()
        return loss.detach()

    def added_up(self, loss: Tensor) -> Tensor:
        """The loss of the whole batch; gradients are those of it from here on."""
        return self._world.add_up(self.model, loss)


class DdpGradients(PlainGradients):
    """Adds them up while the backward pass runs."""

    def __init__(self, model: nn.Module, world: World, loss: Loss):
        super().__init__(model, world, loss)
        self._trained: tuple[bool, ...] = ()
        self._ddp: DistributedDataParallel | None = None

    def begin(self) -> None:
        """See ``PlainGradients``; the wrapper wants to know beforehand which parameters get gradients."""
        trained = tuple(parameter.requires_grad for parameter in self.model.parameters())
        if self._ddp is not None and trained == self._trained:
            return
        self._trained = trained
        self._ddp = DistributedDataParallel(
            _WithLoss(self.model, self._loss),
            bucket_cap_mb=self._world.how.bucket_mb,
            forward_sync_buffers=False,
            find_unused_parameters=True,
        )
        if self._world.how.sends_bf16:
            # ``bf16_compress_hook`` is this one for NCCL alone; gloo sends bfloat16, too.
            hook = lambda group, bucket: default_hooks._compress_hook(torch.bfloat16, group, bucket)  # noqa: E731 - DDP reads its types
            self._ddp.register_comm_hook(dist.group.WORLD, hook)

    def backward(self, items_B: Tensor, targets_B: Tensor, *, share: float, is_last: bool) -> Tensor:
        """See ``PlainGradients``."""
        assert self._ddp is not None
        with nullcontext() if is_last else self._ddp.no_sync():
            loss = self._ddp(items_B, targets_B) * share
            (loss * self._world.size).backward()
        return loss.detach()

    def added_up(self, loss: Tensor) -> Tensor:
        """See ``PlainGradients``."""
        return _total(loss)


class FsdpGradients(PlainGradients):
    """Each process gets the sum of its share of them; the model is sharded already."""

    def backward(self, items_B: Tensor, targets_B: Tensor, *, share: float, is_last: bool) -> Tensor:
        """See ``PlainGradients``."""
        assert isinstance(self.model, FSDPModule)
        self.model.set_requires_gradient_sync(is_last)
        loss = self._loss(items_B, targets_B) * share
        (loss * self._world.size).backward()
        return loss.detach()

    def added_up(self, loss: Tensor) -> Tensor:
        """See ``PlainGradients``."""
        return _total(loss)


def gradients_of(model: nn.Module, world: World, loss: Loss) -> PlainGradients:
    """How the processes of a training put them together."""
    ways: dict[str, type[PlainGradients]] = {"plain": PlainGradients, "ddp": DdpGradients, "fsdp": FsdpGradients}
    return (ways[world.how.way] if world.size > 1 else PlainGradients)(model, world, loss)


class Shards:
    """A network of which each process keeps a share, and what is made whole of it; otherwise it is whole all the time."""

    def __init__(self, model: nn.Module, world: World, *, frozen_epochs: int):
        """Shards it where the processes are to.

        Args:
            model: on its device.
            world: the processes.
            frozen_epochs: in which a part of it does not learn.

        Raises:
            DataParallelUnsuitableError: it cannot be.
        """
        self._model = model
        self._whole: nn.Module | None = None
        if not world.is_sharded:
            return
        if frozen_epochs:
            raise DataParallelUnsuitableError("FSDP cannot train the last layer alone first (frozen_epochs).")
        self._whole = copy.deepcopy(model).cpu()
        mesh = init_device_mesh(next(model.parameters()).device.type, (world.size,))
        policy = MixedPrecisionPolicy(reduce_dtype=torch.bfloat16 if world.how.sends_bf16 else None)
        for block in _blocks(model):
            fully_shard(block, mesh=mesh, mp_policy=policy)
        fully_shard(model, mesh=mesh, mp_policy=policy)

    def whole(self, tree: Any) -> Any:
        """The same with whole tensors; all processes have to ask."""
        if self._whole is None:
            return tree
        return tree_map(lambda each: each.full_tensor() if isinstance(each, DTensor) else each, tree)

    def shared(self, weights: Mapping[str, Tensor]) -> Mapping[str, Tensor]:
        """Whole weights by name, as the model takes them."""
        if self._whole is None:
            return weights
        own = self._model.state_dict()
        return {name: _as(tensor, own[name]) for name, tensor in weights.items()}

    def shared_optimizer(self, state: dict[str, Any], optimizer: torch.optim.Optimizer) -> dict[str, Any]:
        """An optimiser's whole numbers, as it takes them."""
        if self._whole is None:
            return state
        parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
        numbers = {
            place: {name: _as(each, parameters[place]) for name, each in own.items()} for place, own in state["state"].items()
        }
        return {**state, "state": numbers}

    def result(self, best: Mapping[str, Tensor]) -> nn.Module:
        """The whole network with these weights, or where there are none with those that it has."""
        if self._whole is None:
            if best:
                self._model.load_state_dict(best)
            return self._model
        self._whole.load_state_dict(best or {name: each.cpu() for name, each in self.whole(self._model.state_dict()).items()})
        return self._whole


class _WithLoss(nn.Module):
    """The network and its loss as one, so that DDP sees all that is used."""

    def __init__(self, model: nn.Module, loss: Loss):
        super().__init__()
        self._model = model
        self._loss = loss

    def forward(self, items_B: Tensor, targets_B: Tensor) -> Tensor:
        """The loss."""
        return self._loss(items_B, targets_B)


def _blocks(model: nn.Module) -> list[nn.Module]:
    """The large parts of lists of parts, none within another."""
    found: list[nn.Module] = []
    for holder in model.modules():
        if isinstance(holder, nn.Sequential | nn.ModuleList):
            for block in holder.children():
                is_list = isinstance(block, nn.ModuleList | nn.ModuleDict)
                is_within = any(block is inner for outer in found for inner in outer.modules())
                if not is_list and not is_within and sum(each.numel() for each in block.parameters()) >= BLOCK_PARAMETERS:
                    found.append(block)
    return found


def _as(tensor: Tensor, like: Tensor) -> Tensor:
    if not isinstance(like, DTensor) or tensor.shape != like.shape:
        return tensor
    return distribute_tensor(tensor.to(like.device), like.device_mesh, like.placements, src_data_rank=None)


def _total(loss: Tensor) -> Tensor:
    total = loss.detach().float().clone()
    dist.all_reduce(total)
    return total

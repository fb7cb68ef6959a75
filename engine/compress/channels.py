"""Channels of a network that can be removed, those that depend on each other together.

What a residual addition joins has the same channels on both sides; a depthwise convolution has those of its input. Which
channels go together is found by tracing the network (Fang et al. 2023, DepGraph, https://arxiv.org/abs/2301.12900, whose
library does it). Of a group the channels go first whose weights are smallest in all layers that make or read them.

Shapes: B batch, C channels of a group.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
import torch_pruning as tp
from torch import Tensor, nn

from engine.compress.anneal import Numbers

STEP = 8
"""Channels are kept in multiples of it: runtimes compute them in such blocks, and a part of one takes as long as all of it."""
_LEAST_SHARE = 0.125
"""Of a group that is always kept."""


@dataclass(frozen=True)
class _Layer:
    """A convolution or a product, and the groups that its work depends on."""

    macs: float
    made: int | None
    """Place of the group whose channels it makes."""
    read: Sequence[tuple[int, float]]
    """Places of the groups that it reads channels of, each with its share of the inputs. None of a depthwise convolution, which
    reads what it makes."""


@dataclass(frozen=True)
class _Group:
    """Channels that are removed together."""

    root: str
    """Name of a layer that makes them."""
    order_C: list[int]
    """Their places, the least important first."""
    rows: Sequence[tuple[str, list[tuple[int, int]]]]
    """Modules that make them or scale them: of each the places in the group, with the module's own row of each."""


class Channels:
    """The channels of a network.

    Args:
        network: it is left as it is, on the CPU.
        items_B: some items as it takes them.
    """

    def __init__(self, network: nn.Module, items_B: Tensor):
        self._network, self._items_B = network.eval(), items_B
        graph = _graph(network, items_B)
        names = {module: name for name, module in network.named_modules()}
        found = [group for group in _groups(graph) if len(group[0].idxs) >= 2 * STEP]
        self._groups = [_group(group, graph, names) for group in found]
        self._layers = _layers(network, items_B, found, graph)

    @property
    def num(self) -> Numbers:
        """The number of channels of each group."""
        return tuple(len(group.order_C) for group in self._groups)

    @property
    def least(self) -> Numbers:
        """The fewest channels of each group that must be kept."""
        return tuple(max(num % STEP or STEP, num - int((1 - _LEAST_SHARE) * num) // STEP * STEP) for num in self.num)

    def macs(self, kept: Sequence[int]) -> float:
        """Multiplications for an item of a network that keeps so many channels of each group."""
        share = [number / num for number, num in zip(kept, self.num, strict=True)]
        total = 0.0
        for layer in self._layers:
            made = 1.0 if layer.made is None else share[layer.made]
            read = 1.0 - sum(of_inputs * (1.0 - share[place]) for place, of_inputs in layer.read)
            total += layer.macs * made * read
        return total

    def uniform(self, limit: float) -> Numbers:
        """The same share of every group, the largest that costs no more than the limit."""
        best = self.least
        for percent in range(100):
            kept = self._share(percent / 100)
            if self.macs(kept) <= limit:
                best = kept
        return best

    def _share(self, share: float) -> Numbers:
        return tuple(
            max(least, num - round((1 - share) * num / STEP) * STEP) for num, least in zip(self.num, self.least, strict=True)
        )

    @contextmanager
    def masked(self, kept: Sequence[int]) -> Iterator[nn.Module]:
        """The network, whose other channels are zero meanwhile: it answers as one that lacks them."""
        saved: list[tuple[Tensor, Tensor]] = []
        with torch.no_grad():
            for group, number in zip(self._groups, kept, strict=True):
                gone = set(group.order_C[: len(group.order_C) - number])
                for name, rows in group.rows if gone else ():
                    places = [row for place, row in rows if place in gone]
                    for parameter in self._network.get_submodule(name).parameters(recurse=False):
                        saved.append((parameter.data, parameter.detach().clone()))
                        parameter.data[places] = 0.0
            try:
                yield self._network
            finally:
                for tensor, values in reversed(saved):
                    tensor.copy_(values)

    def pruned(self, kept: Sequence[int]) -> nn.Module:
        """A smaller network, without the other channels."""
        smaller = copy.deepcopy(self._network)
        graph = _graph(smaller, self._items_B)
        for group, number in zip(self._groups, kept, strict=True):
            gone = group.order_C[: len(group.order_C) - number]
            if gone:
                root = smaller.get_submodule(group.root)
                graph.get_pruning_group(root, graph.get_pruner_of_module(root).prune_out_channels, gone).prune()
        return smaller


def _graph(network: nn.Module, items_B: Tensor) -> Any:
    for parameter in network.parameters():  # what is frozen leaves no trace
        parameter.requires_grad_(True)
    with torch.enable_grad():
        return tp.DependencyGraph().build_dependency(network.eval(), items_B, verbose=False)


def _groups(graph: Any) -> Iterator[Any]:
    yield from graph.get_all_groups(ignored_layers=[], root_module_types=[nn.Conv2d])


def _group(group: Any, graph: Any, names: dict[nn.Module, str]) -> _Group:
    importance_C = tp.importance.GroupMagnitudeImportance(p=2, normalizer="mean")(group)
    rows = [
        (names[each.dep.target.module], list(zip(each.root_idxs, each.idxs, strict=True)))
        for each in group.items
        if each.dep.target.module in names and graph.is_out_channel_pruning_fn(each.dep.handler)
    ]
    return _Group(names[group[0].dep.target.module], torch.argsort(importance_C, stable=True).tolist(), rows)


def _layers(network: nn.Module, items_B: Tensor, groups: Sequence[Any], graph: Any) -> list[_Layer]:
    macs = _macs(network, items_B)
    made: dict[nn.Module, int] = {}
    read: dict[nn.Module, list[tuple[int, float]]] = {}
    for place, group in enumerate(groups):
        for dep, idxs in group:
            module = dep.target.module
            if module not in macs:
                continue
            if graph.is_out_channel_pruning_fn(dep.handler):
                made[module] = place
            elif getattr(module, "groups", 1) == 1:
                num_inputs = module.in_channels if isinstance(module, nn.Conv2d) else module.in_features
                read.setdefault(module, []).append((place, len(idxs) / num_inputs))
    return [_Layer(number, made.get(module), read.get(module, ())) for module, number in macs.items()]


def _macs(network: nn.Module, items_B: Tensor) -> dict[nn.Module, float]:
    """Multiplications for an item, by layer."""
    found: dict[nn.Module, float] = {}

    def count(module: nn.Module, _inputs: object, output: Tensor) -> None:
        weights: Any = module.weight
        found[module] = float(output[0].numel() * weights[0].numel())

    layers = [module for module in network.modules() if isinstance(module, nn.Conv2d | nn.Linear)]
    hooks = [layer.register_forward_hook(count) for layer in layers]
    with torch.no_grad():
        network(items_B)
    for hook in hooks:
        hook.remove()
    return found

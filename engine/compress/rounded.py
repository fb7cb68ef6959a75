"""Training with the rounding of 8 bits: the weights learn to live with it, where rounding afterwards loses too much.

Weights and inputs of every inner layer are rounded as the 8-bit graph will round them, and gradients pass as if they were not
(Jacob et al. 2018, https://arxiv.org/abs/1712.05877). Norms are part of the layers before them from the beginning, as in the
graph. What is learned is what the graph gets: its weights are those numbers, its inputs have those ranges.

Shapes: B batch, C channels that a layer makes.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize
from torch.nn.utils.fusion import fuse_conv_bn_weights

from engine.compress.graphs import LEAST_WEIGHTS, inner_nodes, named
from engine.compress.learned import Learned
from engine.compress.quantise import WEIGHT_STEPS, Ranges, static
from engine.compress.smaller_graph import NoCandidateError, SmallerGraph
from engine.compress.source import Source
from engine.compress.walk import HARMLESS, apart

_LR_SHARE = 0.1
"""Of the rate that the model began with: without norms, large steps are too large."""
_MEMORY = 0.95
"""Of the ranges of inputs, from one batch to the next."""
_STEPS = 255
"""Of an input's range."""
_INPUTS = "rounded_inputs"


class _RoundedWeights(nn.Module):
    """The weights of a layer, whole multiples of a step a channel."""

    def forward(self, weights: Tensor) -> Tensor:
        step_C = weights.detach().flatten(1).abs().amax(dim=1).clamp(min=1e-12) / WEIGHT_STEPS
        zeros_C = torch.zeros_like(step_C, dtype=torch.int32)
        return torch.fake_quantize_per_channel_affine(weights, step_C, zeros_C, 0, -WEIGHT_STEPS, WEIGHT_STEPS)


class _RoundedInputs(nn.Module):
    """The inputs of a layer, in 255 steps of the range that they showed."""

    low: Tensor
    high: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("low", torch.zeros(()))
        self.register_buffer("high", torch.zeros(()))

    def forward(self, items_B: Tensor) -> Tensor:
        if self.training:
            self._look(items_B.detach())
        step = ((self.high - self.low) / _STEPS).clamp(min=1e-12)
        zero = torch.round(-self.low / step).to(torch.int32)
        return torch.fake_quantize_per_tensor_affine(items_B, step, zero, 0, _STEPS)

    def _look(self, items_B: Tensor) -> None:
        low, high = items_B.amin().clamp(max=0.0), items_B.amax().clamp(min=0.0)
        is_first = self.high == self.low
        self.low.copy_(torch.where(is_first, low, torch.lerp(low, self.low, _MEMORY)))
        self.high.copy_(torch.where(is_first, high, torch.lerp(high, self.high, _MEMORY)))


def trained(source: Source) -> SmallerGraph:
    """The network in 8 bits, trained for it.

    Raises:
        NoCandidateError: it has no weights to train on with, or rounding without training does no harm.
        StoppedError: the job was asked to stop.
        EngineError: it cannot be trained.
    """
    learned = source.learned
    if apart(source, static(source, spared=frozenset()).model) < HARMLESS:
        raise NoCandidateError("as_static")
    items_B, _ = learned.batch(2)
    network = folded(learned.network, items_B)
    layers = _inner_layers(network, items_B)
    if len(layers) != len(inner_nodes(source.model())):  # layers and nodes are matched by their order
        raise NoCandidateError("unfit")
    for layer in layers:
        parametrize.register_parametrization(layer, "weight", _RoundedWeights())
        layer.add_module(_INPUTS, _RoundedInputs())
        layer.register_forward_pre_hook(_round_inputs)
    network = learned.tuned(network, span=source.span, lr_share=_LR_SHARE, is_exact=True)
    return _graph(source, learned, network, layers)


def _round_inputs(layer: nn.Module, inputs: tuple[Tensor]) -> Tensor:
    rounded: Tensor = layer.get_submodule(_INPUTS)(inputs[0])
    return rounded


def _graph(source: Source, learned: Learned, network: nn.Module, layers: Sequence[nn.Module]) -> SmallerGraph:
    """The 8-bit graph with the ranges that were learned."""
    ranges = []
    for layer in layers:
        inputs = layer.get_submodule(_INPUTS)
        assert isinstance(inputs, _RoundedInputs)
        ranges.append((float(inputs.low), float(inputs.high)))
        parametrize.remove_parametrizations(layer, "weight", leave_parametrized=True)
        layer._forward_pre_hooks.clear()
        delattr(layer, _INPUTS)
    model = named(learned.graph(network))
    inner = set(inner_nodes(model))
    first_inputs = [node.input[0] for node in model.graph.node if node.name in inner]
    by_name: Ranges = {}
    for name, (low, high) in zip(first_inputs, ranges, strict=True):  # what several layers read has the range of all of them
        known = by_name.get(name, (low, high))
        by_name[name] = min(low, known[0]), max(high, known[1])
    return static(source, spared=frozenset(), model=model, ranges=by_name)


def folded(network: nn.Module, items_B: Tensor) -> nn.Module:
    """A copy whose convolutions have taken in the norms behind them."""
    network = copy.deepcopy(network).eval()
    names = {module: name for name, module in network.named_modules()}
    for conv, norm in _pairs(network, items_B).items():
        assert norm.running_mean is not None
        assert norm.running_var is not None
        conv.weight, conv.bias = fuse_conv_bn_weights(
            conv.weight, conv.bias, norm.running_mean, norm.running_var, norm.eps, norm.weight, norm.bias
        )
        holder, _, own = names[norm].rpartition(".")
        setattr(network.get_submodule(holder), own, nn.Identity())
    return network


def _pairs(network: nn.Module, items_B: Tensor) -> Mapping[nn.Conv2d, nn.BatchNorm2d]:
    """Convolutions, and the norm that gets what each makes."""
    makers: dict[int, nn.Conv2d] = {}
    made: list[Any] = []  # kept, so that no two have the same id
    found: dict[nn.Conv2d, nn.BatchNorm2d] = {}

    def look(module: nn.Module, inputs: tuple[Tensor], output: Tensor) -> None:
        if isinstance(module, nn.Conv2d):
            made.append(output)
            makers[id(output)] = module
        elif isinstance(module, nn.BatchNorm2d) and id(inputs[0]) in makers:
            found[makers[id(inputs[0])]] = module

    _seen(network, items_B, (nn.Conv2d, nn.BatchNorm2d), look)
    return found


def _inner_layers(network: nn.Module, items_B: Tensor) -> list[nn.Module]:
    """Layers that are rounded, as they are asked: no small ones, and of the others neither the first nor the last."""
    found: list[nn.Module] = []
    _seen(network, items_B, (nn.Conv2d, nn.Linear), lambda module, _inputs, _output: found.append(module))
    return [layer for layer in found if layer.get_parameter("weight").numel() >= LEAST_WEIGHTS][1:-1]


def _seen(network: nn.Module, items_B: Tensor, kinds: tuple[type[nn.Module], ...], look: Any) -> None:
    """Calls ``look`` with each module of these kinds, its inputs and its output, while the network answers."""
    hooks = [module.register_forward_hook(look) for module in network.modules() if isinstance(module, kinds)]
    with torch.no_grad():
        network.eval()(items_B)
    for hook in hooks:
        hook.remove()

"""Optimiser and schedule: AdamW with a short warm-up and a cosine to zero."""

from __future__ import annotations

import math

import torch
from torch import nn

WARMUP_FRACTION = 0.1
"""Of all steps. Adam's second moments are guesses at first; large steps on guesses undo pretrained weights."""
NUM_DEPTHS = 8
"""Parts of a network with learning rates of their own."""


def build(model: nn.Module, *, weight_decay: float, first_layer_lr: float = 1.0) -> torch.optim.AdamW:
    """Makes the optimiser; norms and biases are not decayed.

    Args:
        model: whose parameters, in the order in which it names them: from its first layer to its last.
        weight_decay: of the others.
        first_layer_lr: learning rate of the first layers as a share of that of the last, above 0; those between lie evenly on
            a logarithmic scale (as in ULMFiT, Howard and Ruder 2018, https://arxiv.org/abs/1801.06146).
    """
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for number, parameter in enumerate(trained):
        depth = round(number / max(1, len(trained) - 1) * (NUM_DEPTHS - 1)) / (NUM_DEPTHS - 1)
        key = first_layer_lr ** (1.0 - depth), weight_decay if parameter.ndim > 1 else 0.0
        groups.setdefault(key, []).append(parameter)
    return torch.optim.AdamW(
        [{"params": params, "weight_decay": decay, "scale": scale} for (scale, decay), params in groups.items()],
        lr=0.0,
        fused=True,
    )


def lr_at(step: int, *, total_steps: int, peak: float) -> float:
    """Learning rate of the step that comes next."""
    warmup_steps = max(1, round(WARMUP_FRACTION * total_steps))
    if step < warmup_steps:
        return peak * (step + 1) / warmup_steps
    done_fraction = (step - warmup_steps) / max(1, total_steps - warmup_steps)
    return peak * 0.5 * (1.0 + math.cos(math.pi * done_fraction))


def set_lr(optimizer: torch.optim.Optimizer, lr: float) -> None:
    """Sets the learning rate of every group, that of the last layers as given."""
    for group in optimizer.param_groups:
        group["lr"] = lr * group.get("scale", 1.0)  # a checkpoint from before there were scales has none

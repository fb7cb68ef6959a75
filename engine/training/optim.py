"""Optimiser and schedule: AdamW with a short warm-up and a cosine to zero."""

from __future__ import annotations

import math

import torch
from torch import nn

WARMUP_FRACTION = 0.1
"""Of all steps. Adam's second moments are guesses at first; large steps on guesses undo pretrained weights."""


def build(model: nn.Module, *, weight_decay: float) -> torch.optim.AdamW:
    """Makes the optimiser; norms and biases are not decayed."""
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    groups = [
        {"params": [parameter for parameter in trained if parameter.ndim > 1], "weight_decay": weight_decay},
        {"params": [parameter for parameter in trained if parameter.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=0.0, fused=True)


def lr_at(step: int, *, total_steps: int, peak: float) -> float:
    """Learning rate of the step that comes next."""
    warmup_steps = max(1, round(WARMUP_FRACTION * total_steps))
    if step < warmup_steps:
        return peak * (step + 1) / warmup_steps
    done_fraction = (step - warmup_steps) / max(1, total_steps - warmup_steps)
    return peak * 0.5 * (1.0 + math.cos(math.pi * done_fraction))


def set_lr(optimizer: torch.optim.Optimizer, lr: float) -> None:
    """Sets the learning rate of every group."""
    for group in optimizer.param_groups:
        group["lr"] = lr

"""Means of a network's weights over many steps, judged and kept in place of those of the last step.

``ema`` forgets exponentially, over a twentieth of the training (Morales-Brotons et al. 2024, https://arxiv.org/abs/2411.18704);
``swa`` is the plain mean of the last quarter, over which the learning rate is held (Izmailov et al. 2018,
https://arxiv.org/abs/1803.05407). Statistics of norms are averaged as the weights are, in place of a further pass over the
items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, get_args

import torch
from torch import Tensor, nn

Averaging = Literal["none", "ema", "swa"]
_EMA_FRACTION = 0.05
_MIN_EMA_STEPS = 5.0
_SWA_FROM = 0.75
"""Of all steps."""


class WeightAverage:
    """The mean of the weights so far."""

    def __init__(self, kind: Averaging, model: nn.Module, total_steps: int):
        """Begins with nothing.

        Args:
            kind: which mean; ``none`` leaves the weights as they are.
            model: whose weights.
            total_steps: of the whole schedule.

        Raises:
            ValueError: there is no such mean.
        """
        if kind not in get_args(Averaging):
            raise ValueError(f"there is no averaging {kind!r}; known: {', '.join(get_args(Averaging))}")
        self._kind = kind
        self._model = model
        self._now = model.state_dict()
        self._total_steps = total_steps
        self._num_steps = 0
        self._mean: dict[str, Tensor] = {}

    def lr_step(self, step: int) -> int:
        """The step whose learning rate a step takes: the mean of weights that hardly move would be one of them."""
        return min(step, self._first_step) if self._kind == "swa" else step

    def update(self, step: int) -> None:
        """Takes the weights as the step leaves them."""
        if self._kind == "none" or step < self._first_step:
            return
        self._num_steps += 1
        if not self._mean:
            self._mean = _copied(self._now)
            return
        names = [name for name, tensor in self._now.items() if tensor.is_floating_point()]
        for kind in {type(self._now[name]) for name in names}:  # parameters that processes share are tensors of their own kind
            alike = [name for name in names if type(self._now[name]) is kind]
            torch._foreach_lerp_([self._mean[name] for name in alike], [self._now[name] for name in alike], self._share)
        for name in self._now.keys() - set(names):
            self._mean[name].copy_(self._now[name])

    @contextmanager
    def applied(self) -> Iterator[None]:
        """The model with the mean as its weights, as long as the context lasts."""
        if not self._mean:
            yield
            return
        own = _copied(self._now)
        self.keep()
        try:
            yield
        finally:
            self._model.load_state_dict(own)

    def keep(self) -> None:
        """Gives the model the mean as its weights."""
        if self._mean:
            self._model.load_state_dict(self._mean)

    def state_dict(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {"num_steps": self._num_steps, "mean": self._mean}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on where ``state`` was taken."""
        device = next(self._model.parameters()).device
        self._num_steps = state["num_steps"]
        self._mean = {name: tensor.to(device) for name, tensor in state["mean"].items()}

    @property
    def _first_step(self) -> int:
        return round(_SWA_FROM * self._total_steps) if self._kind == "swa" else 0

    @property
    def _share(self) -> float:
        """Of the newest weights; at first that of a plain mean."""
        plain = 1.0 / self._num_steps
        return plain if self._kind == "swa" else max(plain, 1.0 / max(_MIN_EMA_STEPS, _EMA_FRACTION * self._total_steps))


def _copied(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in weights.items()}

"""Where the time of a training by gradient steps goes, and how its layers fare; for the report.

Times are those of the clock on the host: on a GPU, what a step waits for is counted where the host waits for it. Two looks at
the clock a step and one look at the layers an epoch: some hundredths of a step of a millisecond
(``benchmarks/trainer_overhead.py``).
"""

from __future__ import annotations

import resource
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Literal, TypeVar

import torch
from torch import Tensor, nn

from automl.contracts.training_profile import LayerGroup, ProcessTimes, StepTimes, TrainingAdvice, TrainingProfile
from engine.training.world import World

Batch = TypeVar("Batch")
T = TypeVar("T")
Part = Literal["evaluate", "save", "exchange"]
MAX_POINTS = 100
NUM_GROUPS = 8
"""Parts of a network, from its first layer to its last, with about as many layers each."""
WAITS_FROM, EVALUATES_FROM, DEAD_FROM, EXCHANGES_FROM = 0.2, 0.4, 0.5, 0.2
VANISHES_BELOW = 1e-4
"""Gradient of the first layers against that of the last, each in proportion to its weights."""


class Profiler:
    """Measures one training, from the first step of this attempt on."""

    def __init__(self, model: nn.Module, total_steps: int, world: World | None = None):
        """Begins.

        Args:
            model: that is trained, on its device.
            total_steps: of which at most ``MAX_POINTS`` points are made.
            world: the processes that train it together; None where one trains alone.
        """
        self._model = model
        self._world = world or World()
        self._per_point = max(1, -(-total_steps // MAX_POINTS))
        self._parts = {"wait": 0.0, "compute": 0.0, "evaluate": 0.0, "save": 0.0, "exchange": 0.0}
        self._is_within_step = False
        self._step = 0
        self._num_steps = 0
        self._num_items = 0
        self._marked = dict(self._parts), 0
        self._points: list[StepTimes] = []
        self._groups: tuple[LayerGroup, ...] = ()

    def timed(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Hands batches on; what passes until one comes is waiting, and until the next is asked for computing."""
        with closing(each for each in batches) as iterator:
            while True:
                asked_s = time.monotonic()
                batch = next(iterator, None)
                came_s = time.monotonic()
                self._parts["wait"] += came_s - asked_s
                if batch is None:
                    return
                self._is_within_step = True
                try:
                    yield batch
                finally:
                    self._is_within_step = False
                    self._parts["compute"] += time.monotonic() - came_s
                    self._make_point()

    @contextmanager
    def part(self, name: Part) -> Iterator[None]:
        """Counts what passes as a part of its own."""
        began_s = time.monotonic()
        try:
            yield
        finally:
            passed_s = time.monotonic() - began_s
            self._parts[name] += passed_s
            if self._is_within_step:
                self._parts["compute"] -= passed_s

    def exchanged(self, ask: Callable[[T], T], value: T) -> T:
        """What the processes make of a value together; what passes is spent on the others, where there are any."""
        if self._world.size == 1:
            return ask(value)
        with self.part("exchange"):
            return ask(value)

    def count(self, step: int, num_items: int) -> None:
        """Counts the step for which the last batch was."""
        self._step = step
        self._num_steps += 1
        self._num_items += num_items

    def _make_point(self) -> None:
        """Of the last steps, where there are enough of them."""
        parts, number = self._marked
        steps = self._num_steps - number
        if steps == self._per_point:
            wait_s, compute_s = (self._parts[name] - parts[name] for name in ("wait", "compute"))
            self._points.append(StepTimes(step=self._step, wait_ms=1000 * wait_s / steps, compute_ms=1000 * compute_s / steps))
            self._marked = dict(self._parts), self._num_steps

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Looks at the layers while the last step of an epoch is computed: its gradients have to be there at the end."""
        watch = _Watch(self._model)
        try:
            yield
            self._groups = watch.groups()
        finally:
            watch.end()

    def result(self) -> TrainingProfile | None:
        """What was found; None before the first step. Of several processes all have to ask."""
        if self._num_steps == 0:
            return None
        processes = self._processes()
        device = next(self._model.parameters()).device
        train_s = self._parts["wait"] + self._parts["compute"] + self._parts["exchange"]
        on_gpu = device.type == "cuda"
        peak = torch.cuda.max_memory_allocated(device) if on_gpu else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return TrainingProfile(
            device=torch.cuda.get_device_name(device) if on_gpu else "cpu",
            num_steps=self._num_steps,
            items_per_s=self._num_items / max(train_s, 1e-9),
            wait_s=self._parts["wait"],
            compute_s=self._parts["compute"],
            evaluate_s=self._parts["evaluate"],
            save_s=self._parts["save"],
            peak_memory_bytes=peak,
            steps=tuple(self._points),
            layers=self._groups,
            advice=tuple(self._advice()),
            processes=processes,
        )

    def _processes(self) -> tuple[ProcessTimes, ...]:
        own = ProcessTimes(
            rank=self._world.rank,
            host=socket.gethostname(),
            compute_s=self._parts["compute"],
            wait_s=self._parts["wait"],
            exchange_s=self._parts["exchange"],
        )
        return tuple(self._world.gathered(own)) if self._world.size > 1 else ()

    def _advice(self) -> Iterator[TrainingAdvice]:
        total_s = max(sum(self._parts.values()), 1e-9)
        if self._parts["wait"] / total_s >= WAITS_FROM:
            yield TrainingAdvice.WAITS_FOR_DATA
        if self._parts["evaluate"] / total_s >= EVALUATES_FROM:
            yield TrainingAdvice.EVALUATES_LONG
        if self._parts["exchange"] / total_s >= EXCHANGES_FROM:
            yield TrainingAdvice.EXCHANGES_LONG
        if any((group.dead_fraction or 0.0) >= DEAD_FROM for group in self._groups):
            yield TrainingAdvice.DEAD_UNITS
        ratios = [group.gradient_norm / group.weight_norm for group in self._groups if group.weight_norm > 0]
        if len(ratios) > 1 and 0 < ratios[0] < VANISHES_BELOW * ratios[-1]:
            yield TrainingAdvice.VANISHING_GRADIENTS


class _Watch:
    """Hooks on a network for one step."""

    def __init__(self, model: nn.Module):
        layers = [module for module in model.modules() if any(True for _ in module.parameters(recurse=False))]
        self._names = {id(module): name for name, module in model.named_modules()}
        self._layers = layers
        self._is_alive: dict[int, list[Tensor]] = {}
        """Which channels answered, by the place of the last layer before."""
        self._place = 0
        self._handles = [layer.register_forward_hook(self._passed(place)) for place, layer in enumerate(layers)]
        self._handles += [
            module.register_forward_hook(self._answered)
            for module in model.modules()
            if isinstance(module, nn.ReLU | nn.ReLU6 | nn.LeakyReLU)
        ]

    def groups(self) -> tuple[LayerGroup, ...]:
        """How each part of the network fares."""
        size = max(1, -(-len(self._layers) // NUM_GROUPS))
        return tuple(self._group(first, min(first + size, len(self._layers))) for first in range(0, len(self._layers), size))

    def end(self) -> None:
        """Takes the hooks away."""
        for handle in self._handles:
            handle.remove()

    def _passed(self, place: int) -> Callable[[nn.Module, object, object], None]:
        def hook(module: nn.Module, given: object, output: object) -> None:
            self._place = place

        return hook

    def _answered(self, module: nn.Module, given: object, output: Tensor) -> None:
        with torch.no_grad():
            channels = output.movedim(1 if output.ndim == 4 else -1, 0).flatten(1)
            self._is_alive.setdefault(self._place, []).append((channels > 0).any(dim=1))

    def _group(self, first: int, end: int) -> LayerGroup:
        parameters = [each for layer in self._layers[first:end] for each in layer.parameters(recurse=False)]
        gradients = [each.grad for each in parameters if each.grad is not None]
        alive = [each for place in range(first, end) for each in self._is_alive.get(place, ())]
        return LayerGroup(
            first=self._names[id(self._layers[first])],
            last=self._names[id(self._layers[end - 1])],
            gradient_norm=_norm(gradients),
            weight_norm=_norm(parameters),
            dead_fraction=1.0 - float(torch.cat(alive).float().mean()) if alive else None,
        )


def _norm(tensors: Sequence[Tensor]) -> float:
    """Of all together; 0 of none and of what is no number."""
    if not tensors:
        return 0.0
    with torch.no_grad():
        norm = torch.stack(torch._foreach_norm(list(tensors))).norm()
    return float(torch.nan_to_num(norm, nan=0.0, posinf=0.0))

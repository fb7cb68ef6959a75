"""The loss that training minimises, and which of two epochs is the better one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

import torch
from torch import Tensor, nn

from automl.contracts.dataset import Split
from automl.contracts.task import TaskSpec
from engine.job import Job
from engine.tasks import task_part
from engine.training.loop import Objective
from engine.training.prepare import PreparedTrial


def objective_of(model: nn.Module, prepared: PreparedTrial, job: Job, *, smoothing: float = 0.0) -> Objective:
    """The loss, and the measure by which epochs and heads are compared.

    Args:
        model: that is trained, on its device.
        prepared: what it is trained on.
        job: names the metric that is improved.
        smoothing: share of a target that is spread over the other answers, 0..1.
    """
    loss = task_part(prepared.task.name, "loss")
    weights_L = None
    if prepared.criterion is None and prepared.params.get("is_balanced"):
        device = next(model.parameters()).device
        weights_L = torch.from_numpy(loss.label_weights(prepared.targets[Split.TRAIN], len(prepared.labels))).to(device)
    named = {"name": prepared.params["loss"]} if "loss" in prepared.params else {}
    return Objective(
        loss=prepared.criterion or loss.build(model, prepared.options, smoothing=smoothing, weights_L=weights_L, **named),
        answer=partial(loss.answers, model, options=prepared.options),
        measure=partial(measure, prepared),
        is_better=partial(
            is_better,
            prepared.task,
            prepared.options,
            num_items=len(prepared.records[Split.VALIDATION]),
            objective=job.spec.objective,
        ),
        stored_as=torch.float16 if prepared.answers.is_large else torch.float32,
    )


def measure(prepared: PreparedTrial, answers: Tensor) -> dict[str, float]:
    """The task's metrics of answers to validation."""
    metrics = task_part(prepared.task.name, "metrics").metrics
    measured: dict[str, float] = metrics(answers.numpy(), prepared.targets[Split.VALIDATION], prepared.labels)
    return measured


def rank(task: TaskSpec, options: Mapping[str, str], metrics: Mapping[str, float], objective: str = "") -> tuple[float, ...]:
    """Orders the epochs of a training: the larger, the better.

    The objective first; where it ties, as it often does on few items, a loss decides, then the other metrics in their order.
    """
    first = task.objective(options, objective)
    others = (metric for metric in task.metrics_of(options) if metric != first)
    ordered = (first, *sorted(others, key=lambda metric: metric.unit != "loss"))
    return tuple(metrics[each.name] if each.is_higher_better else -metrics[each.name] for each in ordered)


def is_better(
    task: TaskSpec,
    options: Mapping[str, str],
    metrics: Mapping[str, float],
    best: Mapping[str, float],
    *,
    num_items: int,
    objective: str = "",
) -> bool:
    """Whether one epoch of a training is better than another that was kept.

    As ``rank`` has it, but that a difference of the objective within the standard error of a share of so few items is no
    difference (as in the one-standard-error rule, Breiman et al. 1984): the loss, which is steadier, then decides.

    Args:
        task: the task.
        options: of the version.
        metrics: of the epoch, on validation.
        best: of the other.
        num_items: of validation, at least one.
        objective: name of the metric that is improved; empty takes the task's.
    """
    first = task.objective(options, objective)
    losses = (metric.name for metric in task.metrics_of(options) if metric != first and metric.unit == "loss")
    loss = next(losses, None)
    if loss is not None and first.unit == "fraction":
        share = best[first.name]
        if (
            abs(metrics[first.name] - share) < math.sqrt(max(0.0, share * (1.0 - share)) / num_items)
            and metrics[loss] != best[loss]
        ):
            return metrics[loss] < best[loss]
    return rank(task, options, metrics, objective) > rank(task, options, best, objective)

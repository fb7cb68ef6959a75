"""Gradient steps, by which every family without a ``fit.py`` is trained."""

from __future__ import annotations

import logging
import math
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from automl.contracts.dataset import Split
from automl.contracts.job import StopReason
from engine.data.loader import Augment, BatchLoader
from engine.data.mixing import mixed
from engine.job import Job
from engine.tasks import task_part
from engine.training import loop, precision, probe, tiles
from engine.training.checkpoint import CheckpointStore
from engine.training.config import GradientConfig
from engine.training.objective import objective_of
from engine.training.prepare import PreparedTrial
from engine.training.world import ALONE, World

_LOGGER = logging.getLogger(__name__)
_JUDGE_BATCH, _JUDGE_BATCH_ON_GPU = 16, 64
"""On a CPU larger ones are no faster, and each long text has many windows."""


def fit(
    model: nn.Module,
    prepared: PreparedTrial,
    job: Job,
    *,
    span: tuple[float, float] = (loop.PROGRESS_FROM, loop.PROGRESS_TO),
) -> loop.FitResult:
    """Trains the model as a whole; goes on from the last checkpoint if there is one. Errors as of ``loop.fit``.

    Args:
        model: as it begins.
        prepared: what it is trained on.
        job: whose device, events and control to use.
        span: share of the whole job.

    Raises:
        BuildStoppedError, StoppedError: the job was asked to stop before the first step.
    """
    return with_held_back(learned(begun(model, prepared, job), prepared, job, span=span), prepared, job)


def learned(
    model: nn.Module, prepared: PreparedTrial, job: Job, *, span: tuple[float, float], world: World = ALONE
) -> loop.FitResult:
    """The gradient steps of ``fit``. Errors as of ``loop.fit``.

    Args:
        model: as it begins, on the job's device.
        prepared: what it is trained on.
        job: whose events and control to use.
        span: share of the whole job.
        world: the processes that train it together.
    """
    config = GradientConfig.of(prepared.params)
    batches = training_batches(prepared, config, job)
    plan = gradient_plan(model, prepared, config, batches, job)
    # Hosts that differ would choose different numbers to compute with.
    plan = replace(plan, precision=world.agreed(plan.precision), span=span, world=world)
    device = next(model.parameters()).device
    _LOGGER.info("Training %s %s on %s in %s.", prepared.family.name, prepared.size.name, device, plan.precision)
    store = CheckpointStore(job.workdir / "checkpoints")
    validation = _validation_batches(prepared, config, job) if world.is_first or world.is_sharded else None
    with world.normed(model):
        return loop.fit(model, batches, validation, plan=plan, job=job, store=store)


def with_held_back(fitted: loop.FitResult, prepared: PreparedTrial, job: Job) -> loop.FitResult:
    """What was fitted, with its answers to validation where its scores are calibrated by them."""
    if isinstance(fitted.halt, StopReason) or not prepared.task.consumes.is_calibrated:
        return fitted
    scores_NL = scores_of_validation(fitted.model, prepared, job)
    held_back = loop.HeldBackAnswers(scores_NL, prepared.targets[Split.VALIDATION], scores_NL, num_folds=1)
    return replace(fitted, held_back=held_back)


def fit_until(
    model: nn.Module,
    prepared: PreparedTrial,
    job: Job,
    *,
    epoch: float,
    span: tuple[float, float],
    store: CheckpointStore,
    is_reported: bool = True,
) -> loop.FitResult:
    """Trains the model as one whose weights of a certain epoch were kept: the same schedule, ended there. Errors as of ``fit``.

    Args:
        model: as it begins.
        prepared: what it is trained on.
        job: whose device, events and control to use.
        epoch: after which it ends.
        span: share of the whole job.
        store: of checkpoints.
        is_reported: whether its loss is a point of the job's curves.
    """
    model = begun(model, prepared, job)
    config = GradientConfig.of(prepared.params)
    batches = training_batches(prepared, config, job)
    plan = replace(
        gradient_plan(model, prepared, config, batches, job),
        last_step=max(1, round(epoch * len(batches))),
        span=span,
        is_reported=is_reported,
    )
    return loop.fit(model, batches, None, plan=plan, job=job, store=store)


def scores_of_validation(model: nn.Module, prepared: PreparedTrial, job: Job) -> NDArray[np.float32]:
    """Answers ``_NL`` to the items of validation by a model that was fitted here; leaves it in eval mode."""
    config = GradientConfig.of(prepared.params)
    batches = _validation_batches(prepared, config, job)
    return _scores(model, batches, gradient_plan(model, prepared, config, batches, job))


def _scores(model: nn.Module, batches: BatchLoader, plan: loop.Plan) -> NDArray[np.float32]:
    scores_NL: NDArray[np.float32] = loop.predict(model, batches, plan.precision, plan.objective.answer, plan.as_input).numpy()
    return scores_NL


def _validation_batches(prepared: PreparedTrial, config: GradientConfig, job: Job) -> BatchLoader:
    usual = _JUDGE_BATCH if device_of(job.spec.device).type == "cpu" else _JUDGE_BATCH_ON_GPU
    size = config.batch_size if prepared.answers.is_large else usual
    if prepared.items.tiling is not None:
        return tiles.validation_batches(prepared, size, job, loads_to(prepared, job))
    return _batches(prepared, Split.VALIDATION, size, job=job, augment=None)


def begun(model: nn.Module, prepared: PreparedTrial, job: Job) -> nn.Module:
    """The model on the job's device, with a new head fitted where the family wants that. Errors as of ``probe.begin``."""
    if prepared.family.is_probed_first and prepared.start is None:
        smoothing = GradientConfig.of(prepared.params).label_smoothing
        probe.begin(model, prepared, objective=objective_of(model, prepared, job, smoothing=smoothing), job=job)
    # Channels last is the faster layout for every convolution here, on the CPU and on a GPU.
    moved: nn.Module = model.to(  # type: ignore[call-overload] # torch's stubs forget the layout
        device_of(job.spec.device), memory_format=torch.channels_last
    )
    return moved


def training_batches(prepared: PreparedTrial, config: GradientConfig, job: Job) -> BatchLoader:
    """The items to train on, varied as the parameters say."""
    if prepared.items.tiling is not None:
        return tiles.training_batches(prepared, config, job, loads_to(prepared, job))
    augment = task_part(prepared.task.name, "data").augmenter(config.augment, is_mirrored=config.mirror != "no")
    if config.mixing != "none":
        augment = mixed(augment, config.mixing, len(prepared.labels))
    return _batches(prepared, Split.TRAIN, config.batch_size, job=job, augment=augment, is_drawn_evenly=config.is_drawn_evenly)


def gradient_plan(
    model: nn.Module, prepared: PreparedTrial, config: GradientConfig, batches: BatchLoader, job: Job
) -> loop.Plan:
    """What the loop needs; the numbers to compute with are measured on the device."""
    objective = objective_of(model, prepared, job, smoothing=config.label_smoothing)
    if prepared.items.tiling is not None:
        objective = replace(objective, measure=tiles.measure(prepared))
    return loop.Plan(
        objective=objective,
        epochs=config.epochs,
        peak_lr=config.lr,
        weight_decay=config.weight_decay,
        precision=precision_of(model, prepared, job),
        as_input=prepared.items.network_input,
        has_one_shape=prepared.items.has_one_shape,
        batch_parts=job.spec.limits.batch_parts or 1,
        averaging=config.averaging,
        max_gradient_norm=float(config.max_gradient_norm),
        first_layer_lr=config.first_layer_lr_percent / 100,
        frozen_epochs=config.frozen_epochs,
        patience=config.patience,
    )


def _batches(
    prepared: PreparedTrial,
    split: Split,
    batch_size: int,
    *,
    job: Job,
    augment: Augment | None,
    is_drawn_evenly: bool = False,
) -> BatchLoader:
    rows = prepared.rows(split)
    return BatchLoader(
        prepared.items.array,
        rows,
        torch.from_numpy(prepared.targets[split]),
        batch_size=batch_size,
        seed=job.spec.seed,
        augment=augment,
        drop_last=split == Split.TRAIN and len(rows) >= batch_size,  # a last batch of one upsets batch norm
        is_shuffled=split == Split.TRAIN,
        weights_N=_draw_weights(prepared, split) if is_drawn_evenly else None,
        device=loads_to(prepared, job),
    )


def _draw_weights(prepared: PreparedTrial, split: Split) -> NDArray[np.float64]:
    weights_N: NDArray[np.float64] = task_part(prepared.task.name, "loss").draw_weights(
        prepared.targets[split], len(prepared.labels)
    )
    return weights_N


def precision_of(model: nn.Module, prepared: PreparedTrial, job: Job) -> precision.Precision:
    """The numbers to compute with, measured on the model's device where training is long enough for that."""
    params = prepared.params
    batch_size = int(params["batch_size"])
    device = next(model.parameters()).device
    items_B = prepared.items.network_input(prepared.items.blank(batch_size), device)
    key = f"{prepared.family.name}-{prepared.size.name}"
    num_steps = math.inf  # of pictures in tiles an epoch has more parts than items
    if prepared.items.tiling is None and not job.is_shortened:
        num_steps = int(params["epochs"]) * math.ceil(len(prepared.rows(Split.TRAIN)) / batch_size)
    return precision.choose(model, items_B, key=key, cache_dir=job.cache_dir, num_steps=num_steps)


def loads_to(prepared: PreparedTrial, job: Job) -> torch.device:
    """Where batches are handed out: on the job's device, unless the host has to cut them first."""
    return device_of(job.spec.device) if prepared.items.has_one_shape else torch.device("cpu")


def device_of(name: str) -> torch.device:
    """The device that a job names; ``auto`` takes a GPU where there is one."""
    if name != "auto":
        return torch.device(name)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")

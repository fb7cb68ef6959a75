"""Gradient steps: how every family learns that brings no way of its own."""

from __future__ import annotations

import logging
from dataclasses import replace

import torch
from torch import nn

from automl.contracts.dataset import Split
from automl.contracts.family import FeatureKind
from automl.contracts.job import StopReason
from engine.data.loader import Augment, BatchLoader
from engine.job import Job
from engine.tasks import task_part
from engine.training import loop, precision, probe
from engine.training.checkpoint import CheckpointStore
from engine.training.config import GradientConfig
from engine.training.objective import objective_of
from engine.training.prepare import Prepared

_LOGGER = logging.getLogger(__name__)
_JUDGE_BATCH = 64


def fit(model: nn.Module, prepared: Prepared, job: Job) -> loop.Fitted:
    """Trains the model as a whole; goes on from the last checkpoint if there is one. Errors as of ``loop.fit``.

    Args:
        model: as it begins.
        prepared: what it is trained on.
        job: whose device, events and control to use.

    Raises:
        BuildStoppedError, StoppedError: the job was asked to stop before the first step.
    """
    model = begun(model, prepared, job)
    config = GradientConfig.of(prepared.params)
    batches = training_batches(prepared, config, job)
    judge_batch = config.batch_size if prepared.answers.is_large else _JUDGE_BATCH
    validation = _batches(prepared, Split.VALIDATION, judge_batch, seed=job.spec.seed, augment=None)
    plan = gradient_plan(model, prepared, config, batches, job)
    device = next(model.parameters()).device
    _LOGGER.info("Training %s %s on %s in %s.", prepared.family.name, prepared.size.name, device, plan.precision)
    store = CheckpointStore(job.workdir / "checkpoints")
    fitted = loop.fit(model, batches, validation, plan=plan, job=job, store=store)
    if isinstance(fitted.halt, StopReason) or prepared.task.consumes is not FeatureKind.VECTOR:
        return fitted
    scores_NL = loop.predict(model, validation, plan.precision, plan.objective.answer, plan.as_input).numpy()
    held_back = loop.HeldBackAnswers(scores_NL, prepared.targets[Split.VALIDATION], scores_NL, num_folds=1)
    return replace(fitted, held_back=held_back)


def begun(model: nn.Module, prepared: Prepared, job: Job) -> nn.Module:
    """The model on the job's device, with a new head fitted where the family wants that. Errors as of ``probe.begin``."""
    if prepared.family.is_probed_first and prepared.start is None:
        smoothing = GradientConfig.of(prepared.params).label_smoothing
        probe.begin(model, prepared, objective=objective_of(model, prepared, job, smoothing=smoothing), job=job)
    # Channels last is the faster layout for every convolution here, on the CPU and on a GPU.
    moved: nn.Module = model.to(  # type: ignore[call-overload] # torch's stubs forget the layout
        device_of(job.spec.device), memory_format=torch.channels_last
    )
    return moved


def training_batches(prepared: Prepared, config: GradientConfig, job: Job) -> BatchLoader:
    """The items to train on, varied as the parameters say."""
    augment = task_part(prepared.task.name, "data").augmenter(config.augment, is_mirrored=config.mirror != "no")
    return _batches(prepared, Split.TRAIN, config.batch_size, seed=job.spec.seed, augment=augment)


def gradient_plan(model: nn.Module, prepared: Prepared, config: GradientConfig, batches: BatchLoader, job: Job) -> loop.Plan:
    """What the loop needs; the numbers to compute with are measured on the device."""
    return loop.Plan(
        objective=objective_of(model, prepared, job, smoothing=config.label_smoothing),
        epochs=config.epochs,
        peak_lr=config.lr,
        weight_decay=config.weight_decay,
        precision=precision_of(model, prepared, job),
        as_input=prepared.items.network_input,
    )


def _batches(prepared: Prepared, split: Split, batch_size: int, *, seed: int, augment: Augment | None) -> BatchLoader:
    rows = prepared.rows(split)
    return BatchLoader(
        prepared.items.array,
        rows,
        torch.from_numpy(prepared.targets[split]),
        batch_size=batch_size,
        seed=seed,
        augment=augment,
        drop_last=split == Split.TRAIN and len(rows) >= batch_size,  # a last batch of one upsets batch norm
        is_shuffled=split == Split.TRAIN,
    )


def precision_of(model: nn.Module, prepared: Prepared, job: Job) -> precision.Precision:
    """The numbers to compute with, measured on the model's device."""
    params = prepared.params
    device = next(model.parameters()).device
    items_B = prepared.items.network_input(prepared.items.blank(int(params["batch_size"])), device)
    key = f"{prepared.family.name}-{prepared.size.name}"
    return precision.choose(model, items_B, key=key, cache_dir=job.cache_dir)


def device_of(name: str) -> torch.device:
    """The device that a job names; ``auto`` takes a GPU where there is one."""
    if name != "auto":
        return torch.device(name)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")

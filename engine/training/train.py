"""The job ``train``: prepare, fit, publish."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn

from automl.contracts.dataset import Split
from automl.contracts.job import StopReason
from engine.data.augment import Augmenter
from engine.data.loader import BatchLoader
from engine.data.packed import BuildStoppedError
from engine.job import Job, StoppedError
from engine.tasks import task_part
from engine.training import loop, precision, probe, publish
from engine.training.checkpoint import CheckpointStore
from engine.training.config import GradientConfig
from engine.training.prepare import Prepared, prepare

_LOGGER = logging.getLogger(__name__)
_JUDGE_BATCH = 64


def run(job: Job) -> Mapping[str, float]:
    """Trains what the job says, leaves the artefact and returns its metrics on validation.

    Raises:
        StoppedError: the job was asked to stop; there is no artefact.
        EngineError: the job cannot be done, with a code that says why.
    """
    try:
        prepared = prepare(job)
        job.control.raise_if_stopped()
        torch.manual_seed(job.spec.seed)
        model = _model(prepared, job)
        fitted = _fit(model, prepared, job)
    except BuildStoppedError:
        raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None
    if isinstance(fitted.halt, StopReason):
        raise StoppedError(fitted.halt)
    if fitted.halt is not None:
        job.events.warning("time_limit", "The time limit was reached; the result is what was learned until then.")
    return publish.artefact(model.cpu(), fitted, prepared, job)


def _model(prepared: Prepared, job: Job) -> nn.Module:
    backbone = probe.load_backbone(prepared, job)
    model: nn.Module = task_part(prepared.task.name, "head").build(backbone, backbone.num_features, len(prepared.labels))
    return model


def _fit(model: nn.Module, prepared: Prepared, job: Job) -> loop.Fitted:
    if prepared.family.is_frozen:
        plan = _plan(prepared, torch.device("cpu"), epochs=0, lr=0.0, weight_decay=0.0, smoothing=0.0)
        return probe.fit(model, prepared, plan=plan, job=job)
    device = _device(job.spec.device)
    config = GradientConfig.of(prepared.params)
    # Channels last is the faster layout for every convolution here, on the CPU and on a GPU.
    model = model.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload] # torch's stubs forget it
    batches = _batches(prepared, Split.TRAIN, config.batch_size, seed=job.spec.seed, augment=Augmenter(config.augment))
    validation = _batches(prepared, Split.VALIDATION, _JUDGE_BATCH, seed=job.spec.seed, augment=None)
    store = CheckpointStore(job.workdir / "checkpoints")
    plan = _plan(
        prepared,
        device,
        epochs=config.epochs,
        lr=config.lr,
        weight_decay=config.weight_decay,
        smoothing=config.label_smoothing,
        numbers=_precision(model, batches, prepared, job),
    )
    _LOGGER.info("Training %s %s on %s in %s.", prepared.family.name, prepared.size.name, device, plan.precision)
    return loop.fit(model, batches, validation, plan=plan, job=job, store=store)


def _batches(prepared: Prepared, split: Split, batch_size: int, *, seed: int, augment: Augmenter | None) -> BatchLoader:
    rows = prepared.rows(split)
    return BatchLoader(
        prepared.pictures.pictures_NHWC,
        rows,
        torch.from_numpy(prepared.targets[split]),
        batch_size=batch_size,
        seed=seed,
        augment=augment,
        drop_last=split == Split.TRAIN and len(rows) >= batch_size,  # a last batch of one upsets batch norm
        is_shuffled=split == Split.TRAIN,
    )


def _plan(
    prepared: Prepared,
    device: torch.device,
    *,
    epochs: int,
    lr: float,
    weight_decay: float,
    smoothing: float,
    numbers: precision.Precision = precision.Precision.FP32,
) -> loop.Plan:
    loss = task_part(prepared.task.name, "loss")
    weights_L = None
    if prepared.params["is_balanced"]:
        weights_L = torch.from_numpy(loss.label_weights(prepared.targets[Split.TRAIN], len(prepared.labels))).to(device)
    return loop.Plan(
        epochs=epochs,
        peak_lr=lr,
        weight_decay=weight_decay,
        precision=numbers,
        loss=loss.build(prepared.options, smoothing=smoothing, weights_L=weights_L),
        measure=partial(_measure, prepared, loss.scores),
        rank=partial(_rank, prepared),
    )


def _measure(prepared: Prepared, scores: Callable[[Tensor, Mapping[str, str]], Tensor], logits_NL: Tensor) -> dict[str, float]:
    metrics = task_part(prepared.task.name, "metrics")
    answers = metrics.Answers.of(scores(logits_NL, prepared.options).numpy(), prepared.targets[Split.VALIDATION])
    measured: dict[str, float] = metrics.metrics(answers)
    return measured


def _rank(prepared: Prepared, metrics: Mapping[str, float]) -> tuple[float, ...]:
    """The objective first; where it ties, as it often does on few items, the last metric (a loss) decides."""
    deciding = (prepared.task.objective, prepared.task.metrics[-1])
    return tuple(metrics[metric.name] if metric.is_higher_better else -metrics[metric.name] for metric in deciding)


def _precision(model: nn.Module, batches: BatchLoader, prepared: Prepared, job: Job) -> precision.Precision:
    params = prepared.params
    side = prepared.resolution_px
    blank_BHWC = torch.from_numpy(np.zeros((int(params["batch_size"]), side, side, 3), dtype=np.uint8))
    device = next(model.parameters()).device
    pictures_BCHW = loop.as_input(blank_BHWC, device)
    key = f"{prepared.family.name}-{prepared.size.name}"
    return precision.choose(model, pictures_BCHW, key=key, cache_dir=job.cache_dir)


def _device(name: str) -> torch.device:
    if name != "auto":
        return torch.device(name)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")

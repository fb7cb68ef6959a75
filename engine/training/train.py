"""The job ``train``: prepare, fit, publish."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping
from functools import partial

import torch
from torch import Tensor, nn

from automl.contracts.dataset import Split
from automl.contracts.job import StopReason
from automl.contracts.task import TaskSpec
from engine.data.loader import Augment, BatchLoader
from engine.data.packed import BuildStoppedError
from engine.frozen import load_backbone
from engine.job import Enough, Job, StoppedError
from engine.tasks import task_part
from engine.training import loop, precision, probe, publish, rows
from engine.training.checkpoint import CheckpointStore
from engine.training.config import GradientConfig
from engine.training.prepare import Prepared, prepare

_LOGGER = logging.getLogger(__name__)
_JUDGE_BATCH = 64
_SAYS = {Enough.TIME_LIMIT: "The time limit was reached", Enough.FINISH: "Somebody asked to finish"}


def run(job: Job, material: Callable[[Job], Prepared] = prepare) -> Mapping[str, float]:
    """Trains what the job says, leaves the artefact and returns its metrics on validation.

    Rows of a table have a way of their own (``engine.training.rows``): what learns from them has no epochs of batches.

    Args:
        job: an order to train.
        material: makes what is trained on.

    Raises:
        StoppedError: the job was asked to stop; there is no artefact.
        EngineError: the job cannot be done, with a code that says why.
    """
    if rows.is_wanted(job):
        return rows.run(job)
    try:
        prepared = material(job)
        job.control.raise_if_stopped()
        torch.manual_seed(job.spec.seed)
        model = _model(prepared, job)
        fitted = _fit(model, prepared, job)
    except BuildStoppedError:
        raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None
    if isinstance(fitted.halt, StopReason):
        raise StoppedError(fitted.halt)
    if fitted.halt is not None:
        job.events.warning(fitted.halt.value, f"{_SAYS[fitted.halt]}; the result is what was learned until then.")
    return publish.artefact(model.cpu(), fitted, prepared, job)


def _model(prepared: Prepared, job: Job) -> nn.Module:
    backbone = load_backbone(prepared.family.name, prepared.size.name, job.assets_dir)
    model: nn.Module = task_part(prepared.task.name, "head").build(backbone, backbone.num_features, len(prepared.labels))
    return model


def _fit(model: nn.Module, prepared: Prepared, job: Job) -> loop.Fitted:
    if prepared.family.is_frozen:
        plan = _plan(model, prepared, epochs=0, lr=0.0, weight_decay=0.0, smoothing=0.0)
        return probe.fit(model, prepared, plan=plan, job=job)
    device = _device(job.spec.device)
    config = GradientConfig.of(prepared.params)
    if prepared.family.is_probed_first:
        simple = _plan(model, prepared, epochs=0, lr=0.0, weight_decay=0.0, smoothing=config.label_smoothing)
        probe.begin(model, prepared, plan=simple, job=job)
    # Channels last is the faster layout for every convolution here, on the CPU and on a GPU.
    model = model.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload] # torch's stubs forget it
    augment = task_part(prepared.task.name, "data").augmenter(config.augment)
    batches = _batches(prepared, Split.TRAIN, config.batch_size, seed=job.spec.seed, augment=augment)
    validation = _batches(prepared, Split.VALIDATION, _JUDGE_BATCH, seed=job.spec.seed, augment=None)
    store = CheckpointStore(job.workdir / "checkpoints")
    plan = _plan(
        model,
        prepared,
        epochs=config.epochs,
        lr=config.lr,
        weight_decay=config.weight_decay,
        smoothing=config.label_smoothing,
        numbers=_precision(model, batches, prepared, job),
    )
    _LOGGER.info("Training %s %s on %s in %s.", prepared.family.name, prepared.size.name, device, plan.precision)
    return loop.fit(model, batches, validation, plan=plan, job=job, store=store)


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


def _plan(
    model: nn.Module,
    prepared: Prepared,
    *,
    epochs: int,
    lr: float,
    weight_decay: float,
    smoothing: float,
    numbers: precision.Precision = precision.Precision.FP32,
) -> loop.Plan:
    loss = task_part(prepared.task.name, "loss")
    weights_L = None
    if prepared.criterion is None and prepared.params.get("is_balanced"):
        device = next(model.parameters()).device
        weights_L = torch.from_numpy(loss.label_weights(prepared.targets[Split.TRAIN], len(prepared.labels))).to(device)
    return loop.Plan(
        epochs=epochs,
        peak_lr=lr,
        weight_decay=weight_decay,
        precision=numbers,
        loss=prepared.criterion or loss.build(model, prepared.options, smoothing=smoothing, weights_L=weights_L),
        answer=partial(loss.answers, model, options=prepared.options),
        measure=partial(_measure, prepared),
        rank=partial(rank, prepared.task, prepared.options),
        is_better=partial(is_better, prepared.task, prepared.options, num_items=len(prepared.rows(Split.VALIDATION))),
        as_input=prepared.items.network_input,
    )


def _measure(prepared: Prepared, answers: Tensor) -> dict[str, float]:
    metrics = task_part(prepared.task.name, "metrics").metrics
    measured: dict[str, float] = metrics(answers.numpy(), prepared.targets[Split.VALIDATION], prepared.labels)
    return measured


def rank(task: TaskSpec, options: Mapping[str, str], metrics: Mapping[str, float]) -> tuple[float, ...]:
    """Orders the epochs of a training: the larger, the better.

    The objective first; where it ties, as it often does on few items, a loss decides, then the other metrics in their order.
    """
    objective, *others = task.metrics_of(options)
    ordered = (objective, *sorted(others, key=lambda metric: metric.unit != "loss"))
    return tuple(metrics[each.name] if each.is_higher_better else -metrics[each.name] for each in ordered)


def is_better(
    task: TaskSpec, options: Mapping[str, str], metrics: Mapping[str, float], kept: Mapping[str, float], *, num_items: int
) -> bool:
    """Whether one epoch of a training is better than another that was kept.

    As ``rank`` has it, but that a difference of the objective within the standard error of a share of so few items is no
    difference (as in the one-standard-error rule, Breiman et al. 1984): the loss, which is steadier, then decides.

    Args:
        task: the task.
        options: of the version.
        metrics: of the epoch, on validation.
        kept: of the other.
        num_items: of validation, at least one.
    """
    objective, *others = task.metrics_of(options)
    loss = next((metric.name for metric in others if metric.unit == "loss"), None)
    if loss is not None and objective.unit == "fraction":
        share = kept[objective.name]
        if (
            abs(metrics[objective.name] - share) < math.sqrt(max(0.0, share * (1.0 - share)) / num_items)
            and metrics[loss] != kept[loss]
        ):
            return metrics[loss] < kept[loss]
    return rank(task, options, metrics) > rank(task, options, kept)


def _precision(model: nn.Module, batches: BatchLoader, prepared: Prepared, job: Job) -> precision.Precision:
    params = prepared.params
    device = next(model.parameters()).device
    items_B = prepared.items.network_input(prepared.items.blank(int(params["batch_size"])), device)
    key = f"{prepared.family.name}-{prepared.size.name}"
    return precision.choose(model, items_B, key=key, cache_dir=job.cache_dir)


def _device(name: str) -> torch.device:
    if name != "auto":
        return torch.device(name)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")

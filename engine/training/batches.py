"""Training in batches: prepare, fit by gradient steps or by solving a head, publish."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor, nn

from automl.contracts.dataset import Split
from automl.contracts.family import FeatureKind
from automl.contracts.job import StopReason
from automl.contracts.task import TaskSpec
from engine.data.loader import Augment, BatchLoader
from engine.data.packed import BuildStoppedError
from engine.frozen import load_backbone
from engine.job import Enough, Job, StoppedError
from engine.tasks import task_part
from engine.training import loop, precision, probe, publish, temperature
from engine.training.checkpoint import CheckpointStore
from engine.training.config import GradientConfig
from engine.training.prepare import Prepared, prepare

_LOGGER = logging.getLogger(__name__)
_JUDGE_BATCH = 64
_SAYS = {Enough.TIME_LIMIT: "The time limit was reached", Enough.FINISH: "Somebody asked to finish"}


def train(job: Job, material: Callable[[Job], Prepared] = prepare) -> Mapping[str, float]:
    """Trains what the job says, leaves the artefact and returns its metrics on validation.

    Args:
        job: an order to train.
        material: makes what is trained on.

    Raises:
        StoppedError: the job was asked to stop; there is no artefact.
        EngineError: the job cannot be done, with a code that says why.
    """
    try:
        prepared = material(job)
        job.control.raise_if_stopped()
        torch.manual_seed(job.spec.seed)
        model = new_model(prepared, job)
        fitted = _fit(model, prepared, job)
    except BuildStoppedError:
        raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None
    if isinstance(fitted.halt, StopReason):
        raise StoppedError(fitted.halt)
    if fitted.halt is not None:
        job.events.warning(fitted.halt.value, f"{_SAYS[fitted.halt]}; the result is what was learned until then.")
    model = model.cpu()
    return publish.artefact(model, tempered(model, fitted, prepared), prepared, job)


def tempered(model: nn.Module, fitted: loop.Fitted, prepared: Prepared) -> loop.Fitted:
    """Divides the logits of a model that says labels by what makes its scores honest, and the answers that it gave likewise."""
    held_back, averaging = fitted.held_back, prepared.answers.averaging
    if held_back is None or averaging is None:
        return fitted
    divisor = temperature.best_temperature(held_back.scores_NL, held_back.targets, averaging)
    head = model.get_submodule("head")
    assert isinstance(head, nn.Linear)
    temperature.fold_in(head, divisor)
    answers = replace(
        held_back,
        scores_NL=averaging.tempered(held_back.scores_NL, divisor),
        validation_NL=averaging.tempered(held_back.validation_NL, divisor),
    )
    return replace(fitted, held_back=answers, temperature=divisor)


def new_model(prepared: Prepared, job: Job) -> nn.Module:
    """The network with its pretrained weights, if it has any, and a head that knows nothing.

    Raises:
        AssetMissingError: the weights are not in the store and cannot be had.
    """
    backbone = load_backbone(prepared.family.name, prepared.size.name, job.assets_dir)
    model: nn.Module = task_part(prepared.task.name, "head").build(backbone, backbone.num_features, len(prepared.labels))
    return model


def _fit(model: nn.Module, prepared: Prepared, job: Job) -> loop.Fitted:
    if prepared.family.is_frozen:
        return probe.fit(model, prepared, objective=objective_of(model, prepared, job), job=job)
    if prepared.family.is_probed_first:
        begin(model, prepared, job)
    model = to_device(model, job)
    config = GradientConfig.of(prepared.params)
    batches = training_batches(prepared, config, job)
    validation = _batches(prepared, Split.VALIDATION, _JUDGE_BATCH, seed=job.spec.seed, augment=None)
    store = CheckpointStore(job.workdir / "checkpoints")
    plan = gradient_plan(model, prepared, config, batches, job)
    device = next(model.parameters()).device
    _LOGGER.info("Training %s %s on %s in %s.", prepared.family.name, prepared.size.name, device, plan.precision)
    fitted = loop.fit(model, batches, validation, plan=plan, job=job, store=store)
    if isinstance(fitted.halt, StopReason) or prepared.task.consumes is not FeatureKind.VECTOR:
        return fitted
    scores_NL = loop.predict(model, validation, plan.precision, plan.objective.answer, plan.as_input).numpy()
    held_back = loop.HeldBack(scores_NL, prepared.targets[Split.VALIDATION], scores_NL, num_folds=1)
    return replace(fitted, held_back=held_back)


def begin(model: nn.Module, prepared: Prepared, job: Job) -> None:
    """Fits the head of a model that is then trained as a whole. Errors as of ``probe.begin``."""
    smoothing = GradientConfig.of(prepared.params).label_smoothing
    probe.begin(model, prepared, objective=objective_of(model, prepared, job, smoothing=smoothing), job=job)


def to_device(model: nn.Module, job: Job) -> nn.Module:
    """Where the job trains. Channels last is the faster layout for every convolution here, on the CPU and on a GPU."""
    moved: nn.Module = model.to(  # type: ignore[call-overload] # torch's stubs forget the layout
        _device(job.spec.device), memory_format=torch.channels_last
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
        precision=_precision(model, batches, prepared, job),
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


def objective_of(model: nn.Module, prepared: Prepared, job: Job, *, smoothing: float = 0.0) -> loop.Objective:
    """What is made small, and by what epochs and heads are judged.

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
    return loop.Objective(
        loss=prepared.criterion or loss.build(model, prepared.options, smoothing=smoothing, weights_L=weights_L),
        answer=partial(loss.answers, model, options=prepared.options),
        measure=partial(_measure, prepared),
        is_better=partial(
            is_better,
            prepared.task,
            prepared.options,
            num_items=len(prepared.records[Split.VALIDATION]),
            objective=job.spec.objective,
        ),
    )


def _measure(prepared: Prepared, answers: Tensor) -> dict[str, float]:
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
    kept: Mapping[str, float],
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
        kept: of the other.
        num_items: of validation, at least one.
        objective: name of the metric that is improved; empty takes the task's.
    """
    first = task.objective(options, objective)
    losses = (metric.name for metric in task.metrics_of(options) if metric != first and metric.unit == "loss")
    loss = next(losses, None)
    if loss is not None and first.unit == "fraction":
        share = kept[first.name]
        if (
            abs(metrics[first.name] - share) < math.sqrt(max(0.0, share * (1.0 - share)) / num_items)
            and metrics[loss] != kept[loss]
        ):
            return metrics[loss] < kept[loss]
    return rank(task, options, metrics, objective) > rank(task, options, kept, objective)


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

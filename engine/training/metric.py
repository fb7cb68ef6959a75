"""Metric learning: the last layer on features that stay as they are, then the whole network.

Some labels may be kept aside (the task's ``unseen``): nothing is learned of their items, so that those that are held back
say how the model does on things that it has never seen. Shapes: N items, F features, D numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from numpy.typing import NDArray
from torch import Tensor, nn

from automl.contracts.dataset import Split
from automl.contracts.job import StopReason
from automl.contracts.report import CurvePoint
from engine.data.label_batches import LabelBatchLoader
from engine.data.loader import BatchLoader
from engine.job import Job
from engine.models import family_part
from engine.tasks import task_part
from engine.training import loop, steps
from engine.training.checkpoint import CheckpointStore
from engine.training.config import GradientConfig
from engine.training.network import new_model
from engine.training.objective import is_better, measure
from engine.training.prepare import PreparedTrial
from engine.training.probe_features import FEATURES_TO, version_features

HEAD_TO = 0.65
"""Share of the whole job."""
_JUDGE_BATCH = 64


class Trained(nn.Module):
    """The model, and what belongs to the loss alone: both learn, one is shipped."""

    def __init__(self, model: nn.Module, criterion: nn.Module, *, keeps_statistics: bool):
        super().__init__()
        self.model, self.criterion, self._keeps_statistics = model, criterion, keeps_statistics

    def forward(self, items_B: Tensor) -> Tensor:
        """Directions ``_BD``."""
        directions_BD: Tensor = self.model(items_B)
        return directions_BD

    def train(self, mode: bool = True) -> Trained:
        """Small batches would spoil the statistics that a pretrained network's norms have."""
        super().train(mode)
        for module in self.model.modules():
            if self._keeps_statistics and isinstance(module, nn.BatchNorm2d):
                module.eval()
        return self


def fit(prepared: PreparedTrial, job: Job) -> loop.FitResult:
    """A model that tells pictures apart, with the answers of its network before training.

    Raises:
        BuildStoppedError, StoppedError: the job was asked to stop.
        LossNotFiniteError: training diverged.
        AssetMissingError: the weights are not in the store and cannot be had.
    """
    torch.manual_seed(job.spec.seed)
    model = new_model(prepared, job)
    training_items = _training_items(prepared)
    head = model.get_submodule("head")
    assert isinstance(head, nn.Linear)
    criterion = family_part(prepared.family.name, "losses").build(
        str(prepared.params["loss"]), training_items.num_labels, head.out_features, margin=float(prepared.params["margin"])
    )
    better = partial(
        is_better,
        prepared.task,
        prepared.options,
        num_items=len(prepared.records[Split.VALIDATION]),
        objective=job.spec.objective,
    )
    fitted, baseline = _of_features(model, criterion, training_items, prepared, job)
    config = GradientConfig.of(prepared.params)
    if config.epochs:
        trained = Trained(deepcopy(model), criterion, keeps_statistics=prepared.size.asset is not None)
        whole = _whole(trained, training_items, config=config, better=better, prepared=prepared, job=job)
        fitted = _better_of(fitted, whole, better)
    return replace(fitted, model=fitted.model.cpu(), baseline=baseline)


@dataclass(frozen=True)
class _TrainingItems:
    """Items of training whose labels are not kept aside."""

    places: NDArray[np.int64]
    """Among the records of training."""
    targets_N: Tensor
    """Labels, counted without those that are kept aside."""
    num_labels: int


def _training_items(prepared: PreparedTrial) -> _TrainingItems:
    targets_N = prepared.targets[Split.TRAIN]
    unseen = task_part(prepared.task.name, "unseen").unseen_places(prepared.labels)
    places = np.flatnonzero(~np.isin(targets_N, sorted(unseen)))
    learned, own_N = np.unique(targets_N[places], return_inverse=True)
    return _TrainingItems(places, torch.from_numpy(own_N.astype(np.int64)), len(learned))


@dataclass
class _Curve:
    """What is written down of the last layer's training."""

    job: Job
    points: list[CurvePoint] = field(default_factory=list)

    def add(self, step: int, split: Split, values: dict[str, float]) -> None:
        """A point for pages and report."""
        self.points.append(CurvePoint(step=step, epoch=0.0, split=split, values=values))
        self.job.events.metric(step=step, epoch=0.0, split=split, values=values)


def _of_features(
    model: nn.Module, criterion: nn.Module, training_items: _TrainingItems, prepared: PreparedTrial, job: Job
) -> tuple[loop.FitResult, dict[Split, NDArray[np.float32]]]:
    """The last layer, learned on features of the network as it begins, and what these features say by themselves."""
    fitting = family_part(prepared.family.name, "fit")
    features_NF = torch.from_numpy(np.array(version_features(model.get_submodule("backbone"), prepared, job)))
    learned_NF = features_NF[torch.from_numpy(prepared.rows(Split.TRAIN)[training_items.places])]
    head = model.get_submodule("head")
    assert isinstance(head, nn.Linear)
    curve = _Curve(job)

    def on_step(step: int, loss: float) -> None:
        job.control.raise_if_stopped()
        if step & (step - 1) == 0 or step == fitting.NUM_STEPS:
            curve.add(step, Split.TRAIN, {"loss": loss})
            job.progress("train", FEATURES_TO + (HEAD_TO - FEATURES_TO) * step / fitting.NUM_STEPS)

    fitting.begin(head, learned_NF)
    fitting.learn(head, criterion, learned_NF, training_items.targets_N, seed=job.spec.seed, on_step=on_step)
    baseline = {}
    for split in (Split.VALIDATION, Split.TEST):
        if prepared.records[split]:
            baseline[split] = F.normalize(features_NF[torch.from_numpy(prepared.rows(split))], dim=1).numpy()
    validation_NF = features_NF[torch.from_numpy(prepared.rows(Split.VALIDATION))]
    with torch.no_grad():
        metrics = measure(prepared, model.directions(validation_NF))  # type: ignore[operator] # every embedder has it
    curve.add(fitting.NUM_STEPS, Split.VALIDATION, metrics)
    return loop.FitResult(model, metrics=metrics, curves=curve.points, halt=None), baseline


def _whole(
    trained: Trained,
    training_items: _TrainingItems,
    *,
    config: GradientConfig,
    better: Callable[[dict[str, float], dict[str, float]], bool],
    prepared: PreparedTrial,
    job: Job,
) -> loop.FitResult:
    """All weights by gradient steps, with the best epoch kept."""
    device, layout = steps.device_of(job.spec.device), torch.channels_last
    moved = trained.to(device, memory_format=layout)  # type: ignore[call-overload] # torch's stubs forget the layout
    batches = LabelBatchLoader(
        prepared.items.array,
        prepared.rows(Split.TRAIN)[training_items.places],
        training_items.targets_N,
        batch_size=config.batch_size,
        seed=job.spec.seed,
        augment=task_part(prepared.task.name, "data").augmenter(config.augment, is_mirrored=config.mirror != "no"),
        device=steps.loads_to(prepared, job),
    )
    plan = loop.Plan(
        objective=loop.Objective(
            loss=moved.criterion, answer=lambda given: given.float(), measure=partial(measure, prepared), is_better=better
        ),
        epochs=config.epochs,
        peak_lr=config.lr,
        weight_decay=config.weight_decay,
        precision=steps.precision_of(moved, prepared, job),
        as_input=prepared.items.network_input,
        has_one_shape=prepared.items.has_one_shape,
        span=(HEAD_TO, loop.PROGRESS_TO),
    )
    store = CheckpointStore(job.workdir / "checkpoints")
    fitted = loop.fit(moved, batches, _validation_batches(prepared, job), plan=plan, job=job, store=store)
    return replace(fitted, model=moved.model)


def _validation_batches(prepared: PreparedTrial, job: Job) -> BatchLoader:
    return BatchLoader(
        prepared.items.array,
        prepared.rows(Split.VALIDATION),
        torch.from_numpy(prepared.targets[Split.VALIDATION]),
        batch_size=_JUDGE_BATCH,
        seed=job.spec.seed,
        is_shuffled=False,
        device=steps.loads_to(prepared, job),
    )


def _better_of(
    before: loop.FitResult, after: loop.FitResult, better: Callable[[dict[str, float], dict[str, float]], bool]
) -> loop.FitResult:
    """The whole network, unless the last layer alone did better on validation."""
    curves = [*before.curves, *after.curves]
    if isinstance(after.halt, StopReason) or (after.metrics and better(after.metrics, before.metrics)):
        return replace(after, curves=curves)
    return replace(before, curves=curves, halt=after.halt)

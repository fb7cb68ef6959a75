"""Trains a head on a frozen backbone: features once per version and host, then a fit of seconds.

How strongly the head is held back is chosen by the log loss of parts that take turns at being left out, from among all items
that may be learned from; then one head learns from all of them. So every one of them is answered by a head that did not see it,
and no item is spent on choosing. A backbone that counts (``tfidf_linear``) learns anew for each part what it counts; its
features are sparse and not worth a cache. Shapes: N items, D features, L labels, S strengths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.family import ParamValue
from automl.contracts.report import CurvePoint
from engine.job import Job
from engine.models import family_part
from engine.tasks import task_part
from engine.training.folds import Fold, folds_of, num_folds_for
from engine.training.loop import FitResult, HeldBackAnswers, Objective
from engine.training.prepare import PreparedTrial
from engine.training.probe_features import FEATURES_TO, version_features

_FIT_TO = 0.8


@runtime_checkable
class CountingBackbone(Protocol):
    """A backbone that learns what it counts."""

    def learn(self, items_N: NDArray[Any], params: Mapping[str, ParamValue]) -> None:
        """Takes what it counts from packed items."""

    def counted(self, items_N: NDArray[Any]) -> Tensor:
        """Features ``_ND`` of packed items."""


class _Features(Protocol):
    """Where features come from; places are those of ``_Material``."""

    def learn(self, learned: NDArray[np.int64]) -> None:
        """Looks at the items that may be learned from."""

    def at(self, places: NDArray[np.int64]) -> Tensor:
        """Features ``_ND`` of items."""


@dataclass(frozen=True)
class _Material:
    """The items of some splits, one behind the other."""

    prepared: PreparedTrial
    splits: tuple[Split, ...]

    @property
    def records(self) -> list[ItemRecord]:
        """Of all of them."""
        return [record for split in self.splits for record in self.prepared.records[split]]

    def places(self, split: Split) -> NDArray[np.int64]:
        """Where the items of one split stand."""
        before = sum(len(self.prepared.records[each]) for each in self.splits[: self.splits.index(split)])
        return np.arange(before, before + len(self.prepared.records[split]))

    def targets(self, places: NDArray[np.int64]) -> Tensor:
        """What is to be learned of items; lessons and labels have different shapes, and are never asked for together."""
        parts = []
        for split in self.splits:
            own = self.places(split)
            inside = places[(places >= own[0]) & (places <= own[-1])] - own[0] if len(own) else own
            if len(inside):
                parts.append(self.prepared.targets[split][inside])
        return torch.from_numpy(np.concatenate(parts))

    def folds(self) -> list[Fold]:
        """Parts that take turns at being held back; one where there are very many items, none where there is no other way."""
        if self.prepared.criterion is not None:
            return []
        records = self.records
        num_folds = num_folds_for(len(records), len(self.prepared.labels))
        if num_folds == 1 and Split.VALIDATION in self.splits:
            return []  # there is a part that is held back already
        targets_N = np.concatenate([self.prepared.targets[split] for split in self.splits])
        return folds_of(records, targets_N, num_folds)


@dataclass(frozen=True)
class _Path:
    """Logits of heads of each strength for items that they had not seen."""

    judged: NDArray[np.int64]
    """Places of all items that were held back once, in order."""
    logits_SNL: Tensor
    """By place; zeros of those that were never held back."""
    train_loss_S: NDArray[np.float64]
    held_back_loss_S: NDArray[np.float64]


def fit(model: nn.Module, prepared: PreparedTrial, *, objective: Objective, job: Job) -> FitResult:
    """Fits the head of ``model`` to the items of training and validation, and leaves it there.

    What is taught by another model (``prepared.criterion``) has no lessons for validation: it learns from training alone.

    Args:
        model: a ``backbone`` with its pretrained weights and a linear ``head``.
        prepared: what to train on.
        objective: its loss, answer and measure are used.
        job: whose events and control to use.

    Raises:
        StoppedError: the job was asked to stop.
        BuildStoppedError: so it was, while features were computed.
    """
    material = _Material(prepared, (Split.TRAIN, Split.VALIDATION))
    features = _features(model.get_submodule("backbone"), material, job)
    validation = material.places(Split.VALIDATION)
    turns = material.folds()
    folds = turns or [Fold(material.places(Split.TRAIN), validation)]
    path = _path(features, material, folds, objective, job, is_reported=True)
    curves = _curves(path, validation, objective, job)
    best = int(np.argmin(path.held_back_loss_S))
    splits = (Split.TRAIN,) if prepared.criterion is not None else material.splits
    _put(model, _head(features, material, np.concatenate([material.places(split) for split in splits]), best, objective))
    scores_NL = objective.answer(path.logits_SNL[best])
    held_back = HeldBackAnswers(
        scores_NL=scores_NL[path.judged].numpy(),
        targets=material.targets(path.judged).numpy(),
        validation_NL=scores_NL[validation].numpy(),
        num_folds=max(1, len(turns)),
    )
    metrics = objective.measure(scores_NL[validation])
    return FitResult(model, metrics=metrics, curves=curves, halt=None, held_back=held_back, learned=splits)


def begin(model: nn.Module, prepared: PreparedTrial, *, objective: Objective, job: Job) -> None:
    """Leaves the best head of the training items in a model that is then trained as a whole; it is not reported as progress.

    Args:
        model: a ``backbone`` with its pretrained weights and a linear ``head``, on the CPU.
        prepared: what to train on.
        objective: its loss is used.
        job: whose cache and control to use.

    Raises:
        BuildStoppedError: the job was asked to stop while features were computed.
        StoppedError: so it was, between two fits.
    """
    material = _Material(prepared, (Split.TRAIN,))
    features = _features(model.get_submodule("backbone"), material, job)
    everything = material.places(Split.TRAIN)
    path = _path(features, material, material.folds() or [Fold(everything, everything)], objective, job)
    _put(model, _head(features, material, everything, int(np.argmin(path.held_back_loss_S)), objective))


def _path(
    features: _Features,
    material: _Material,
    folds: Sequence[Fold],
    objective: Objective,
    job: Job,
    *,
    is_reported: bool = False,
) -> _Path:
    """Solves each fold for all strengths, the most restrained first."""
    prepared = material.prepared
    num_strengths = len(family_part(prepared.family.name, "fit").L2_STRENGTHS)
    logits_SNL = torch.zeros((num_strengths, len(material.records), len(prepared.labels)))
    train_loss_FS = np.zeros((len(folds), num_strengths))
    for number, fold in enumerate(folds):
        features.learn(fold.learned)
        learned_ND, held_back_MD = features.at(fold.learned), features.at(fold.held_back)
        targets = material.targets(fold.learned)
        for place, head in enumerate(_heads(learned_ND, targets, prepared, objective)):
            train_loss_FS[number, place] = float(objective.loss(head.logits(learned_ND), targets))
            logits_SNL[place, torch.from_numpy(fold.held_back)] = head.logits(held_back_MD)
            job.control.raise_if_stopped()
        if is_reported:
            job.progress("train", FEATURES_TO + (_FIT_TO - FEATURES_TO) * (number + 1) / (len(folds) + 1))
    judged = np.sort(np.concatenate([fold.held_back for fold in folds]))
    loss = objective.loss
    if prepared.criterion is not None:  # it compares with lessons, and what is held back has labels
        loss = task_part(prepared.task.name, "loss").build(None, prepared.options, smoothing=0.0, weights_L=None)
    truth = material.targets(judged)
    held_back_loss_S = np.array([float(loss(logits_NL[torch.from_numpy(judged)], truth)) for logits_NL in logits_SNL])
    return _Path(judged, logits_SNL, train_loss_FS.mean(axis=0), held_back_loss_S)


def _head(features: _Features, material: _Material, learned: NDArray[np.int64], best: int, objective: Objective) -> Any:
    """The head of one strength, by its place, for all items that may be learned from."""
    features.learn(learned)
    heads = _heads(features.at(learned), material.targets(learned), material.prepared, objective)
    return next(islice(heads, best, None))


def _heads(learned_ND: Tensor, targets: Tensor, prepared: PreparedTrial, objective: Objective) -> Iterator[Any]:
    heads: Iterator[Any] = family_part(prepared.family.name, "fit").solutions(
        learned_ND, targets, len(prepared.labels), objective.loss
    )
    return heads


def _curves(path: _Path, validation: NDArray[np.int64], objective: Objective, job: Job) -> list[CurvePoint]:
    """A point for each strength: the loss of what was learned, and how the items of validation were answered unseen."""
    curves: list[CurvePoint] = []
    for step, (train_loss, logits_NL) in enumerate(zip(path.train_loss_S, path.logits_SNL, strict=True), start=1):
        metrics = objective.measure(objective.answer(logits_NL[torch.from_numpy(validation)]))
        for split, values in ((Split.TRAIN, {"loss": float(train_loss)}), (Split.VALIDATION, metrics)):
            curves.append(CurvePoint(step=step, epoch=float(step), split=split, values=values))
            job.events.metric(step=step, epoch=float(step), split=split, values=values)
    return curves


def _put(model: nn.Module, head: Any) -> None:
    linear = model.get_submodule("head")
    assert isinstance(linear, nn.Linear)
    with torch.no_grad():
        linear.weight.copy_(head.weight_LD)
        linear.bias.copy_(head.bias_L)


@dataclass(frozen=True)
class _Counted:
    """Features of a backbone that learns what it counts."""

    backbone: CountingBackbone
    prepared: PreparedTrial
    rows: NDArray[np.int64]
    """Of the packed items, by place."""

    def learn(self, learned: NDArray[np.int64]) -> None:
        """Counts the items that may be learned from."""
        self.backbone.learn(self.prepared.items.array[self.rows[learned]], self.prepared.params)

    def at(self, places: NDArray[np.int64]) -> Tensor:
        """Sparse counts."""
        return self.backbone.counted(self.prepared.items.array[self.rows[places]])


@dataclass(frozen=True)
class _Frozen:
    """Features of a backbone that stays as it is."""

    features_ND: Tensor

    def learn(self, learned: NDArray[np.int64]) -> None:
        """Nothing: it has learned long ago."""

    def at(self, places: NDArray[np.int64]) -> Tensor:
        """Rows of what was computed once."""
        return self.features_ND[torch.from_numpy(places)]


def _features(backbone: nn.Module, material: _Material, job: Job) -> _Features:
    """Features of the material."""
    prepared = material.prepared
    rows = prepared.items.indices(material.records)
    if isinstance(backbone, CountingBackbone):
        return _Counted(backbone, prepared, rows)
    return _Frozen(torch.from_numpy(np.array(version_features(backbone, prepared, job)))[torch.from_numpy(rows)])

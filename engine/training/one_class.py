"""Training from normal items alone: a model of the family on features of a frozen network, and a calibrated scale.

Normal items of training are learned from; normal items of validation say how far from them normal ones may be. Defects are
never learned from: those of training and validation, where there are some, say together with the normal ones where the
threshold stands. Shapes: B batch, M places, N items, D features, H and W of the grid of places.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from automl.contracts.dataset import Split
from automl.contracts.report import CurvePoint
from engine.frozen import load_backbone
from engine.job import Job
from engine.models import family_part
from engine.tasks import task_part
from engine.training.loop import FitResult, HeldBackAnswers
from engine.training.prepare import PreparedTrial

MOST_PLACES = 100_000
"""That are learned from; of more an equal part of each picture is drawn."""
_BATCH = 8
_FEATURES_FROM, _LEARN_FROM, _JUDGE_FROM, _JUDGE_TO = 0.1, 0.4, 0.6, 0.85
"""Share of the whole job."""
_CPU = torch.device("cpu")


def fit(prepared: PreparedTrial, job: Job) -> FitResult:
    """A detector that has learned the normal items of training.

    Raises:
        StoppedError: the job was asked to stop.
        AssetMissingError: the weights are not in the store and cannot be had.
    """
    torch.manual_seed(job.spec.seed)
    network = load_backbone(prepared.family.name, prepared.size.name, job.assets_dir).eval()
    detector: nn.Module = task_part(prepared.task.name, "head").build(network, network.num_features, len(prepared.labels))
    detector.eval()
    calibration = task_part(prepared.task.name, "calibration")
    is_normal = {split: calibration.is_normal(prepared.targets[split], prepared.labels) for split in Split}
    curves: list[CurvePoint] = []
    with torch.no_grad():
        places_MD = _places(network, prepared, is_normal[Split.TRAIN], job)
        _learn(detector, places_MD, prepared, curves, job)
        judged = _distances(detector, prepared, is_normal, job)
        scores_NHW, targets_N = _scored(detector, judged, prepared, is_normal)
    validation = scores_NHW[: len(prepared.records[Split.VALIDATION])]
    metrics = task_part(prepared.task.name, "metrics").metrics(validation, prepared.targets[Split.VALIDATION], prepared.labels)
    job.events.metric(step=len(curves) + 1, epoch=1.0, split=Split.VALIDATION, values=metrics)
    return FitResult(
        detector,
        metrics=metrics,
        curves=curves,
        halt=None,
        held_back=HeldBackAnswers(scores_NHW, targets_N, validation, num_folds=1),
    )


def _places(network: nn.Module, prepared: PreparedTrial, is_normal_N: NDArray[np.bool_], job: Job) -> Tensor:
    """Features of places of the normal items to learn from."""
    rows = prepared.rows(Split.TRAIN)[is_normal_N]
    found: list[Tensor] = []
    for start in range(0, len(rows), _BATCH):
        job.control.raise_if_stopped()
        job.progress("features", _FEATURES_FROM + (_LEARN_FROM - _FEATURES_FROM) * start / len(rows))
        for features_HWD in network(_pictures(prepared, rows[start : start + _BATCH])):
            features_PD = features_HWD.flatten(0, 1)
            most = max(1, MOST_PLACES // len(rows))
            found.append(features_PD if len(features_PD) <= most else features_PD[torch.randperm(len(features_PD))[:most]])
    return torch.cat(found)


def _learn(detector: nn.Module, places_MD: Tensor, prepared: PreparedTrial, curves: list[CurvePoint], job: Job) -> None:
    """Lets the family learn, and writes down what is left after 1, 2, 4, ... of its steps."""

    def on_step(number: int, left: float) -> None:
        job.control.raise_if_stopped()
        if number & (number - 1) == 0:
            point = CurvePoint(step=number, epoch=float(number), split=Split.TRAIN, values={"loss": left})
            curves.append(point)
            job.events.metric(step=number, epoch=float(number), split=Split.TRAIN, values=point.values)
            job.progress("train", _LEARN_FROM)

    family_part(prepared.family.name, "fit").learn(detector, places_MD, prepared.params, on_step=on_step)


def _distances(
    detector: nn.Module, prepared: PreparedTrial, is_normal: Mapping[Split, NDArray[np.bool_]], job: Job
) -> NDArray[np.float32]:
    """Of the places of all items of validation, and then of training's defects, ``_NHW``."""
    rows = np.concatenate([prepared.rows(Split.VALIDATION), prepared.rows(Split.TRAIN)[~is_normal[Split.TRAIN]]])
    found = []
    for start in range(0, len(rows), _BATCH):
        job.control.raise_if_stopped()
        job.progress("evaluate", _JUDGE_FROM + (_JUDGE_TO - _JUDGE_FROM) * start / len(rows))
        found.append(detector.distances(_pictures(prepared, rows[start : start + _BATCH])).numpy())  # type: ignore[operator]
    return np.concatenate(found)


def _scored(
    detector: nn.Module,
    distances_NHW: NDArray[np.float32],
    prepared: PreparedTrial,
    is_normal: Mapping[Split, NDArray[np.bool_]],
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Gives the detector its scale; returns the scores and the targets of the same items."""
    farthest_N = distances_NHW.reshape(len(distances_NHW), -1).max(axis=1)
    held_back_N = is_normal[Split.VALIDATION]
    calibration = task_part(prepared.task.name, "calibration")
    curve = calibration.curve_of(farthest_N[: len(held_back_N)][held_back_N], prepared.options)
    detector.calibrate(curve.limit, curve.steepness)  # type: ignore[operator] # every detector has it
    scores_NHW: NDArray[np.float32] = detector.scores(torch.from_numpy(distances_NHW)).numpy()  # type: ignore[operator]
    targets = prepared.targets[Split.VALIDATION], prepared.targets[Split.TRAIN][~is_normal[Split.TRAIN]]
    return scores_NHW, np.concatenate(targets)


def _pictures(prepared: PreparedTrial, rows_B: NDArray[np.int64]) -> Tensor:
    return prepared.items.network_input(torch.from_numpy(np.array(prepared.items.array[rows_B])), _CPU)

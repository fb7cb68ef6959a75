"""Networks judged by parts that take turns, where few items make one part a poor judge.

The network that a trial leaves is trained as ever: it learns from training, and validation says which epoch is kept. Then
others learn as it did, each from all items of training and validation but one part of training, up to the same epoch, and
answer that part. So every item is answered once by a network that had not learned from it, and only validation was looked at
to choose the epoch. The parts are as even as the labels allow (k-fold cross-validation, Stone 1974). Shapes: N items, L labels.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from automl.contracts.dataset import Split
from automl.contracts.job import JobLimits, StopReason
from engine.job import Job, StoppedError
from engine.training import loop, parallel, steps
from engine.training.checkpoint import CheckpointStore
from engine.training.config import TrainingRequest
from engine.training.evidence import FOLDS_BELOW
from engine.training.folds import Fold, folds_of
from engine.training.prepare import PreparedTrial

NUM_PARTS = 3
"""Of training: with validation, four parts take turns."""
_MIDDLE = loop.PROGRESS_FROM + (loop.PROGRESS_TO - loop.PROGRESS_FROM) / (NUM_PARTS + 1)

KEPT_SHARE = 0.75
"""Of the epochs, after which the weights are kept, as a rule: the others learn as long."""

NewModel = Callable[[PreparedTrial, Job], nn.Module]
"""The network as training begins with it."""


def fit(prepared: PreparedTrial, job: Job, new_model: NewModel) -> loop.FitResult:
    """Trains a network, and judges it by all items where the job may spend as much and they are few.

    Args:
        prepared: what it is trained on.
        job: ``JobLimits.folds_s`` says what may be spent.
        new_model: makes it, and the others.

    Raises:
        BuildStoppedError, StoppedError: the job was asked to stop.
        EngineError: the job cannot be done, with a code that says why.
    """
    may_take_turns = _may_take_turns(prepared, job)
    began_s, spent_s = time.monotonic(), time.process_time()
    span = (loop.PROGRESS_FROM, _MIDDLE if may_take_turns else loop.PROGRESS_TO)
    is_alone = parallel.num_processes(prepared, job) == 1
    if is_alone and job.spec.hosts is not None:
        job.events.warning("hosts_unused", "The batches are too small to be shared among hosts; this one trains alone.")
    train = steps.fit if is_alone else parallel.fit
    fitted = train(new_model(prepared, job), prepared, job, span=span)
    if not may_take_turns or fitted.halt is not None or fitted.epoch is None or fitted.held_back is None:
        return fitted
    parts = folds_of(prepared.records[Split.TRAIN], prepared.targets[Split.TRAIN], NUM_PARTS)
    wall_s, spent_s = time.monotonic() - began_s, time.process_time() - spent_s
    num_parts, left_s = len(parts), job.control.left_s
    is_over_time = left_s is not None and num_parts * wall_s > left_s
    if num_parts < 2 or num_parts * spent_s > job.spec.limits.folds_s or is_over_time:
        return fitted
    train_NL = _answers(parts, fitted.epoch, prepared, job, new_model)
    if train_NL is None:
        return fitted
    validation_NL = fitted.held_back.validation_NL
    held_back = loop.HeldBackAnswers(
        scores_NL=np.concatenate([train_NL, validation_NL]),
        targets=np.concatenate([prepared.targets[Split.TRAIN], prepared.targets[Split.VALIDATION]]),
        validation_NL=validation_NL,
        num_folds=num_parts + 1,
    )
    return replace(fitted, held_back=held_back)


def planned_fits(request: TrainingRequest, limits: JobLimits, *, num_items: int, fit_cpu_s: float) -> float:
    """How many times as long as the network itself those take that only judge; 0 where there are none.

    Args:
        request: the trial.
        limits: of the trial.
        num_items: to learn from, validation included.
        fit_cpu_s: processor time that the network itself takes.
    """
    is_new = request.train.start_from is None and not request.family.is_frozen
    if not is_new or not _are_asked_for(request, limits, num_items):
        return 0.0
    return NUM_PARTS * KEPT_SHARE if NUM_PARTS * fit_cpu_s <= limits.folds_s else 0.0


def _may_take_turns(prepared: PreparedTrial, job: Job) -> bool:
    """Whether scores of few items are asked for, which no network has seen before."""
    num_items = len(prepared.records[Split.TRAIN]) + len(prepared.records[Split.VALIDATION])
    is_new = prepared.start is None and prepared.criterion is None
    return is_new and _are_asked_for(prepared, job.spec.limits, num_items)


def _are_asked_for(request: TrainingRequest, limits: JobLimits, num_items: int) -> bool:
    return limits.folds_s > 0 and request.task.consumes.is_calibrated and num_items < FOLDS_BELOW


def _answers(
    parts: list[Fold], epoch: float, prepared: PreparedTrial, job: Job, new_model: NewModel
) -> NDArray[np.float32] | None:
    """Answers ``_NL`` to the items of training, each by a network that did not learn from it; None where time ran out."""
    scores_NL = np.zeros((len(prepared.records[Split.TRAIN]), len(prepared.labels)), dtype=np.float32)
    share = (loop.PROGRESS_TO - _MIDDLE) / len(parts)
    for number, part in enumerate(parts):
        own = _without(part, prepared)
        torch.manual_seed(job.spec.seed)
        span = (_MIDDLE + number * share, _MIDDLE + (number + 1) * share)
        store = CheckpointStore(job.workdir / "checkpoints" / f"part-{number}")
        fitted = steps.fit_until(new_model(own, job), own, job, epoch=epoch, span=span, store=store, is_reported=False)
        if isinstance(fitted.halt, StopReason):
            raise StoppedError(fitted.halt)
        if fitted.halt is not None:
            return None
        scores_NL[part.held_back] = steps.scores_of_validation(fitted.model, own, job)
    return scores_NL


def _without(part: Fold, prepared: PreparedTrial) -> PreparedTrial:
    """All items but those of a part to learn from, and the part in the place of validation."""
    records, targets = prepared.records[Split.TRAIN], prepared.targets[Split.TRAIN]
    learned = [*(records[place] for place in part.learned), *prepared.records[Split.VALIDATION]]
    learned_targets = np.concatenate([targets[part.learned], prepared.targets[Split.VALIDATION]])
    held_back = [records[place] for place in part.held_back]
    return replace(
        prepared,
        records={**prepared.records, Split.TRAIN: learned, Split.VALIDATION: held_back},
        targets={**prepared.targets, Split.TRAIN: learned_targets, Split.VALIDATION: targets[part.held_back]},
    )

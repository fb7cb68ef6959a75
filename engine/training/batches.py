"""Training in batches: the model as it begins, fitted as its family is, with calibrated scores."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import nn

from automl.contracts.job import StopReason
from engine.frozen import load_backbone
from engine.job import Job
from engine.models import family_part
from engine.tasks import task_part
from engine.training import probe, temperature, turns
from engine.training.loop import FitResult
from engine.training.objective import objective_of
from engine.training.prepare import PreparedTrial


def fit(prepared: PreparedTrial, job: Job) -> FitResult:
    """A model, fitted by gradient steps, or by solving the head of a frozen family.

    Raises:
        BuildStoppedError, StoppedError: the job was asked to stop.
        EngineError: the job cannot be done, with a code that says why.
    """
    torch.manual_seed(job.spec.seed)
    if prepared.family.is_frozen:
        model = new_model(prepared, job)
        fitted = probe.fit(model, prepared, objective=objective_of(model, prepared, job), job=job)
    else:
        fitted = turns.fit(prepared, job, new_model)
    if isinstance(fitted.halt, StopReason):
        return fitted
    return tempered(replace(fitted, model=fitted.model.cpu()), prepared)


def tempered(fitted: FitResult, prepared: PreparedTrial) -> FitResult:
    """Calibrates a model of labels: divides its logits by a temperature, and those of the answers that it gave."""
    held_back, averaging = fitted.held_back, prepared.answers.averaging
    if held_back is None or averaging is None:
        return fitted
    divisor = temperature.best_temperature(held_back.scores_NL, held_back.targets, averaging)
    head = fitted.model.get_submodule("head")
    assert isinstance(head, nn.Linear)
    temperature.fold_in(head, divisor)
    answers = replace(
        held_back,
        scores_NL=averaging.tempered(held_back.scores_NL, divisor),
        validation_NL=averaging.tempered(held_back.validation_NL, divisor),
    )
    return replace(fitted, held_back=answers, temperature=divisor)


def new_model(prepared: PreparedTrial, job: Job) -> nn.Module:
    """The network as training begins with it.

    It has the weights of the earlier model to go on from; else its pretrained ones, if there are any, and an untrained head.

    Raises:
        AssetMissingError: the weights are not in the store and cannot be had.
        StartWeightsMissingError, StartUnsuitableError: the earlier model's cannot be used.
    """
    family, size, start = prepared.family.name, prepared.size.name, prepared.start
    backbone = family_part(family, "network").build(size) if start else load_backbone(family, size, job.assets_dir)
    model: nn.Module = task_part(prepared.task.name, "head").build(backbone, backbone.num_features, len(prepared.labels))
    if start is not None:
        start.load(model, prepared.labels)
    return model

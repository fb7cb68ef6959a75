"""Training in batches: the model as it begins, fitted as its family is, with calibrated scores."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import nn

from automl.contracts.job import StopReason
from engine.job import Job
from engine.training import probe, temperature, turns
from engine.training.loop import FitResult
from engine.training.network import new_model
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

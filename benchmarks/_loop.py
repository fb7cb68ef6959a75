"""The training loop as rows run it: with events, metrics, checkpoints and best weights, in a folder that goes afterwards."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import torch
from torch import nn

from automl.contracts.job import JobSpec
from engine.data.cache import as_input
from engine.data.loader import BatchLoader
from engine.events import EventLog
from engine.job import Job
from engine.training import loop
from engine.training.checkpoint import CheckpointStore
from engine.training.precision import Precision


def fitted(
    model: nn.Module,
    batches: BatchLoader,
    validation: BatchLoader,
    truth_N: torch.Tensor,
    *,
    epochs: int,
    precision: Precision = Precision.FP32,
) -> int:
    """Trains a classifier of pictures; returns the number of steps.

    Args:
        model: on its device, channels last.
        batches: to learn from.
        validation: judged after each epoch.
        truth_N: labels of validation.
        epochs: passes of ``batches``.
        precision: of the arithmetic.
    """
    plan = loop.Plan(
        objective=loop.Objective(
            loss=nn.functional.cross_entropy,
            answer=lambda logits_BL: logits_BL,
            measure=lambda logits_NL: {"loss": float(nn.functional.cross_entropy(logits_NL, truth_N))},
            is_better=lambda metrics, best: metrics["loss"] < best["loss"],
        ),
        epochs=epochs,
        peak_lr=1e-3,
        weight_decay=0.01,
        precision=precision,
        as_input=as_input,
        has_one_shape=True,
    )
    workdir = Path(tempfile.mkdtemp(prefix="trainer-overhead-"))
    try:
        with EventLog(workdir / "events.jsonl") as events:
            job, store = Job(workdir, _spec(), events), CheckpointStore(workdir / "checkpoints")
            loop.fit(model, batches, validation, plan=plan, job=job, store=store)
    finally:
        shutil.rmtree(workdir)
    return epochs * len(batches)


def _spec() -> JobSpec:
    return JobSpec(id="job_bench", kind="train", task="image_classification", cache_dir="cache", assets_dir="assets")

"""The loop on a network of four numbers: what it keeps, what it reports and when it ends."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from automl.contracts.job import JobLimits, JobSpec, StopReason
from engine.data.cache import as_input
from engine.data.loader import BatchLoader
from engine.errors import LossNotFiniteError
from engine.events import EventLog
from engine.job import EarlyEnd, Job
from engine.tasks import task_spec
from engine.training import loop, optim
from engine.training.checkpoint import CheckpointStore
from engine.training.objective import is_better
from engine.training.precision import Precision
from tests.engine.jobs import events


class _Tiny(nn.Module):
    """Mean colour to two logits."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        nn.init.zeros_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)

    def forward(self, pictures_BCHW):
        return self.linear(pictures_BCHW.mean(dim=(2, 3)) / 255)


@pytest.fixture
def pictures():
    generator = np.random.default_rng(0)
    targets = np.arange(32) % 2
    pictures_NHWC = generator.integers(0, 100, (32, 4, 4, 3), dtype=np.uint8)
    pictures_NHWC[targets == 1, :, :, 0] += 100
    return pictures_NHWC, torch.from_numpy(targets)


def _loader(pictures, *, is_shuffled=True):
    return BatchLoader(pictures[0], np.arange(32), pictures[1], batch_size=8, seed=0, is_shuffled=is_shuffled)


def _fit(
    workdir, pictures, *, measure=None, is_better=None, peak_lr=0.1, epochs=6, limits=None, model=None, before_s=0.0, **pieces
):
    spec = JobSpec(id="job", kind="train", task="t", cache_dir="c", assets_dir="a", limits=limits or JobLimits())
    model = model or _Tiny()
    accuracy = lambda logits_NL: {"accuracy": float((logits_NL.argmax(1) == pictures[1]).float().mean())}  # noqa: E731
    plan = loop.Plan(
        objective=loop.Objective(
            loss=functional.cross_entropy,
            answer=lambda logits_BL: logits_BL,
            measure=measure or accuracy,
            is_better=is_better or (lambda metrics, best: metrics["accuracy"] > best["accuracy"]),
        ),
        epochs=epochs,
        peak_lr=peak_lr,
        weight_decay=0.0,
        precision=Precision.FP32,
        as_input=as_input,
        batch_parts=spec.limits.batch_parts or 1,
        **pieces,
    )
    workdir.mkdir(exist_ok=True)
    store = CheckpointStore(workdir / "checkpoints")
    with EventLog(workdir / "events.jsonl") as log:
        validation = _loader(pictures, is_shuffled=False)
        job = Job(workdir, spec, log)
        job.control.resume(before_s)
        fitted = loop.fit(model, _loader(pictures), validation, plan=plan, job=job, store=store)
    return model, fitted


def test_learns_and_reports_every_epoch(tmp_path, pictures):
    _, fitted = _fit(tmp_path, pictures)
    assert fitted.metrics["accuracy"] == 1.0
    assert fitted.halt is None
    assert [(event.step, event.epoch, str(event.split)) for event in events(tmp_path, "metric")] == [
        (4 * epoch, float(epoch), split) for epoch in range(1, 7) for split in ("train", "validation")
    ]


def test_ends_after_epochs_without_a_better_one(tmp_path, pictures):
    values = iter((0.1, 0.9, 0.2, 0.3, 0.4, 0.5))
    _, fitted = _fit(tmp_path, pictures, measure=lambda _: {"accuracy": next(values)}, patience=2)
    assert (fitted.epoch, fitted.curves[-1].epoch, fitted.halt) == (2.0, 4.0, None)


def test_shortens_long_gradients(tmp_path, pictures, monkeypatch):
    longest, take = [], loop._take

    def taken(optimizer, loss, progress):
        params = [parameter for group in optimizer.param_groups for parameter in group["params"]]
        longest.append(float(torch.stack([parameter.grad.norm() for parameter in params]).norm()))
        take(optimizer, loss, progress)

    monkeypatch.setattr(loop, "_take", taken)
    _fit(tmp_path / "free", pictures, epochs=1)
    assert max(longest) > 0.01
    longest.clear()
    _fit(tmp_path / "clipped", pictures, epochs=1, max_gradient_norm=0.01)
    assert max(longest) == pytest.approx(0.01, rel=1e-3)


def test_time_that_is_left_is_judged_by_the_steps_alone(tmp_path, pictures, monkeypatch):
    """An hour went by before the first step: what was read, packed, or done by an earlier attempt."""
    monkeypatch.setattr(loop, "LOOK_EVERY_S", 0.0)
    monkeypatch.setattr("engine.job.PROGRESS_EVERY_S", 0.0)
    _fit(tmp_path, pictures, before_s=3600.0)
    first, *remaining_s = [event.remaining_s for event in events(tmp_path, "progress") if event.stage == "train"]
    assert first is None
    assert remaining_s
    assert max(remaining_s) < 60.0


def test_keeps_the_best_weights_not_the_last(tmp_path, pictures):
    seen = []

    def measure(logits_NL):
        seen.append(logits_NL)
        return {"accuracy": [0.1, 0.9, 0.2, 0.9, 0.3, 0.4][len(seen) - 1]}

    model, fitted = _fit(tmp_path, pictures, measure=measure)
    assert fitted.metrics == {"accuracy": 0.9}
    answers = loop.predict(model, _loader(pictures, is_shuffled=False), Precision.FP32, lambda logits_BL: logits_BL, as_input)
    assert torch.equal(answers, seen[1])


@pytest.mark.parametrize(
    ("num_validation", "best"),
    [
        (160, 3),  # standard error 0.03: the fourth alone is better by more than noise
        (16, 2),  # 0.1: the loss alone counts
        (16_000, 4),  # 0.003: the accuracy alone counts
    ],
)
def test_keeps_the_weights_of_the_lowest_loss_where_accuracies_of_pictures_are_noise(tmp_path, pictures, num_validation, best):
    task, seen = task_spec("image_classification"), []
    epochs = [(0.80, 0.50), (0.83, 0.60), (0.79, 0.42), (0.86, 0.47), (0.87, 0.55)]
    others = {metric.name: 0.5 for metric in task.metrics}

    def measure(logits_NL):
        seen.append(logits_NL)
        accuracy, log_loss = epochs[len(seen) - 1]
        return others | {"accuracy": accuracy, "log_loss": log_loss}

    better = partial(is_better, task, {}, num_items=num_validation)
    model, fitted = _fit(tmp_path, pictures, measure=measure, is_better=better, epochs=len(epochs))
    assert (fitted.metrics["accuracy"], fitted.metrics["log_loss"]) == epochs[best]
    answers = loop.predict(model, _loader(pictures, is_shuffled=False), Precision.FP32, lambda logits_BL: logits_BL, as_input)
    assert torch.equal(answers, seen[best])


def test_diverging_loss_ends_the_run(tmp_path, pictures):
    with pytest.raises(LossNotFiniteError):
        _fit(tmp_path, pictures, peak_lr=1e38)


class _Stumbling(_Tiny):
    """Answers a certain batch with what is no number."""

    def __init__(self, at: int):
        super().__init__()
        self.asked, self.at = 0, at

    def forward(self, pictures_BCHW):
        self.asked += self.training
        return super().forward(pictures_BCHW) * (float("nan") if self.training and self.asked == self.at else 1.0)


@pytest.mark.parametrize("take", ["_take", "_take_on_device"])
def test_a_step_without_numbers_is_skipped_and_told(tmp_path, pictures, monkeypatch, take):
    monkeypatch.setattr(loop, "_take", getattr(loop, take))
    _, fitted = _fit(tmp_path, pictures, model=_Stumbling(at=6))
    assert fitted.metrics["accuracy"] == 1.0
    assert [event.code for event in events(tmp_path, "warning")] == ["steps_skipped"]
    losses = [point.values["loss"] for point in fitted.curves if "loss" in point.values]
    assert all(0 < loss < 0.7 for loss in losses), "what was skipped does not count"


def test_a_batch_in_parts_gives_the_same_weights(tmp_path, pictures):
    whole, _ = _fit(tmp_path / "whole", pictures)
    parts, _ = _fit(tmp_path / "parts", pictures, limits=JobLimits(batch_parts=3))
    for one, other in zip(whole.parameters(), parts.parameters(), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-6)


def test_order_to_stop_ends_at_the_next_step(tmp_path, pictures):
    (tmp_path / "control").mkdir()
    (tmp_path / "control" / "stop").write_text("pruned\n")
    _, fitted = _fit(tmp_path, pictures)
    assert fitted.halt is StopReason.PRUNED
    assert events(tmp_path, "metric") == []


def test_time_limit_ends_after_a_step_with_a_measurement(tmp_path, pictures):
    _, fitted = _fit(tmp_path, pictures, limits=JobLimits(time_s=1e-9))
    assert fitted.halt is EarlyEnd.TIME_LIMIT
    assert {event.step for event in events(tmp_path, "metric")} == {1}
    assert fitted.metrics


def test_order_to_finish_ends_after_a_step_with_a_measurement(tmp_path, pictures):
    (tmp_path / "control").mkdir()
    (tmp_path / "control" / "stop").write_text("finish\n")
    _, fitted = _fit(tmp_path, pictures)
    assert fitted.halt is EarlyEnd.FINISH
    assert {event.step for event in events(tmp_path, "metric")} == {1}
    assert fitted.metrics


def test_time_of_earlier_attempts_is_none_of_the_limit(tmp_path, pictures):
    """The limit of an attempt is what was left when it began."""
    _fit(tmp_path, pictures, epochs=1)
    state = CheckpointStore(tmp_path / "checkpoints").load()
    CheckpointStore(tmp_path / "checkpoints").save(state["step"], {**state, "elapsed_s": 1000.0})
    _, fitted = _fit(tmp_path, pictures, epochs=6, limits=JobLimits(time_s=900.0))
    assert fitted.halt is None


def test_resumed_run_repeats_nothing_and_ends_alike(tmp_path, pictures):
    whole, _ = _fit(tmp_path, pictures)
    # The only checkpoint was taken after the first epoch; going on from it must end where the whole run ended.
    assert [event.step for event in events(tmp_path, "checkpoint")] == [4]
    resumed, fitted = _fit(tmp_path, pictures)
    assert all(torch.equal(a, b) for a, b in zip(whole.parameters(), resumed.parameters(), strict=True))
    assert [point.step for point in fitted.curves] == [4 * epoch for epoch in range(1, 7) for _ in range(2)]


def test_learning_rate_warms_up_and_falls_to_zero():
    rates = [optim.lr_at(step, total_steps=100, peak=1.0) for step in range(100)]
    assert rates[:10] == sorted(rates[:10])
    assert max(rates) == rates[9] == 1.0
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[-1] < 0.01


def test_norms_and_biases_are_not_decayed():
    groups = optim.build(nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)), weight_decay=0.5).param_groups
    assert [(group["weight_decay"], len(group["params"])) for group in groups] == [(0.5, 1), (0.0, 3)]

"""Fine-tuning begins where the probe ends: the same head, without a word about it."""

from __future__ import annotations

import torch

from automl.contracts.dataset import Split
from automl.contracts.job import JobSpec
from engine.events import EventLog
from engine.job import Job
from engine.models import family_part
from engine.tasks import task_part
from engine.training import loop, probe
from engine.training.precision import Precision
from engine.training.prepare import prepare
from tests.engine.jobs import events, make_job

TASK = "text_classification"


def test_head_is_the_probes_and_nothing_is_told(tmp_path, cache_dir):
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir, family="tfidf_linear", params={}, task=TASK, num_items=80)
    metrics = task_part(TASK, "metrics").metrics
    with EventLog(workdir / "events.jsonl") as log:
        job = Job(workdir, JobSpec.read(workdir / "job.json"), log)
        prepared = prepare(job)
        plan = loop.Plan(
            epochs=0,
            peak_lr=0.0,
            weight_decay=0.0,
            precision=Precision.FP32,
            loss=torch.nn.functional.cross_entropy,
            answer=lambda logits_BL: torch.softmax(logits_BL, dim=1),
            measure=lambda scores_NL: metrics(scores_NL.numpy(), prepared.targets[Split.VALIDATION], prepared.labels),
            rank=lambda values: (values["accuracy"], -values["log_loss"]),
            is_better=lambda values, kept: values["accuracy"] > kept["accuracy"],
        )
        begun, fitted = (_model(prepared) for _ in range(2))
        probe.begin(begun, prepared, plan=plan, job=job)
        assert events(workdir, "metric") == []
        best = probe.fit(fitted, prepared, plan=plan, job=job)
    assert begun.head.weight.abs().sum() > 0
    torch.testing.assert_close(begun.head.weight, fitted.head.weight)
    torch.testing.assert_close(begun.head.bias, fitted.head.bias)
    assert best.metrics["accuracy"] == max(
        event.values["accuracy"] for event in events(workdir, "metric") if event.split == Split.VALIDATION
    )


def _model(prepared):
    counter = family_part(prepared.family.name, "network").build(prepared.size.name)
    return task_part(TASK, "head").build(counter, counter.num_features, len(prepared.labels))

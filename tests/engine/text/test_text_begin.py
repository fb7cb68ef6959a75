"""Fine-tuning begins with a head that was fitted to the training items, without a word about it."""

from __future__ import annotations

import numpy as np

from automl.contracts.dataset import Split
from automl.contracts.job import JobSpec
from engine.events import EventLog
from engine.job import Job
from engine.tasks import task_part
from engine.training import probe
from engine.training.network import new_model
from engine.training.objective import objective_of
from engine.training.prepare import prepare
from tests.engine.jobs import events, make_job

TASK = "text_classification"


def test_head_knows_the_training_items_and_nothing_is_reported(tmp_path, cache_dir):
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir, family="tfidf_linear", params={}, task=TASK, num_items=80)
    with EventLog(workdir / "events.jsonl") as log:
        job = Job(workdir, JobSpec.read(workdir / "job.json"), log)
        prepared = prepare(job)
        begun = new_model(prepared, job)
        num_events = len(events(workdir, "progress"))
        probe.begin(begun, prepared, objective=objective_of(begun, prepared, job), job=job)
        assert (len(events(workdir, "progress")), events(workdir, "metric")) == (num_events, [])
    rows = prepared.rows(Split.TRAIN)
    logits_NL = begun.head(begun.backbone.counted(prepared.items.array[rows]).to_dense())
    measured = task_part(TASK, "metrics").metrics(
        logits_NL.softmax(dim=1).detach().numpy(), prepared.targets[Split.TRAIN], prepared.labels
    )
    assert measured["accuracy"] > 0.9
    assert not np.array_equal(begun.head.weight.detach().numpy()[0], begun.head.weight.detach().numpy()[1])

"""Several processes that train one network: what one would have learned, though one of them is killed on the way."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import psutil
import pytest
import torch

from automl.contracts.job import JobLimits
from automl.contracts.report import Report
from engine.training import precision
from engine.training.precision import Precision
from engine.training.world import World
from tests.engine.jobs import events, make_job, run_here, start

_SEGMENTER = {
    "task": "semantic_segmentation",
    "family": "unet",
    "size": "plain",
    "params": {"resolution_px": 64, "batch_size": 8, "epochs": 5, "lr": 3e-5, "loss": "cross_entropy", "max_gradient_norm": 5},
}
"""Without dropout, and with a loss that is a mean over pixels: nothing differs but rounding, which small steps keep small."""
_LIMIT_S = 180.0


def _worker(job: psutil.Process, rank: int) -> psutil.Process:
    """The process that writes the log of this rank."""
    logs = {process: [Path(each.path).name for each in process.open_files()] for process in job.children(recursive=True)}
    return next(process for process, names in logs.items() if f"rank-{rank}.jsonl" in names)


def test_two_processes_learn_what_one_does_though_one_is_killed(tmp_path, monkeypatch):
    cache_dir = tmp_path / "cache"
    monkeypatch.setattr(precision, "_has_bf16_units", lambda: True)
    monkeypatch.setattr(precision, "_measured", lambda model, items_B: Precision.FP32)  # kept for the other jobs
    alone = make_job(tmp_path / "alone", cache_dir=cache_dir, **_SEGMENTER)
    assert run_here(alone) == 0

    together = make_job(tmp_path / "together", cache_dir=cache_dir, limits=JobLimits(num_processes=2), **_SEGMENTER)
    process = start(together)
    deadline_s = time.monotonic() + _LIMIT_S
    while not events(together, "checkpoint") and process.poll() is None and time.monotonic() < deadline_s:
        time.sleep(0.02)
    _worker(psutil.Process(process.pid), 1).send_signal(signal.SIGKILL)
    assert process.wait(_LIMIT_S) == 0, (together / "log.txt").read_text()
    log = (together / "log.txt").read_text()
    assert log.count("Training unet plain") == 4, log  # two, and two again

    one, two = (Report.read(job / "artefact" / "report.json") for job in (alone, together))
    assert [(each.step, each.split) for each in one.curves] == [(each.step, each.split) for each in two.curves]
    for ours, theirs in zip(two.curves, one.curves, strict=True):
        for name in {"loss"} & ours.values.keys():
            assert ours.values[name] == pytest.approx(theirs.values[name], abs=1e-4), (ours.step, name)
    assert one.profile is not None
    assert two.profile is not None
    assert one.profile.processes == ()
    assert [process.rank for process in two.profile.processes] == [0, 1]
    assert all(process.compute_s > 0 and process.exchange_s > 0 for process in two.profile.processes)


def test_the_shares_of_a_batch_are_the_batch():
    items_B = torch.arange(11)
    shares = [World(rank, 4).share(items_B) for rank in range(4)]
    assert torch.equal(torch.cat(shares), items_B)
    assert {len(share) for share in shares} == {2, 3}


def test_a_process_of_its_own_error_ends_the_training_with_it(tmp_path):
    """All begin again where one dies, but not where it knows why: the memory would run out again."""
    job = make_job(tmp_path / "job", cache_dir=tmp_path / "cache", limits=JobLimits(num_processes=2, memory_bytes=2**20))
    assert start(job).wait(_LIMIT_S) == 1
    (failed,) = events(job, "failed")
    assert failed.code == "out_of_memory"

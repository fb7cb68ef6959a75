"""Two hosts that train one network: what one would have learned, with nothing shared but the network between them."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from automl.contracts.job import HostGroup, JobSpec
from engine.training import precision
from engine.training.hosts import interface_of
from engine.training.precision import Precision
from tests.engine.jobs import REPOSITORY, events, losses, make_job, run_here
from tests.support.two_hosts import TestHost, two_hosts

_EPOCHS = 3
_SEGMENTER = {
    "task": "semantic_segmentation",
    "family": "unet",
    "size": "plain",
    "params": {"resolution_px": 64, "batch_size": 8, "epochs": _EPOCHS, "lr": 3e-5, "loss": "cross_entropy"},
}
_LIMIT_S = 180.0


def _started(workdir: Path, host: TestHost, first: TestHost) -> subprocess.Popen[bytes]:
    spec = JobSpec.read(workdir / "job.json")
    group = HostGroup(
        num_hosts=2, is_first=host is first, address=host.address, meeting=f"{first.address}:29611", run_id="test", join_s=120.0
    )
    spec.model_copy(update={"hosts": group}).write(workdir / "job.json")
    with (workdir / "log.txt").open("ab") as log:
        return subprocess.Popen(
            [*host.prefix, sys.executable, "-m", "engine.run", str(workdir)], cwd=REPOSITORY, stdout=log, stderr=log
        )


def _learned(workdir: Path, process: subprocess.Popen[bytes] | None = None) -> list[float]:
    """Losses of all epochs; a job is asked to end then, before it publishes."""
    deadline_s = time.monotonic() + _LIMIT_S
    while len(losses(workdir)) < _EPOCHS:
        assert process is None or process.poll() is None, (workdir / "log.txt").read_text()
        assert time.monotonic() < deadline_s, (workdir / "log.txt").read_text()
        time.sleep(0.05)
    (workdir / "control").mkdir(exist_ok=True)
    (workdir / "control" / "stop").write_text("cancelled")
    return losses(workdir)


def test_two_hosts_learn_what_one_does(tmp_path, monkeypatch):
    monkeypatch.setattr(precision, "_has_bf16_units", lambda: True)
    monkeypatch.setattr(precision, "_measured", lambda model, items_B: Precision.FP32)  # kept for the host that decides
    alone = make_job(tmp_path / "alone", cache_dir=tmp_path / "cache", **_SEGMENTER)
    stopper = threading.Thread(target=_learned, args=(alone,))
    stopper.start()
    assert run_here(alone) == 0
    stopper.join()
    expected = losses(alone)
    with two_hosts() as (first, second, why_not):
        print(why_not or "in network namespaces")
        # The second decides, whose address makes it the later one to torch. They share nothing but the wire.
        caches = {first: tmp_path / "other-cache", second: tmp_path / "cache"}
        jobs = {host: make_job(tmp_path / host.address, cache_dir=cache, **_SEGMENTER) for host, cache in caches.items()}
        processes = {host: _started(jobs[host], host, second) for host in (first, second)}
        try:
            assert _learned(jobs[second], processes[second]) == pytest.approx(expected, abs=1e-4)
            assert processes[first].wait(_LIMIT_S) == 0, (jobs[first] / "log.txt").read_text()
        finally:
            for process in processes.values():
                process.kill()
                process.wait()
    assert [event.step for event in events(jobs[second], "checkpoint")]
    assert not (jobs[first] / "artefact").exists()


def test_the_interface_of_an_address():
    assert interface_of("127.0.0.1") == interface_of("127.0.0.2") == "lo"

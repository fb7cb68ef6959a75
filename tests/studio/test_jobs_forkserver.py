"""The fork server's client against the real server of the engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from automl.contracts.job import JobSpec, TrainConfig
from studio.jobs import children, forkserver

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def server(home: Path):
    """The real server, started on demand; its end follows the end of this process, but the test ends it at once."""
    yield
    for process in forkserver._servers:
        process.terminate()
        process.wait(10)
    forkserver._servers.clear()
    forkserver._has_failed.clear()


def workdir_of(home: Path, name: str) -> Path:
    """A directory whose job must fail: its specification names a task that is not there."""
    workdir = home / "jobs" / name
    workdir.mkdir(parents=True)
    spec = JobSpec(
        id=name,
        kind="train",
        task="no_such_task",
        train=TrainConfig(family="resnet", size="18", params={"behaviour": "succeed"}),
        cache_dir=str(home / "cache"),
        assets_dir=str(home / "assets"),
    )
    spec.write(workdir / "job.json")
    return workdir


def test_jobs_are_forked_from_one_warm_server(server, home):
    first = children.child_start(workdir_of(home, "job_1"), num_threads=1)
    assert isinstance(first, children.ForkedChild)
    assert first.wait(60).code not in {None, 0}
    started = time.monotonic()
    second = children.child_start(workdir_of(home, "job_2"), num_threads=1)
    assert time.monotonic() - started < 0.5  # measured 10 ms; importing torch takes seconds
    assert second.wait(60).code not in {None, 0}
    assert len(forkserver._servers) == 1
    for name in ("job_1", "job_2"):
        events = [json.loads(line) for line in (home / "jobs" / name / "events.jsonl").read_text().splitlines()]
        assert events[-1]["type"] == "failed"


def test_killed_child_is_gone_when_kill_returns(server, home):
    workdir = workdir_of(home, "job_3")
    (workdir / "job.json").unlink()
    os.mkfifo(workdir / "job.json")  # the engine waits here for a writer for ever
    child = children.child_start(workdir, num_threads=1)
    assert child.wait(0.5) is None
    child.kill()
    assert child.wait(0.1).signal == 9
    with pytest.raises(ProcessLookupError):
        os.kill(child._pid, 0)


def test_dead_server_is_replaced(server, home):
    children.child_start(workdir_of(home, "job_4"), num_threads=1).wait(60)
    forkserver._servers[0].kill()
    forkserver._servers[0].wait()
    child = children.child_start(workdir_of(home, "job_5"), num_threads=1)
    assert isinstance(child, children.ForkedChild)
    assert child.wait(60) is not None
    assert len(forkserver._servers) == 2


def test_where_the_server_cannot_start_a_process_is_spawned(home, settings):
    settings.REPOSITORY_DIR = Path(__file__).parent / "fake_engine"
    workdir = workdir_of(home, "job_6")
    try:
        child = children.child_start(workdir, num_threads=1)
        assert isinstance(child, children.SpawnedChild)
        assert child.wait(30) == children.Exit(code=0)
    finally:
        forkserver._servers.clear()
        forkserver._has_failed.clear()


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's parent-death signal is Linux's own")
def test_a_spawned_job_dies_with_its_worker(home):
    workdir = workdir_of(home, "job_7")
    (workdir / "job.json").unlink()
    os.mkfifo(workdir / "job.json")  # the engine waits here for a writer for ever
    code = (
        "import os, subprocess, sys, time\n"
        f"command = [sys.executable, '-m', 'engine.run', {str(workdir)!r}, str(os.getpid())]\n"
        "p = subprocess.Popen(command, start_new_session=True)\n"
        "print(p.pid, flush=True); time.sleep(600)"
    )
    worker = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    job = psutil.Process(int(worker.stdout.readline()))
    while not (workdir / "events.jsonl").exists():  # it runs
        assert job.is_running()
        time.sleep(0.02)
    worker.kill()
    worker.wait()
    psutil.wait_procs([job], timeout=20)
    assert not job.is_running() or job.status() == psutil.STATUS_ZOMBIE

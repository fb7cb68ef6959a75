"""The warm fork server, as its clients see it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.engine.jobs import REPOSITORY, SMALL_RESNET, events, make_evaluation, make_job

_LONG = {**SMALL_RESNET, "epochs": 100}
_ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(REPOSITORY)}


def _wait_for(condition, timeout_s=60.0):
    deadline_s = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline_s, "waited too long"
        time.sleep(0.01)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    # Unix sockets have short names: pytest's own folder may be too deep.
    path = Path(f"/tmp/modelyard-test-{os.getpid()}.sock")
    process = subprocess.Popen([sys.executable, "-m", "engine.forkserver", str(path)], env=_ENVIRONMENT)
    _wait_for(path.exists)
    yield path, process.pid
    process.terminate()
    assert process.wait(timeout=20) == 0
    assert not path.exists()


class _Connection:
    """A client's side of one job."""

    def __init__(self, server, request):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(60)
        self._socket.connect(str(server[0]))
        self._lines = self._socket.makefile("rb")
        self._socket.sendall(json.dumps(request).encode() + b"\n")

    def answer(self):
        return json.loads(self._lines.readline())

    def close(self):
        self._lines.close()
        self._socket.close()


def _submit(server, workdir):
    connection = _Connection(server, {"workdir": str(workdir), "num_threads": 1})
    return connection, connection.answer()["pid"]


def _training(workdir):
    _wait_for(lambda: events(workdir, "checkpoint"))


def test_job_runs_to_its_end_and_its_exit_code_comes_back(server, trained, cache_dir, tmp_path):
    workdir = make_evaluation(tmp_path / "job", artefact=trained / "artefact", cache_dir=cache_dir)
    connection, pid = _submit(server, workdir)
    assert connection.answer() == {"exit_code": 0}
    assert events(workdir)[0].pid == pid
    assert events(workdir)[-1].type == "finished"
    connection.close()


def test_failing_job_answers_with_its_code_and_leaves_its_log(server, tmp_path):
    (tmp_path / "job").mkdir()
    connection, _ = _submit(server, tmp_path / "job")
    assert connection.answer() == {"exit_code": 1}
    assert events(tmp_path / "job")[-1].code == "job_invalid"
    assert "job.json" in (tmp_path / "job" / "log.txt").read_text()
    connection.close()


def test_two_jobs_run_side_by_side_in_groups_of_their_own(server, cache_dir, tmp_path):
    jobs = [make_job(tmp_path / name, cache_dir=cache_dir, params=_LONG) for name in ("first", "second")]
    connections, pids = zip(*(_submit(server, job) for job in jobs), strict=True)
    for job in jobs:
        _training(job)
    assert {os.getpgid(pid) for pid in pids} == set(pids)
    os.kill(pids[0], signal.SIGKILL)
    assert connections[0].answer() == {"signal": signal.SIGKILL}
    assert psutil.pid_exists(pids[1])
    connections[1].close()
    _wait_for(lambda: not psutil.pid_exists(pids[1]))
    connections[0].close()


def test_job_ends_when_its_client_is_gone(server, cache_dir, tmp_path):
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir, params=_LONG)
    connection, pid = _submit(server, workdir)
    _training(workdir)
    connection.close()
    _wait_for(lambda: not psutil.pid_exists(pid))
    assert events(workdir)[-1].type not in {"finished", "failed"}


def test_job_that_ignores_the_polite_signal_is_killed(server, cache_dir, tmp_path):
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir, params=_LONG)
    connection, pid = _submit(server, workdir)
    _training(workdir)
    os.kill(pid, signal.SIGSTOP)  # a stopped process takes no SIGTERM
    connection.close()
    _wait_for(lambda: not psutil.pid_exists(pid), timeout_s=15)


@pytest.mark.parametrize(
    "request_line",
    [{"workdir": "relative"}, {"workdir": "/nowhere/at/all"}, {"workdir": "/tmp", "num_threads": 0}, ["/tmp"]],
)
def test_request_that_makes_no_sense_is_answered(server, request_line):
    connection = _Connection(server, request_line)
    assert "error" in connection.answer()
    connection.close()


def test_server_computes_nothing_before_it_forks(server):
    names = [Path(f"/proc/{server[1]}/task/{task}/comm").read_text().strip() for task in os.listdir(f"/proc/{server[1]}/task")]
    maps = Path(f"/proc/{server[1]}/maps").read_text()
    assert "libtorch" in maps  # warm
    assert "libcuda.so" not in maps
    assert len(names) <= 3  # its own, and one each that importing onnxruntime and pyarrow start


def test_jobs_die_with_the_server_and_the_server_with_its_parent(cache_dir, tmp_path):
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir, params=_LONG)
    path = Path(f"/tmp/modelyard-test-orphan-{os.getpid()}.sock")
    parent = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import subprocess, sys, time\n"
            f"subprocess.Popen([sys.executable, '-m', 'engine.forkserver', {str(path)!r}])\n"
            "time.sleep(600)",
        ],
        env=_ENVIRONMENT,
    )
    try:
        _wait_for(path.exists)
        (server_process,) = psutil.Process(parent.pid).children()
        connection, pid = _submit((path, server_process.pid), workdir)
        _training(workdir)
    finally:
        parent.kill()
        parent.wait()
    _wait_for(lambda: not psutil.pid_exists(pid) and not psutil.pid_exists(server_process.pid))
    connection.close()


def test_server_whose_parent_is_gone_before_it_is_warm_never_comes_up(tmp_path):
    path = Path(f"/tmp/modelyard-test-cold-{os.getpid()}.sock")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    server = subprocess.Popen([sys.executable, "-m", "engine.forkserver", str(path), str(gone.pid)], env=_ENVIRONMENT)
    assert server.wait(60) == 1
    assert not path.exists()


def test_server_notices_while_it_imports_that_its_parent_is_gone(tmp_path):
    """The parent ends once the server has begun; what it started ends before torch is there."""
    path = Path(f"/tmp/modelyard-test-early-{os.getpid()}.sock")
    code = (
        "import os, subprocess, sys, time\n"
        f"p = subprocess.Popen([sys.executable, '-m', 'engine.forkserver', {str(path)!r}, str(os.getpid())])\n"
        "print(p.pid, flush=True)\n"
        "while b'libtorch_cpu' not in open(f'/proc/{p.pid}/maps', 'rb').read(): time.sleep(0.005)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], env=_ENVIRONMENT, stdout=subprocess.PIPE, text=True)
    pid = int(parent.stdout.readline())
    parent.wait(60)
    _wait_for(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    assert not path.exists()

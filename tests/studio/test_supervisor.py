"""The process tree: what dies comes back, what cannot live is reported with its log, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from studio.config.supervisor import Service, ServiceFailedError, Supervisor, errand

SLEEPER = (sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)")


@pytest.fixture
def supervisor(tmp_path):
    made = Supervisor(folder=tmp_path, logs=tmp_path / "logs", say=lambda _: None)
    yield made
    made.stop()


def children() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]


def wait_for(condition, timeout_s: float = 20):
    deadline = time.monotonic() + timeout_s
    while not (value := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return value


def test_start_waits_until_the_service_is_ready(supervisor, tmp_path):
    flag = tmp_path / "ready"
    code = f"import pathlib, time; time.sleep(0.3); pathlib.Path({str(flag)!r}).touch(); time.sleep(600)"
    supervisor.start(Service("slow", (sys.executable, "-c", code), is_ready=flag.exists))
    assert flag.exists()


def test_a_service_that_ends_at_once_is_reported_with_its_log(supervisor):
    broken = Service("broken", (sys.executable, "-c", "raise SystemExit('no such table')"), is_ready=lambda: False)
    with pytest.raises(ServiceFailedError, match="no such table"):
        supervisor.start(broken)


def test_a_killed_service_comes_back(supervisor):
    before = {child.pid for child in children()}
    supervisor.start(Service("sleeper", SLEEPER))
    (first,) = {child.pid for child in children()} - before
    os.kill(first, signal.SIGKILL)

    def again():
        supervisor.watch()
        return {child.pid for child in children()} - before - {first}

    assert wait_for(again)


def test_a_service_that_dies_again_and_again_is_given_up(supervisor):
    supervisor.start(Service("mayfly", (sys.executable, "-c", "print('disk is full')")))
    with pytest.raises(ServiceFailedError, match="disk is full"):
        wait_for(supervisor.watch)


def test_stop_kills_what_ignores_the_request(tmp_path, monkeypatch):
    monkeypatch.setattr("studio.config.supervisor.ENDING_S", 0.5)
    supervisor = Supervisor(folder=tmp_path, logs=tmp_path / "logs", say=lambda _: None)
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"
    supervisor.start(
        Service("deaf", (sys.executable, "-c", code), is_ready=lambda: "deaf" in (tmp_path / "logs" / "deaf.log").read_text())
    )
    (child,) = [process for process in children() if "signal.SIG_IGN" in " ".join(process.cmdline())]
    supervisor.stop()
    assert not child.is_running()


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's parent-death signal is Linux's own")
def test_children_end_when_the_supervisor_is_killed(tmp_path):
    root = Path(__file__).resolve().parents[2]
    code = (
        "import sys, pathlib; sys.path.insert(0, 'platform')\n"
        "from studio.config.supervisor import Service, Supervisor\n"
        f"s = Supervisor(folder=pathlib.Path('.'), logs=pathlib.Path({str(tmp_path)!r}), say=print)\n"
        f"s.start(Service('sleeper', {SLEEPER!r}))\n"
        "import time; print('ready', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        (child,) = psutil.Process(parent.pid).children()
        parent.kill()
        parent.wait()
        wait_for(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)


def test_an_errand_is_over_with_its_context_and_so_is_what_it_started(tmp_path):
    code = f"import subprocess; subprocess.Popen({SLEEPER!r}); import time; time.sleep(600)"
    with errand((sys.executable, "-c", code), tmp_path) as process:
        (grandchild,) = wait_for(psutil.Process(process.pid).children)
    assert process.poll() is not None
    wait_for(lambda: not grandchild.is_running() or grandchild.status() == psutil.STATUS_ZOMBIE)

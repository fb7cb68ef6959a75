"""The process tree: what dies comes back, what cannot live is reported with its log, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest

from studio.config.processes import answers
from studio.config.supervisor import Service, ServiceFailedError, Supervisor, short_process
from tests.support.platform_process import ROOT

SLEEPER = (sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)")


@pytest.fixture
def supervisor(tmp_path):
    made = Supervisor(folder=tmp_path, logs=tmp_path / "logs", report=lambda _: None)
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
    supervisor = Supervisor(folder=tmp_path, logs=tmp_path / "logs", report=lambda _: None)
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
        f"s = Supervisor(folder=pathlib.Path('.'), logs=pathlib.Path({str(tmp_path)!r}), report=print)\n"
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
    with short_process((sys.executable, "-c", code), tmp_path) as process:
        (grandchild,) = wait_for(psutil.Process(process.pid).children)
    assert process.poll() is not None
    wait_for(lambda: not grandchild.is_running() or grandchild.status() == psutil.STATUS_ZOMBIE)


@pytest.mark.skipif(sys.platform != "linux", reason="processes without a parent are adopted on Linux alone")
def test_what_a_killed_service_left_behind_ends_with_the_supervisor(tmp_path):
    """As the fork server of a killed worker: in a session of its own, deaf to SIGTERM, its parent gone."""
    root = Path(__file__).resolve().parents[2]
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    service = f"import subprocess, sys, time; p = subprocess.Popen([sys.executable, '-c', {deaf!r}], start_new_session=True)"
    service += f"; open({str(tmp_path / 'orphan')!r}, 'w').write(str(p.pid)); time.sleep(600)"
    code = (
        "import os, pathlib, signal, sys, time; sys.path.insert(0, 'platform')\n"
        "from studio.config import supervisor\n"
        "supervisor.ORPHAN_ENDING_S = 0.5\n"
        f"s = supervisor.Supervisor(folder=pathlib.Path('.'), logs=pathlib.Path({str(tmp_path)!r}), report=print)\n"
        "s.adopt_orphans()\n"
        f"orphan = pathlib.Path({str(tmp_path / 'orphan')!r})\n"
        "is_there = lambda: bool(orphan.exists() and orphan.read_text())\n"
        f"s.start(supervisor.Service('parent', [sys.executable, '-c', {service!r}], is_ready=is_there))\n"
        "os.kill(s._children[0].process.pid, signal.SIGKILL)\n"
        "print(orphan.read_text(), flush=True)\n"
        "s.stop()\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    assert not psutil.pid_exists(int(ended.stdout))


def test_what_others_need_to_end_ends_after_them(supervisor, tmp_path):
    order = tmp_path / "order"
    code = (
        "import signal, sys, time\n"
        "def end(*_):\n    time.sleep({wait})\n    open({order!r}, 'a').write({name!r})\n    sys.exit()\n"
        "signal.signal(signal.SIGTERM, end); print('ready', flush=True); time.sleep(600)"
    )

    def service(name: str, wait: float, **options) -> Service:
        log = tmp_path / "logs" / f"{name}.log"
        command = (sys.executable, "-c", code.format(wait=wait, order=str(order), name=name))
        return Service(name, command, is_ready=lambda: "ready" in log.read_text(), **options)

    supervisor.start(service("broker", 0, is_needed_to_end=True))
    supervisor.start(service("worker", 0.3))
    supervisor.stop()
    assert order.read_text() == "workerbroker"


def test_a_proxy_of_the_environment_is_not_asked_for_our_own_ports(monkeypatch):
    class Always(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing on the console."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Always) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
        assert answers(f"http://127.0.0.1:{server.server_port}/")()
        server.shutdown()


@pytest.mark.parametrize("option", ["--port", "--prediction-port"])
def test_a_port_that_somebody_has_is_refused_with_the_cure(tmp_path, option):
    with socket.socket() as occupied:
        occupied.bind(("127.0.0.1", 0))
        occupied.listen()
        port = str(occupied.getsockname()[1])
        ended = subprocess.run(
            [sys.executable, "manage.py", "up", option, port],
            cwd=ROOT,
            env={**os.environ, "MODELYARD_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert ended.returncode == 1
    assert f"Port {port} is in use. Choose another by {option}" in ended.stderr

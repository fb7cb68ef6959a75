"""Names what is missing or wrong on this host, each with its cure. Nothing is changed, nothing raises."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from ctypes.util import find_library
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from studio.common.errors import StudioError
from studio.config.env import REPOSITORY, Env
from studio.config.node import node_folder
from studio.config.processes import answers, broker_program

# A training run of a few thousand pictures writes about a gigabyte of cache.
DISK_NEEDED_BYTES = 5 * 2**30
MEMORY_NEEDED_BYTES = 3 * 2**30

Level = Literal["ok", "note", "wrong"]


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's report. ``note`` is something that may be on purpose; ``wrong`` stops work."""

    name: str
    level: Level
    detail: str
    cure: str = ""


def findings(env: Env) -> Iterator[Finding]:
    """Checks one thing after another."""
    for check in CHECKS:
        yield check(env)


def _python(env: Env) -> Finding:
    return Finding("python", "ok", f"Python {'.'.join(map(str, sys.version_info[:3]))}")


def _packages(env: Env) -> Finding:
    needed = {"web": ("django", "ninja", "celery", "granian", "optuna"), "engine": ("torch", "onnx", "cv2", "safetensors")}
    missing = [extra for extra, names in needed.items() if any(find_spec(name) is None for name in names)]
    if missing:
        return Finding("packages", "wrong", f"missing: {', '.join(missing)}", f'pip install -e ".[{",".join(missing)}]"')
    return Finding("packages", "ok", "web and engine are installed")


def _openmp(env: Env) -> Finding:
    if find_library("gomp") is None:
        cure = "apt-get install libgomp1"
        return Finding("OpenMP", "note", "libgomp is missing: gradient boosting of tables cannot train", cure)
    return Finding("OpenMP", "ok", "libgomp is there for gradient boosting")


def _home(env: Env) -> Finding:
    try:
        env.home.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=env.home):
            pass
    except OSError as error:
        return Finding("home", "wrong", f"{env.home}: {error.strerror}", "Set MODELYARD_HOME to a folder you may write to.")
    return Finding("home", "ok", str(env.home))


def _disk(env: Env) -> Finding:
    folder = next(path for path in (env.home, *env.home.parents) if path.exists())
    free = shutil.disk_usage(folder).free
    detail = f"{free / 2**30:.1f} GiB free"
    if free < DISK_NEEDED_BYTES:
        return Finding("disk", "wrong", detail, f"Free some space below {folder}, or set MODELYARD_HOME to a larger disk.")
    return Finding("disk", "ok", detail)


def _cache(env: Env) -> Finding:
    from studio.jobs.host_cache import cache_entries  # noqa: PLC0415 - needs the settings

    used = sum(entry.size_bytes for entry in cache_entries(env.home / "cache"))
    detail = f"{used / 2**30:.1f} GiB that jobs can make again"
    if not env.cache_bytes:
        return Finding("cache", "ok", f"{detail}, without a limit")
    detail = f"{detail}, at most {env.cache_bytes / 2**30:.0f} GiB"
    if used > env.cache_bytes:
        return Finding(
            "cache", "note", detail, "The platform clears it every ten minutes while it runs, or raise MODELYARD_CACHE_GB."
        )
    return Finding("cache", "ok", detail)


def _memory(env: Env) -> Finding:
    import psutil  # noqa: PLC0415 - the check of packages comes first and must not fail on it

    free = psutil.virtual_memory().available
    detail = f"{free / 2**30:.1f} GiB available"
    if free < MEMORY_NEEDED_BYTES:
        return Finding("memory", "note", detail, "Set MODELYARD_WORKERS=1, or close something: a job needs 2 to 3 GiB.")
    return Finding("memory", "ok", detail)


def _database(env: Env) -> Finding:
    from django.db import connection  # noqa: PLC0415
    from django.db.migrations.executor import MigrationExecutor  # noqa: PLC0415
    from django.db.utils import Error  # noqa: PLC0415

    kind = "PostgreSQL" if env.database.is_postgres else "SQLite"
    try:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error as error:
        cure = "Start the server, or mend MODELYARD_DATABASE_URL." if env.database.is_postgres else "See `home` above."
        return Finding("database", "wrong", f"{kind}: {str(error).strip()}", cure)
    if plan:
        return Finding("database", "note", f"{kind}: {len(plan)} migrations to run", "python manage.py migrate (or make up)")
    return Finding("database", "ok", f"{kind}, up to date")


def _broker(env: Env) -> Finding:
    if "MODELYARD_BROKER_URL" not in os.environ:
        try:
            return Finding("broker", "ok", f"embedded: {Path(broker_program()).name}")
        except StudioError as error:
            return Finding("broker", "wrong", error.message, error.hint)
    from studio.config.celery import app  # noqa: PLC0415

    host = urlsplit(env.broker_url).hostname or "the socket"
    try:
        with app.connection_for_write(connect_timeout=3) as connection:
            connection.ensure_connection(max_retries=1, timeout=4)
    except Exception as error:  # noqa: BLE001 - each transport has errors of its own, and all mean the same here
        return Finding("broker", "wrong", f"{host}: {error}", "Start the broker, or mend MODELYARD_BROKER_URL.")
    return Finding("broker", "ok", f"{env.broker_url.split('://')[0]} at {host}")


def _storage(env: Env) -> Finding:
    from studio.common.blobs import blobs  # noqa: PLC0415

    where = f"S3 bucket {env.s3.bucket}" if env.s3 else "files in the home"
    try:
        blobs().exists("0" * 64)
    except Exception as error:  # noqa: BLE001 - the client's errors are many, and all mean the same here
        return Finding("storage", "wrong", f"{where}: {error}", "Start the object store, or mend MODELYARD_BLOBS and its keys.")
    return Finding("storage", "ok", where)


def _gpu(env: Env) -> Finding:
    if Path("/proc/driver/nvidia/version").exists():
        return Finding("gpu", "ok", "an NVIDIA driver is loaded; training uses it when PyTorch was built for CUDA")
    return Finding("gpu", "note", "none: training runs on the CPU", "Nothing to do; small models train in minutes.")


def _frontend(env: Env) -> Finding:
    if all((REPOSITORY / made).exists() for made in ("frontend/dist/index.html", "exporters/_javascript/built/built.json")):
        return Finding("web app", "ok", "built")
    try:
        node_folder()
    except StudioError as error:
        return Finding("web app", "wrong", "not built, and Node.js is missing", error.hint)
    return Finding("web app", "wrong", "not built", "python manage.py build_frontend")


def _assets(env: Env) -> Finding:
    if any(env.assets_dir.glob("*.safetensors")) or any(env.assets_dir.glob("*/*.safetensors")):
        return Finding("assets", "ok", str(env.assets_dir))
    return Finding("assets", "note", "no pretrained weights yet", "python manage.py assets (make demo does it)")


def _ports(env: Env) -> Finding:
    ports = []
    for url in (env.public_url, env.prediction_url):
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        with contextlib.closing(socket.socket()) as probe:
            probe.settimeout(1)
            is_used = probe.connect_ex((parts.hostname or "127.0.0.1", port)) == 0
        path = "/api/health" if url == env.public_url else "/health"
        if is_used and not answers(url + path)():
            ports.append(str(port))
    if ports:
        return Finding("ports", "note", f"taken by another program: {', '.join(ports)}", "make up takes free ones by itself.")
    return Finding("ports", "ok", "free, or ours")


CHECKS: tuple[Callable[[Env], Finding], ...] = (
    _python,
    _packages,
    _openmp,
    _home,
    _disk,
    _cache,
    _memory,
    _database,
    _broker,
    _storage,
    _gpu,
    _frontend,
    _assets,
    _ports,
)

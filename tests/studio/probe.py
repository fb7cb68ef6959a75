"""Job kinds of the tests: ``probe`` runs in the worker, ``probe_engine`` in a process of its own.

What handlers hear is written to files below the home, so that tests see it from other processes too.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
import time
from pathlib import Path

from django.conf import settings

from automl.contracts.job import Event, JobLimits, JobSpec, Metric, StopReason, TrainConfig
from studio.common.errors import ConflictError
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job

EXECUTORS: dict[str, Executor] = {"probe": "platform", "probe_engine": "engine", "probe_idle": "engine"}
BACKGROUND = frozenset({"probe_idle"})


class ProbeError(ConflictError):
    code = "probe_failed"


def job_prepare(job: Job, workdir: Path) -> JobSpec:
    (workdir / "data").mkdir(exist_ok=True)
    if job.payload["behaviour"] == "unprepared":
        raise ProbeError("There is nothing to train on.", hint="Add pictures.")
    params = {"behaviour": job.payload["behaviour"]}
    return JobSpec(
        id=job.id,
        kind="train",
        task="image_classification",
        train=TrainConfig(family="fake", size="s", params=params),
        cache_dir=str(settings.CACHE_DIR),
        assets_dir=str(settings.ASSETS_DIR),
        limits=JobLimits(batch_parts=job.batch_parts, num_hosts=2 if job.payload["behaviour"] == "meet" else 1),
    )


def job_run(job: Job, reporter: Reporter) -> None:
    behaviour = job.payload["behaviour"]
    write("ran", job.id)
    write("process", job.id, str(os.getpid()))
    write("modules", job.id, "with torch" if "torch" in sys.modules else "without torch")
    reporter.log("hello")
    reporter.progress("copy", 0.5, remaining_s=2.0)
    if behaviour == "fail":
        raise ProbeError("No.", hint="Do not.")
    if behaviour == "fill":
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if behaviour == "break":
        raise RuntimeError("a bug")
    if behaviour == "warn":
        reporter.warn("odd", "This is odd.")
        reporter.warn("odd", "This is odd.")
    if behaviour == "die_once" and job.attempt == 1:
        os.kill(os.getpid(), signal.SIGSEGV)
    if behaviour == "deaf":
        time.sleep(120)
    if behaviour == "spin":
        while True:
            pass
    if behaviour == "swell":
        blocks = [os.urandom(2**20) for _ in range(2**14)]
        raise RuntimeError(f"{len(blocks)} MiB were granted")
    if behaviour == "swell_at_once":
        raise RuntimeError(f"{len(bytearray(2**36))} bytes were granted")
    if behaviour == "wait" or (behaviour == "wait_once" and job.attempt == 1):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            reporter.check_cancelled()
            time.sleep(0.05)


def job_reported(job: Job, event: Event) -> StopReason | None:
    write("reported", job.id, event.type)
    if isinstance(event, Metric) and event.step == job.payload.get("prune_at"):
        return StopReason.PRUNED
    return None


def job_ended(job: Job) -> None:
    write("ended", job.id, job.state)
    if job.payload.get("deaf_until") and len(read("ended", job.id)) < job.payload["deaf_until"]:
        raise RuntimeError("the handler is not ready")


def write(what: str, job_id: str, value: str = "") -> None:
    with (settings.HOME / f"probe-{what}.jsonl").open("a") as file:
        file.write(json.dumps([job_id, value]) + "\n")


def read(what: str, job_id: str) -> list[str]:
    path = settings.HOME / f"probe-{what}.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [value for found, value in map(json.loads, lines) if found == job_id]

"""Runs one job: ``python -m engine.run WORKDIR [PARENT_PID]`` (docs/architecture.md, section 3.4).

The directory is the whole interface. Exit status 0 means that ``finished`` is the last event, 1 that ``failed`` is. torch is
imported after ``started`` is written, so that the platform sees a slow start as a start. A job whose parent is named dies with
it (on Linux); one that was started by hand runs on.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from pydantic import ValidationError

from automl.contracts.job import JobSpec
from engine.errors import JobInvalidError, as_engine_error
from engine.events import EventLog
from engine.job import Job, StoppedError
from engine.process import configure_logging, die_with, give_way, without_denormals

_LOGGER = logging.getLogger("engine")
_MODULES = {
    "train": "engine.training.train",
    "evaluate": "engine.training.judge",
    "robustness": "engine.robustness.work",
    "advice": "engine.advice.work",
    "embed": "engine.embedding.run",
    "map": "engine.embedding.layout",
    "quality": "engine.quality.work",
    "profile": "engine.table.profile_job",
    "distill": "engine.compress.distill_job",
    "refit": "engine.training.refit",
    "compress": "engine.compress.compress_job",
    "preflight": "engine.preflight.work",
}
"""Kind of job -> the module whose ``run`` does it. They import torch and more, so only the one asked for is imported."""
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")


def run(workdir: Path) -> int:
    """Does what ``workdir/job.json`` says and returns the exit status."""
    with EventLog(workdir / "events.jsonl") as events:
        try:
            events.started(resumed_from_step=_last_step(workdir))
            job = Job(workdir, _read_spec(workdir), events)
            metrics = _work(job)
        except StoppedError as stopped:
            events.finished(stopped=stopped.reason, metrics={})
        except Exception as error:  # the edge of the process: everything ends as an event
            _LOGGER.exception("The job failed.")
            events.failed(as_engine_error(error))
            return 1
        else:
            events.finished(stopped=None, metrics=metrics)
    return 0


def _read_spec(workdir: Path) -> JobSpec:
    try:
        return JobSpec.read(workdir / "job.json")
    except (OSError, ValidationError) as error:
        raise JobInvalidError(f"job.json cannot be read: {error}") from error


def _work(job: Job) -> Mapping[str, float]:
    for name in _THREAD_VARIABLES:  # for libraries that look when they are loaded; torch is set below
        os.environ[name] = str(job.spec.limits.num_threads)
    gc.disable()  # what is imported stays: to look through it for garbage takes a fifth longer
    import torch  # noqa: PLC0415 - seconds; after ``started``

    module = import_module(_MODULES[job.spec.kind])
    gc.enable()
    torch.set_num_threads(job.spec.limits.num_threads)
    with without_denormals():
        metrics: Mapping[str, float] = module.run(job)
    return metrics


def _last_step(workdir: Path) -> int | None:
    steps = [int(path.stem.removeprefix("step-")) for path in (workdir / "checkpoints").glob("step-*.pt")]
    return max(steps, default=None)


def main() -> int:
    """The command line."""
    if len(sys.argv) not in {2, 3}:
        sys.stderr.write("usage: python -m engine.run WORKDIR [PARENT_PID]\n")
        return 2
    if len(sys.argv) == 3:
        die_with(int(sys.argv[2]))
    give_way()
    configure_logging()
    return run(Path(sys.argv[1]).resolve())


if __name__ == "__main__":
    sys.exit(main())

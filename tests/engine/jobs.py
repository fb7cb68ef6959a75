"""Job directories for tests: made from a task's own example, run like the platform runs them."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import torch
from safetensors.torch import save_file

from automl.contracts.dataset import Split
from automl.contracts.family import ParamValue
from automl.contracts.job import EventLine, JobLimits, JobSpec, TrainConfig
from engine import run
from engine.assets.card import read_card
from engine.models import family_part, family_spec
from engine.tasks import task_part

TASK = "image_classification"
SMALL_RESNET: Mapping[str, ParamValue] = {"resolution_px": 64, "batch_size": 8, "epochs": 2, "label_smoothing": 0.0}
REPOSITORY = Path(__file__).parents[2]


def make_job(
    workdir: Path,
    *,
    cache_dir: Path,
    assets_dir: Path | None = None,
    family: str = "resnet",
    params: Mapping[str, ParamValue] = SMALL_RESNET,
    limits: JobLimits | None = None,
    seed: int = 3,
    num_items: int = 60,
    task: str = TASK,
    **example: str | int,
) -> Path:
    """A directory with the task's example in it and an order to train on it."""
    workdir.mkdir(parents=True)
    task_part(task, "example").write(workdir / "data", num_items=num_items, **example)
    train = TrainConfig(family=family, size=family_spec(family).sizes[0].name, params=params)
    JobSpec(
        id="job_test",
        kind="train",
        task=task,
        train=train,
        seed=seed,
        device="cpu",
        cache_dir=str(cache_dir),
        assets_dir=str(assets_dir or workdir / "assets"),
        limits=limits or JobLimits(),
        lineage={"study": "stu_test", "trial": "trl_test"},
    ).write(workdir / "job.json")
    return workdir


def make_evaluation(workdir: Path, *, artefact: Path, cache_dir: Path, split: Split = Split.TEST, **example: str | int) -> Path:
    """A directory with the example in it and an order to judge an artefact on it."""
    workdir.mkdir(parents=True)
    task_part(TASK, "example").write(workdir / "data", **example)
    JobSpec(
        id="job_evaluation",
        kind="evaluate",
        task=TASK,
        artefact=str(artefact),
        split=split,
        cache_dir=str(cache_dir),
        assets_dir=str(workdir / "assets"),
    ).write(workdir / "job.json")
    return workdir


def run_here(workdir: Path) -> int:
    """Runs the job in this process."""
    return run.run(workdir)


def start(workdir: Path) -> subprocess.Popen:
    """Starts the job as a process of its own, by the public command."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(REPOSITORY)}
    with (workdir / "log.txt").open("ab") as log:
        return subprocess.Popen([sys.executable, "-m", "engine.run", str(workdir)], env=environment, stdout=log, stderr=log)


def events(workdir: Path, kind: str | None = None) -> list:
    """The job's events, of one type if asked; a line that is still being written does not count."""
    path = workdir / "events.jsonl"
    text = path.read_bytes() if path.exists() else b""
    found = [EventLine.validate_json(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]
    return found if kind is None else [event for event in found if event.type == kind]


def losses(workdir: Path) -> list[float]:
    """Training losses, epoch by epoch."""
    return [event.values["loss"] for event in events(workdir, "metric") if event.split == Split.TRAIN]


@cache
def embedding_store() -> tuple[Path, Path]:
    """Made-up weights of the backbone of embeddings, and a cache that keeps its graph for all tests of this process."""
    folder = Path(tempfile.mkdtemp(prefix="modelyard-test-embedding-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return fill_store(folder / "assets", "efficientnet_lite"), folder / "cache"


def fill_store(assets_dir: Path, family: str = "linear_probe") -> Path:
    """A store that holds made-up weights for the family's first size, as if its card had been fetched."""
    size = family_spec(family).sizes[0]
    folder = assets_dir / str(size.asset)
    folder.mkdir(parents=True)
    torch.manual_seed(0)
    network = family_part(family, "network").build(size.name, 1000)
    save_file(network.state_dict(), folder / "weights.safetensors")
    read_card(str(size.asset)).write(folder / "card.json")
    return assets_dir

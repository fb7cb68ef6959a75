"""Job directories for tests: made from a task's own example, run like the platform runs them."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from safetensors.torch import save_file
from torch import Tensor, nn

from automl.contracts.dataset import Split
from automl.contracts.family import FeatureKind, ParamValue
from automl.contracts.job import EventLine, JobLimits, JobSpec, TrainConfig
from automl.contracts.modality import Modality
from engine import run
from engine.assets.card import read_card
from engine.embedding.spec import BACKBONE, RESOLUTION_PX, SIZE
from engine.frozen import pretrained
from engine.models import family_names, family_part, family_spec
from engine.tasks import task_part
from tests.support.once import host_cache, made_once

TASK = "image_classification"
_FEWER: Mapping[FeatureKind, Mapping[str, int]] = {FeatureKind.TEXT_LINES: {"num_items": 20, "side_px": 96}}
"""What a brief order asks of the example where an item holds several things to learn from."""
SMALL_RESNET: Mapping[str, ParamValue] = {"resolution_px": 64, "batch_size": 8, "epochs": 2, "label_smoothing": 0.0}
TILED = {
    "task": "semantic_segmentation",
    "family": "unet",
    "size": "plain",
    "num_items": 15,
    "side_px": 100,
    "params": {"epochs": 2, "batch_size": 8, "resolution_px": 64, "augment": "light", "lr": 8e-3, "view": "tiles"},
}
"""For ``trained_once``: a model that reads pictures in tiles."""
REPOSITORY = Path(__file__).parents[2]
HANGS_AFTER_S = 200.0
"""More than any job of a test takes beside others, and less than a test may."""


def make_job(
    workdir: Path,
    *,
    cache_dir: Path,
    assets_dir: Path | None = None,
    family: str = "resnet",
    size: str | None = None,
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
    train = TrainConfig(family=family, size=size or family_spec(family).sizes[0].name, params=params)
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


def trained_once(*, store_of: str | None = None, **order: Any) -> Path:
    """The job directory of an order as ``make_job`` takes it, trained once for all who order the same; nobody changes it.

    Args:
        store_of: a family whose made-up weights (of the size ordered) are in the job's store.
        order: of ``make_job``, without its folders.
    """
    key = hashlib.sha256(json.dumps({**order, "store_of": store_of}, sort_keys=True).encode()).hexdigest()[:16]

    def train(folder: Path) -> None:
        store = None if store_of is None else fill_store(folder / "assets", store_of, order.get("size"))
        job = make_job(folder / "job", cache_dir=host_cache(), assets_dir=store, **order)
        assert run_here(job) == 0, events(job)[-1]

    return made_once(f"trained-{key}", train) / "job"


def brief_order(task: str, family: str) -> dict[str, Any]:
    """For ``trained_once``: two epochs at the smallest, so that all who want any model of a family look at the same one."""
    spec = family_spec(family)
    without_weights = (size for size in spec.sizes if size.asset is None and size.is_searched)
    size = next(without_weights, min(spec.sizes, key=lambda size: size.num_parameters))
    sides = {param.name: param.choices for param in spec.params if param.name in {"resolution_px", "max_tokens", "side_px"}}
    smallest = {name: min(choice for choice in choices if choice > 0) for name, choices in sides.items()}
    brief = {"epochs": 2, "batch_size": 8, "augment": "none", "label_smoothing": 0.0, **smallest}
    params = {param.name: brief[param.name] for param in spec.params if param.name in brief}
    store = {"store_of": family} if size.asset else {}
    example = {"num_items": 40, **_FEWER.get(spec.yields, {})}
    return {"task": task, "family": family, "size": size.name, "params": params, **example, **store}


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
    """Runs the job in this process, which is as urgent afterwards as it was before."""
    urgency = os.getpriority(os.PRIO_PROCESS, 0)
    try:
        return run.run(workdir)
    finally:
        with suppress(PermissionError):  # only root may take back that a job in the background gives way
            os.setpriority(os.PRIO_PROCESS, 0, urgency)


class Forked:
    """A job's process, as ``subprocess.Popen`` shows one."""

    def __init__(self, workdir: Path) -> None:
        self._workdir = workdir
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(_fork_server()))
        self._lines = self._socket.makefile("rb")
        self._socket.sendall(json.dumps({"workdir": str(workdir), "num_threads": 1}).encode() + b"\n")
        self.pid: int = json.loads(self._lines.readline())["pid"]
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def poll(self) -> int | None:
        return self.wait() if self.returncode is None and select.select([self._socket], [], [], 0)[0] else self.returncode

    def wait(self, timeout: float = HANGS_AFTER_S) -> int:
        """How it ended; one that does not end in time writes where each thread stands and dies of it."""
        if self.returncode is None:
            self._socket.settimeout(timeout)
            try:
                ended = json.loads(self._lines.readline())
            except TimeoutError:
                os.kill(self.pid, signal.SIGABRT)
                time.sleep(1)  # it is writing
                log = (self._workdir / "log.txt").read_text()
                raise AssertionError(f"it did not end within {timeout:g} s:\n{log}") from None
            self.returncode = ended["exit_code"] if "exit_code" in ended else -ended["signal"]
            self._lines.close()
            self._socket.close()
        return self.returncode


def start(workdir: Path) -> Forked:
    """Starts the job as a process of its own, from one that has imported what takes longer than most jobs of tests."""
    return Forked(workdir)


@cache
def _fork_server() -> Path:
    path = Path(f"/tmp/modelyard-jobs-{os.getpid()}.sock")  # Unix sockets have short names
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(REPOSITORY)}
    server = subprocess.Popen([sys.executable, "-m", "engine.forkserver", str(path), str(os.getpid())], env=environment)
    atexit.register(server.terminate)
    while not path.exists():
        assert server.poll() is None, "the fork server ended"
        time.sleep(0.02)
    return path


def events(workdir: Path, kind: str | None = None) -> list:
    """The job's events, of one type if asked; a line that is still being written does not count."""
    path = workdir / "events.jsonl"
    text = path.read_bytes() if path.exists() else b""
    found = [EventLine.validate_json(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]
    return found if kind is None else [event for event in found if event.type == kind]


def losses(workdir: Path) -> list[float]:
    """Training losses, epoch by epoch."""
    return [event.values["loss"] for event in events(workdir, "metric") if event.split == Split.TRAIN]


def embedding_store() -> tuple[Path, Path]:
    """Made-up weights of the backbone of embeddings, and a cache that keeps its graph for all tests."""

    def make(folder: Path) -> None:
        assets = fill_store(folder / "assets", BACKBONE, SIZE)
        pretrained(BACKBONE, SIZE, resolution_px=RESOLUTION_PX, assets_dir=assets, cache_dir=folder / "cache", num_threads=1)

    folder = made_once("embedding", make)
    return folder / "assets", folder / "cache"


def fill_store(assets_dir: Path, family: str = "linear_probe", size: str | None = None) -> Path:
    """A store that holds made-up weights for one of the family's sizes (the first), as if its card had been fetched."""
    spec = family_spec(family)
    asset = str((spec.size(size) if size else spec.sizes[0]).asset)
    folder = assets_dir / asset
    folder.mkdir(parents=True)
    torch.manual_seed(0)
    save_file(pretrained_weights(asset), folder / "weights.safetensors")
    read_card(asset).write(folder / "card.json")
    return assets_dir


def pretrained_weights(asset: str, *, is_calibrated: bool = True) -> dict[str, Tensor]:
    """Fresh weights under the names that a card's file has: those of the network that was pretrained.

    Args:
        asset: the card.
        is_calibrated: whether features of pictures shall not vanish; nobody needs it who only looks at names and shapes.
    """
    owners = [(family_spec(name), size) for name in family_names() for size in family_spec(name).sizes if size.asset == asset]
    borrowers = {FeatureKind.BOXES, FeatureKind.INSTANCES, FeatureKind.MASKS}
    family, size = min(owners, key=lambda owner: owner[0].yields in borrowers)
    network = family_part(family.name, "network")
    if family.reads is Modality.TEXT:
        read: dict[str, Tensor] = network.build(size.name).state_dict()
        return read
    if family.yields is FeatureKind.BOXES:
        state: dict[str, Tensor] = network.pretrained(size.name).state_dict()
        return state
    built = network.build(size.name, 1000)
    if is_calibrated:
        _calibrate(built)
    whole: dict[str, Tensor] = built.state_dict()
    return whole


def _calibrate(network: nn.Module) -> None:
    """Lets batch norm see pictures once: with fresh statistics the features of a deep network vanish."""
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.momentum = None
    with torch.no_grad():
        coarse_BCHW = torch.rand((16, 3, 3, 4)) * 255
        network.train()(F.interpolate(coarse_BCHW, size=(160, 160), mode="bicubic"))
    network.eval()

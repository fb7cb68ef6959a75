"""A training by several processes at once, started and watched by torch's elastic agent.

The job's process prepares and begins the model, the others train it (``World``), and it goes on with the result as if it had
trained itself. Where one of them dies, all begin again at the last checkpoint. Losses are those of one process at the same
batch but for rounding, where the loss is a mean over items and nothing is drawn within the network (dropout).

The processes may be on several hosts (``HostGroup``), which meet by torch's ``c10d`` rendezvous on the first one and share no
disk: what its processes read of it, they tell the others. Where a host is lost, the job ends, and whoever ordered it finds
other hosts.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
from torch.distributed.elastic.rendezvous import RendezvousConnectionError, RendezvousError, RendezvousTimeoutError
from torch.distributed.launcher.api import LaunchConfig, elastic_launch

from automl.contracts.dataset import Split
from automl.contracts.job import JobSpec, StopReason
from automl.contracts.report import CurvePoint
from automl.contracts.training_profile import TrainingProfile
from engine.errors import EngineError, InternalError, as_engine_error
from engine.events import EventLog
from engine.job import EarlyEnd, Job
from engine.process import configure_logging, die_with, without_denormals
from engine.training import hosts, steps
from engine.training.config import GradientConfig
from engine.training.loop import FitResult
from engine.training.network import new_model
from engine.training.prepare import PreparedTrial, prepare
from engine.training.world import World

_LOGGER = logging.getLogger(__name__)
MAX_RESTARTS = 3
"""Times that all processes of one host begin again because one of them died."""
SILENCE = timedelta(minutes=30)
"""A process that hears nothing of the others for so long ends: the first one judges meanwhile."""


class WorkersLostError(EngineError):
    """The processes that train died again and again."""

    code = "worker_crashed"
    is_retryable = True
    hint = "Train with fewer processes, or look at the job's log."


class HostsUnreachableError(EngineError):
    """The hosts that were to train together did not meet."""

    code = "hosts_unreachable"
    hint = "Let the hosts reach each other at all ports, say by MODELYARD_HOST_ADDRESS at which address, or train on one host."


def num_processes(prepared: PreparedTrial, job: Job) -> int:
    """How many train together, on all hosts: as many as the job may use, each with two items of a batch at least."""
    if prepared.criterion is not None:  # what it learns is not in the version that the others would read
        return 1
    most = min(GradientConfig.of(prepared.params).batch_size, len(prepared.records[Split.TRAIN])) // 2
    num_hosts = _num_hosts(job)
    return num_hosts * max(1, min(job.spec.limits.num_processes, most // num_hosts)) if most >= num_hosts else 1


def _num_hosts(job: Job) -> int:
    return 1 if job.spec.hosts is None else job.spec.hosts.num_hosts


def fit(model: nn.Module, prepared: PreparedTrial, job: Job, *, span: tuple[float, float]) -> FitResult:
    """Does what ``steps.fit`` does, by several processes. Errors as of it.

    Raises:
        WorkersLostError: they died more than ``MAX_RESTARTS`` times.
    """
    model = steps.begun(model, prepared, job)
    config = GradientConfig.of(prepared.params)
    steps.gradient_plan(model, prepared, config, steps.training_batches(prepared, config, job), job)  # measures what it chooses
    folder = job.workdir / "parallel"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    torch.save({name: tensor.cpu() for name, tensor in model.state_dict().items()}, folder / "begun.pt")
    num_here = num_processes(prepared, job) // _num_hosts(job)
    for attempt in range(1 + MAX_RESTARTS):
        try:
            _launch(folder, f"{job.spec.id}-{attempt}", num_here, job, span)
        except ChildFailedError as error:
            _raise_written(folder)
            reason = str(error.get_first_failure()[1].message)
            if job.spec.hosts is not None:
                raise WorkersLostError(f"A process that trains ended: {reason}") from error
            _LOGGER.warning("A process ended (attempt %d): %s", attempt + 1, reason)
        else:
            return steps.with_held_back(_read(folder, model), prepared, job)
    raise WorkersLostError(f"The processes that train died {1 + MAX_RESTARTS} times.")


def take_part(job: Job) -> None:
    """Does what a host does that is not the first: its processes train with those of the others.

    Raises:
        WorkersLostError: a process of one of the hosts died.
        EngineError: a process of this host knows why it cannot go on.
    """
    prepared = prepare(job)  # packs the items before the others wait for it
    folder = job.workdir / "parallel"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    assert job.spec.hosts is not None
    hosts.wait_for(job.spec.hosts.meeting)
    try:
        _launch(folder, "", num_processes(prepared, job) // _num_hosts(job), job, (0.0, 1.0))
    except ChildFailedError as error:
        _raise_written(folder)
        raise WorkersLostError(f"A process that trains ended: {error.get_first_failure()[1].message}") from error


def _launch(folder: Path, run_id: str, size: int, job: Job, span: tuple[float, float]) -> None:
    """Trains once. The agent does not begin again by itself: processes that do have met the addresses of those before them.

    Raises:
        ChildFailedError: one of them died.
        HostsUnreachableError: not all hosts came to the meeting.
        WorkersLostError: another host was lost.
    """
    launch = LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=size,
        run_id=run_id,
        rdzv_backend="c10d",
        rdzv_endpoint="localhost:0",
        max_restarts=0,
        start_method="spawn",
        logs_specs=DefaultLogsSpecs(log_dir=str(folder)),
    )
    group = job.spec.hosts
    given = (str(job.workdir), os.getpid(), span, job.control.elapsed_s, job.control.left_s)
    if group is None:
        elastic_launch(launch, _learn)(*given)
        return
    try:
        elastic_launch(hosts.launch_of(launch, group), _learn)(*given)
    except (RendezvousTimeoutError, RendezvousConnectionError) as error:
        message = f"Not all {group.num_hosts} hosts met at {group.meeting} within {group.join_s:.0f} s."
        raise HostsUnreachableError(message) from error
    except (RendezvousError, dist.DistError) as error:
        raise WorkersLostError(f"Another host was lost: {error}") from error


def _raise_written(folder: Path) -> None:
    path = folder / "error.json"
    if path.exists():
        facts = json.loads(path.read_text(encoding="utf-8"))
        error = EngineError(facts["message"], hint=facts["hint"], items=tuple(facts["items"]))
        error.code, error.is_retryable = facts["code"], facts["is_retryable"]
        raise error


def _learn(workdir: str, parent: int, span: tuple[float, float], elapsed_s: float, left_s: float | None) -> None:
    """One of the processes, from its start to its end."""
    die_with(parent)
    configure_logging()
    folder = Path(workdir) / "parallel"
    spec = _spec(Path(workdir), left_s)
    torch.set_num_threads(spec.limits.num_threads)
    if spec.hosts is not None:
        hosts.choose_interface(spec.hosts.address)
    dist.init_process_group("nccl" if spec.device.startswith("cuda") else "gloo", timeout=SILENCE)
    try:
        with without_denormals():
            _train(Path(workdir), spec, _world(spec), span, elapsed_s)
    except Exception as error:
        known = as_engine_error(error)
        if isinstance(known, InternalError):
            raise  # what nobody foresaw, the end of another process for example: all begin again
        facts = {"code": known.code, "message": known.message, "hint": known.hint, "items": known.items}
        (folder / "error.json").write_text(json.dumps({**facts, "is_retryable": known.is_retryable}), encoding="utf-8")
        raise
    finally:
        dist.destroy_process_group()


def _world(spec: JobSpec) -> World:
    """This process among all; where hosts are several, the first of the first host is not always that of rank 0."""
    rank, size = dist.get_rank(), dist.get_world_size()
    how = spec.limits.data_parallel
    if spec.hosts is None:
        return World(rank, size, how=how)
    decides: list[bool] = [False] * size
    dist.all_gather_object(decides, spec.hosts.is_first and os.environ["LOCAL_RANK"] == "0")
    return World(rank, size, first=decides.index(True), has_one_disk=False, how=how)


def _spec(workdir: Path, left_s: float | None) -> JobSpec:
    """The order as one of the processes sees it."""
    spec = JobSpec.read(workdir / "job.json")
    memory_bytes = spec.limits.memory_bytes
    limits = spec.limits.model_copy(
        update={
            "time_s": None if left_s is None else max(0.1, left_s),
            "memory_bytes": None if memory_bytes is None else memory_bytes // int(os.environ["LOCAL_WORLD_SIZE"]),
        }
    )
    device = steps.device_of(spec.device)
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]) % torch.cuda.device_count())
        torch.cuda.set_device(device)
    return spec.model_copy(update={"limits": limits, "device": str(device)})


def _train(workdir: Path, spec: JobSpec, world: World, span: tuple[float, float], elapsed_s: float) -> None:
    folder = workdir / "parallel"
    with EventLog(folder / f"rank-{world.rank}.jsonl") as own:
        job = Job(workdir, spec, own)
        prepared = prepare(job)
        torch.manual_seed(spec.seed + world.rank)
        model = new_model(prepared, job)
        model.load_state_dict(world.read(lambda: torch.load(folder / "begun.pt", map_location="cpu", weights_only=True)))
        model = model.to(steps.device_of(spec.device), memory_format=torch.channels_last)  # type: ignore[call-overload] # as in steps
        if not world.is_first:
            job.control.resume(elapsed_s)
            steps.learned(model, prepared, job, span=span, world=world)
            return
    with EventLog(workdir / "events.jsonl") as events:
        job = Job(workdir, spec, events)
        job.control.resume(elapsed_s)
        _write(folder, steps.learned(model, prepared, job, span=span, world=world))


def _write(folder: Path, fitted: FitResult) -> None:
    halt = fitted.halt
    result: dict[str, Any] = {
        "weights": {name: tensor.cpu() for name, tensor in fitted.model.state_dict().items()},
        "metrics": fitted.metrics,
        "curves": [point.model_dump_json() for point in fitted.curves],
        "halt": None if halt is None else halt.value,
        "is_stopped": isinstance(halt, StopReason),
        "epoch": fitted.epoch,
        "profile": None if fitted.profile is None else fitted.profile.model_dump_json(),
    }
    torch.save(result, folder / "result.pt")


def _read(folder: Path, model: nn.Module) -> FitResult:
    result = torch.load(folder / "result.pt", weights_only=True)
    model.load_state_dict(result["weights"])
    halt = result["halt"]
    if halt is not None:
        halt = StopReason(halt) if result["is_stopped"] else EarlyEnd(halt)
    profile = result["profile"]
    return FitResult(
        model,
        metrics=result["metrics"],
        curves=[CurvePoint.model_validate_json(text) for text in result["curves"]],
        halt=halt,
        epoch=result["epoch"],
        profile=None if profile is None else TrainingProfile.model_validate_json(profile),
    )

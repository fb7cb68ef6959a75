"""A job: files are the protocol between platform and engine (docs/architecture.md, section 3.4).

The platform writes ``job.json`` (JobSpec) and links ``data/``; the engine appends to ``events.jsonl`` one Event a line and
leaves ``artefact/``. ``control/stop`` holds a StopReason and asks the engine to end between two steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from automl.contracts.base import Contract, left_out
from automl.contracts.compression import Budget
from automl.contracts.dataset import Split
from automl.contracts.family import ParamValue

UNLABELLED_FILE = "unlabelled.jsonl"
"""Of a job ``distill``: texts that nobody labelled, a JSON string a line; may be absent."""

START_DIR = "start"
"""Of a working directory: artefacts that training goes on from, each under its id."""
LEARNED_FILE = "learned.txt"
"""In ``START_DIR``: SHA-256 of the blobs that those models learned from, one a line; may be absent."""


class JobState(StrEnum):
    """The state of a job. The moves allowed are a table in ``studio.jobs.states``."""

    QUEUED = "queued"
    LEASED = "leased"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    STOPPED = "stopped"
    """Ended early on purpose by the search (pruned)."""


class StopReason(StrEnum):
    """Content of ``control/stop``."""

    PRUNED = "pruned"
    CANCELLED = "cancelled"
    FINISH = "finish"
    """Learn no more and leave what there is, as at a time limit. A job that knows no such end goes on to its own."""


class DataParallel(Contract):
    """How processes that train one network together put their gradients together."""

    way: Literal["plain", "ddp", "fsdp"] = "plain"
    """``plain`` adds them up after the backward pass, ``ddp`` while it runs (torch's ``DistributedDataParallel``), and with
    ``fsdp`` (``fully_shard``) each process also keeps only a share of weights, gradients and the optimiser's numbers."""
    bucket_mb: int = Field(default=25, ge=1, le=1024)
    """Mebibytes of gradients that are sent at once; ``fsdp`` sends what belongs to one part of the network."""
    sends_bf16: bool = False
    """Whether gradients are sent in bfloat16: half the bytes, and rounded."""


class JobLimits(Contract):
    """What a job may use. None means no limit of our own."""

    time_s: float | None = Field(default=None, gt=0)
    """From the start of the attempt; what earlier ones took does not count."""
    memory_bytes: int | None = Field(default=None, gt=0)
    num_threads: int = Field(default=1, ge=1)
    num_processes: int = Field(default=1, ge=1, le=64, exclude_if=lambda value: value == 1, json_schema_extra=left_out)
    """That train one network together on each host, each on its share of every batch and with ``num_threads``; of families
    without gradient steps it is 1 in any case."""
    num_hosts: int = Field(default=1, ge=1, le=64, exclude_if=lambda value: value == 1, json_schema_extra=left_out)
    """That train one network together, each with ``num_processes``."""
    data_parallel: DataParallel = Field(
        default=DataParallel(), exclude_if=lambda value: value == DataParallel(), json_schema_extra=left_out
    )
    """Of several processes."""
    batch_parts: int | None = Field(default=None, ge=1)
    """In how many parts a step learns its batch, one after the other, with their gradients added up: less memory for the same
    step, but for what batch norm sees. None: the job learns in no batches."""
    folds_s: float = Field(default=0.0, ge=0)
    """Processor seconds for further networks that learn as the one of a trial did and only judge it: each answers a part of few
    items that it did not learn from."""


class HostGroup(Contract):
    """The hosts that train one network together, as one of them sees it. They share no disk."""

    num_hosts: int = Field(ge=2, le=64)
    is_first: bool
    """Whether this host prepares, judges, saves and publishes; the others only learn with it."""
    address: str
    """Of this host, as the others reach it: a name or an IPv4 address."""
    meeting: str
    """``address:port`` at which they meet, on the first host."""
    run_id: str
    """Of this try: processes of an earlier one do not meet those of a later one."""
    join_s: float = Field(default=600.0, gt=0)
    """How long the first host waits at the meeting for the others."""


class TrainConfig(Contract):
    """What one trial trains: chosen by a form, a script or the search; stored with the trial."""

    family: str
    size: str
    params: Mapping[str, ParamValue]
    """Values for the family's ``params``; what is absent takes the default."""
    start_from: str | None = Field(
        default=None, pattern=r"^\w[\w.-]*$", max_length=64, exclude_if=lambda value: value is None, json_schema_extra=left_out
    )
    """Id of a model of the same task, family and size whose weights training begins with; its artefact lies in the working
    directory, in ``START_DIR`` under this name. None begins anew."""


class RefitOrder(Contract):
    """What a job ``refit`` makes: the model that a study ships."""

    members: tuple[str, ...] = Field(min_length=1)
    """Paths of judged artefacts, relative to the working directory, the best first. The first is what is shipped if no mean of
    it and those behind it is better."""
    learns: tuple[Split, ...]
    """All that it may learn from."""
    max_answer_ratio: float = Field(default=1.0, ge=1.0)
    """How many times as long as that of the slowest of its members the answer of a mean may take."""


class CompressOrder(Contract):
    """Which model a job ``compress`` makes smaller, and what a smaller one may lose and cost."""

    parent: str
    """Id of the model."""
    budget: Budget = Budget()
    trains: bool = False
    """Whether ways are tried that train, which takes about as long as the model's own training."""


class PreflightOrder(Contract):
    """What a job ``preflight`` tries on a part of the version."""

    trials: tuple[TrainConfig, ...] = Field(min_length=1)
    """In the order in which they are tried."""
    time_s: float = Field(default=55.0, gt=0)
    """After which the job ends with what it has found."""


class JobSpec(Contract):
    """``job.json``."""

    schema_version: int = 1
    id: str
    kind: Literal[
        "train",
        "evaluate",
        "robustness",
        "advice",
        "embed",
        "map",
        "quality",
        "profile",
        "distill",
        "refit",
        "compress",
        "preflight",
    ]
    task: str
    train: TrainConfig | None = None
    """Set when kind is ``train`` or ``distill``."""
    refit: RefitOrder | None = None
    """Set when kind is ``refit``."""
    compress: CompressOrder | None = None
    """Set when kind is ``compress``."""
    preflight: PreflightOrder | None = None
    """Set when kind is ``preflight``."""
    objective: str = ""
    """Metric that training improves; empty takes the task's."""
    artefact: str | None = None
    """Path of an artefact directory, relative to the working directory: when kind is ``evaluate`` or ``robustness`` what is
    judged, when it is ``advice`` what is advised on, when it is ``distill`` the teacher, when it is ``compress`` what is made
    smaller."""
    split: Split = Split.TEST
    """The split that ``evaluate`` and ``robustness`` look at."""
    seed: int = 0
    device: str = "auto"
    """``auto``, ``cpu`` or a torch device name."""
    cache_dir: str
    """Folder shared by the jobs of a host for packed pictures and features; safe to delete between jobs."""
    assets_dir: str
    """The store of pretrained weights."""
    limits: JobLimits = JobLimits()
    hosts: HostGroup | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """Set of a job that several hosts do together, once they are found."""
    lineage: Mapping[str, str] = {}
    """Ids to copy into the artefact: study, trial, project."""


class _Event(Contract):
    at: datetime
    """Aware, UTC."""


class Started(_Event):
    """The process is up; written before torch touches a device."""

    type: Literal["started"] = "started"
    pid: int
    attempt: int = 1
    resumed_from_step: int | None = None


class Progress(_Event):
    """How far the job is."""

    type: Literal["progress"] = "progress"
    stage: str
    """A stable word: ``load``, ``check``, ``cache``, ``features``, ``layout``, ``train``, ``evaluate``, ``export``, ``parity``,
    ``compress``."""
    fraction: float = Field(ge=0, le=1)
    """Of the whole job."""
    remaining_s: float | None = None


class Metric(_Event):
    """Values measured at one point of the run, drawn as learning curves."""

    type: Literal["metric"] = "metric"
    step: int = Field(ge=0)
    epoch: float = Field(ge=0)
    split: Split
    values: Mapping[str, float]


class Heartbeat(_Event):
    """Alive; at least every five seconds while a job runs."""

    type: Literal["heartbeat"] = "heartbeat"
    memory_bytes: int | None = None
    cpu_s: float | None = None
    """Processor time of the attempt so far, all cores and ended child processes together."""


class Checkpoint(_Event):
    """A point from which the job can go on after a crash."""

    type: Literal["checkpoint"] = "checkpoint"
    step: int


class Warned(_Event):
    """Something a person should know that does not end the job."""

    type: Literal["warning"] = "warning"
    code: str
    message: str


class Failed(_Event):
    """The job ended badly. ``code`` is stable, ``message`` is for people, ``hint`` says what to do."""

    type: Literal["failed"] = "failed"
    code: str
    message: str
    hint: str
    items: tuple[str, ...] = ()
    """Items that caused it, when known."""
    is_retryable: bool = False


class Finished(_Event):
    """The job ended. ``stopped`` says whether it was asked to."""

    type: Literal["finished"] = "finished"
    stopped: StopReason | None = None
    metrics: Mapping[str, float] = {}
    """The objective and its companions on the validation split (train) or on ``split`` (evaluate)."""
    cpu_s: float | None = None
    """Processor time of the attempt, all cores and ended child processes together."""


Event = Annotated[
    Started | Progress | Metric | Heartbeat | Checkpoint | Warned | Failed | Finished,
    Field(discriminator="type"),
]
"""One line of ``events.jsonl``."""

EventLine: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads and writes one line."""

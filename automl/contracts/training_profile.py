"""Where the time of a training went and how its layers fared, as the report shows it."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from automl.contracts.base import Contract, left_out


class TrainingAdvice(StrEnum):
    """What a person may change; what to change it to is in the words of whoever shows it."""

    WAITS_FOR_DATA = "waits_for_data"
    EVALUATES_LONG = "evaluates_long"
    DEAD_UNITS = "dead_units"
    VANISHING_GRADIENTS = "vanishing_gradients"
    EXCHANGES_LONG = "exchanges_long"


class StepTimes(Contract):
    """Means over some steps."""

    step: int = Field(ge=1)
    """The last of them."""
    wait_ms: float = Field(ge=0)
    """For a batch."""
    compute_ms: float = Field(ge=0)


class LayerGroup(Contract):
    """Some layers in a row, at the last step of the last epoch."""

    first: str
    """Name of the first one; ``last`` likewise."""
    last: str
    gradient_norm: float = Field(ge=0)
    weight_norm: float = Field(ge=0)
    dead_fraction: float | None = Field(default=None, ge=0, le=1)
    """Of the channels behind rectifiers (ReLU), those that answered nothing to a whole batch; None without rectifiers."""


class ProcessTimes(Contract):
    """One of several processes that trained a network together."""

    rank: int = Field(ge=0)
    host: str
    compute_s: float = Field(ge=0)
    wait_s: float = Field(ge=0)
    """For data."""
    exchange_s: float = Field(ge=0)
    """Adding up gradients, and waiting for the others to come to it. Where gradients are exchanged while the backward pass runs
    (DDP, FSDP), that part is within ``compute_s``."""


class TrainingProfile(Contract):
    """One training by gradient steps, or what its last attempt did of it."""

    device: str
    num_steps: int = Field(ge=1)
    items_per_s: float = Field(ge=0)
    """Learned, while waiting and computing."""
    wait_s: float = Field(ge=0)
    compute_s: float = Field(ge=0)
    evaluate_s: float = Field(ge=0)
    """On validation, epoch by epoch."""
    save_s: float = Field(ge=0)
    """Of checkpoints."""
    peak_memory_bytes: int = Field(ge=0)
    """Of the process, or of the GPU where it trained on one."""
    steps: tuple[StepTimes, ...] = Field(max_length=200)
    layers: tuple[LayerGroup, ...]
    advice: tuple[TrainingAdvice, ...]
    processes: tuple[ProcessTimes, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """By rank; empty where one process trained alone, and in older reports. The other times are those of the first."""

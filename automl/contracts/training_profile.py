"""Where the time of a training went and how its layers fared, as the report shows it."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from automl.contracts.base import Contract


class TrainingAdvice(StrEnum):
    """What a person may change; what to change it to is in the words of whoever shows it."""

    WAITS_FOR_DATA = "waits_for_data"
    EVALUATES_LONG = "evaluates_long"
    DEAD_UNITS = "dead_units"
    VANISHING_GRADIENTS = "vanishing_gradients"


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

"""Hooks that this app calls and apps above it implement; see ``studio.common.app_config``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from studio.common.app_config import hook_functions
from studio.projects.models import Project


@dataclass(frozen=True)
class DeviceInput:
    """An input that a device's model was unsure of."""

    device: str
    """Id of the device."""
    device_name: str
    name: str
    data: bytes
    artefact: str
    held: Sequence[Mapping[str, Any]]
    """What the model said, as annotations."""
    uncertainty: float | None


class DeviceInputTaken(Protocol):
    """A device sent an input back."""

    def __call__(self, project: Project, sent: DeviceInput, /) -> bool:
        """Makes it an item to label; returns whether it is a new one."""


def device_input_taken(project: Project, sent: DeviceInput) -> bool:
    """A device sent an input back; returns whether it became a new item."""
    is_new = False
    function: DeviceInputTaken
    for function in hook_functions("device_input_taken"):
        is_new |= function(project, sent)
    return is_new

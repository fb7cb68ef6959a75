"""Hooks that this app calls and apps above it implement, with their signatures; see ``studio.common.app_config``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from studio.common.app_config import hook_functions


class ServedTemplates(Protocol):
    """The templates by which the deployments of a project answer with fields."""

    def __call__(self, project: str, /) -> Mapping[str, Mapping[str, Any]]:
        """Their data by slug, as ``runtime.templates`` takes it."""


def served_templates(project: str) -> dict[str, Mapping[str, Any]]:
    """The templates by which the deployments of a project answer with fields."""
    function: ServedTemplates
    found: dict[str, Mapping[str, Any]] = {}
    for function in hook_functions("served_templates"):
        found.update(function(project))
    return found

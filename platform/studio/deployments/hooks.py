"""Hooks that this app calls and apps above it implement, with their signatures; see ``studio.common.app_config``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from exporters.gallery import NamedVectors
from studio.common.app_config import hook_functions
from studio.registry.models import Artefact


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


class ExportedGallery(Protocol):
    """A gallery that goes into the product of a model."""

    def __call__(self, artefact: Artefact, gallery: str, /) -> tuple[str, NamedVectors]:
        """Its name and what it knows, with its state.

        Raises:
            StudioError: the model's project has no such gallery, or it compares by another model.
        """


def exported_gallery(artefact: Artefact, gallery: str) -> tuple[str, NamedVectors]:
    """The name of a gallery that goes into the product of a model, and what it knows; raises as ``ExportedGallery``."""
    function: ExportedGallery
    (function,) = hook_functions("exported_gallery")
    return function(artefact, gallery)

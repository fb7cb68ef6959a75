"""Hooks that this app calls and apps above it implement, with their signatures; see ``studio.common.app_config``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from exporters.gallery import NamedVectors
from studio.common.app_config import hook_functions
from studio.deployments.models import Export
from studio.projects.models import Project
from studio.registry.models import Artefact

State = Mapping[str, Any]


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


@dataclass(frozen=True)
class Attachment:
    """Something that goes with a model to where it answers, and changes without it: of one kind, as it is now."""

    state: State | None
    """By which a product tells whether it has the same (``runtime.attachments``); None where there is nothing of the kind."""
    id: str | None = None
    """Which one, of a kind of which a project has several."""
    name: str | None = None
    """What people call it."""
    artefact: Artefact | None = None
    """The model that it needs, or one that was made from that; None: any of the project."""


class AttachmentsNow(Protocol):
    """What a build would take along."""

    def __call__(self, project: Project, chosen: Mapping[str, State | None], /) -> Mapping[str, Attachment]:
        """The app's kinds, each as it is now.

        ``chosen`` has states of any age, of which the ids say what is wanted of kinds of which a project has several.
        """


def attachments_now(project: Project, chosen: Mapping[str, State | None]) -> dict[str, Attachment]:
    """What a build would take along, by kind; see ``AttachmentsNow``."""
    function: AttachmentsNow
    found: dict[str, Attachment] = {}
    for function in hook_functions("attachments_now"):
        found.update(function(project, chosen))
    return found


class ExportNotBuilt(Protocol):
    """A build has ended without a product."""

    def __call__(self, export: Export, /) -> None:
        """What waits for it does so no longer. Must be idempotent."""


def export_not_built(export: Export) -> None:
    """A build has ended without a product."""
    function: ExportNotBuilt
    for function in hook_functions("export_not_built"):
        function(export)


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

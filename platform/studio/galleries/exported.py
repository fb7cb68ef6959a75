"""Galleries inside the products of their model."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.artefact import GalleryState
from exporters.gallery import NamedVectors
from studio.common.errors import NotFoundError
from studio.deployments.hooks import Attachment, State
from studio.galleries.errors import GalleryModelOtherError
from studio.galleries.index import index_of
from studio.galleries.models import Gallery
from studio.galleries.selectors import limit_of
from studio.projects.models import Project
from studio.registry.models import Artefact

KIND = "gallery"


def attachments_now(project: Project, chosen: Mapping[str, State | None]) -> dict[str, Attachment]:
    """See ``studio.deployments.hooks``. A gallery that is gone stays as it was."""
    state = chosen.get(KIND)
    if not state:
        return {KIND: Attachment(None)}
    found = Gallery.objects.select_related("artefact").filter(project=project, id=state.get("id")).first()
    if found is None:
        return {KIND: Attachment(state)}
    return {KIND: Attachment(_state_of(found).model_dump(), found.id, found.name, found.artefact)}


def exported_gallery(artefact: Artefact, gallery: str) -> tuple[str, NamedVectors]:
    """See ``studio.deployments.hooks``. A model that was made from the gallery's, smaller, answers with its names too."""
    found = Gallery.objects.select_related("artefact").filter(project=artefact.project_id, id=gallery).first()
    if found is None:
        raise NotFoundError("There is no such gallery.")
    limit = limit_of(found)
    if limit is None or found.artefact_id not in {artefact.id, artefact.facts.lineage.parent}:
        raise GalleryModelOtherError(found.name)
    index = index_of(found)
    return found.name, NamedVectors(index.names, index.vectors, limit, _state_of(found))


def _state_of(gallery: Gallery) -> GalleryState:
    return GalleryState(id=gallery.id, revision=gallery.revision)

"""Galleries inside the products of their model."""

from __future__ import annotations

from automl.contracts.artefact import GalleryState
from exporters.gallery import NamedVectors
from studio.common.errors import NotFoundError
from studio.galleries.errors import GalleryModelOtherError
from studio.galleries.index import index_of
from studio.galleries.models import Gallery
from studio.galleries.selectors import limit_of
from studio.registry.models import Artefact


def exported_gallery(artefact: Artefact, gallery: str) -> tuple[str, NamedVectors]:
    """See ``studio.deployments.hooks``. A model that was made from the gallery's, smaller, answers with its names too."""
    found = Gallery.objects.select_related("artefact").filter(project=artefact.project_id, id=gallery).first()
    if found is None:
        raise NotFoundError("There is no such gallery.")
    limit = limit_of(found)
    if limit is None or found.artefact_id not in {artefact.id, artefact.facts.lineage.parent}:
        raise GalleryModelOtherError(found.name)
    index = index_of(found)
    state = GalleryState(id=found.id, revision=found.revision)
    return found.name, NamedVectors(index.names, index.vectors, limit, state)

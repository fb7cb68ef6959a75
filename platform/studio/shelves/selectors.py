"""Reads of shelves. Look-ups by id find only what the caller may see."""

from __future__ import annotations

from django.db.models import QuerySet

from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.projects.models import Project
from studio.registry.answers import judged_answers
from studio.registry.models import Artefact
from studio.shelves.models import Shelf


def shelf_get(sight: Sight, shelf: str) -> Shelf:
    """Finds a shelf with its deployment and gallery.

    Raises:
        NotFoundError: there is none within sight.
    """
    found = _shelves().filter(sight.of("project"), id=shelf, project__deleted_at=None).first()
    if found is None:
        raise NotFoundError("There is no such shelf.")
    return found


def shelf_page(project: Project, *, cursor: str | None, limit: int) -> Page[Shelf]:
    """Cuts a page out of a project's shelves, newest first."""
    return page_of(_shelves().filter(project=project), cursor=cursor, limit=limit)


def finds_packs(artefact: Artefact) -> bool:
    """Whether a model answers with boxes."""
    return judged_answers(artefact.facts).are_boxes


def _shelves() -> QuerySet[Shelf]:
    return Shelf.objects.select_related("project", "deployment__artefact", "gallery__project")

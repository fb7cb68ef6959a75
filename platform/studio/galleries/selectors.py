"""Reads of galleries. Look-ups by id find only what the caller may see."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.galleries.embedding import vector_of
from studio.galleries.errors import GalleryModelGoneError
from studio.galleries.index import index_of
from studio.galleries.models import Gallery, GalleryEntry
from studio.projects.models import Project
from studio.registry.answers import judged_answers
from studio.registry.models import Artefact


@dataclass(frozen=True)
class Match:
    """A name that a picture may show, by its most similar entry."""

    entry: str
    name: str
    similarity: float
    is_same: bool
    """Whether the similarity reaches the gallery's limit."""


def gallery_get(sight: Sight, gallery: str) -> Gallery:
    """Finds a gallery with its model, deployment and job.

    Raises:
        NotFoundError: there is none within sight.
    """
    found = _galleries().filter(sight.of("project"), id=gallery, project__deleted_at=None).first()
    if found is None:
        raise NotFoundError("There is no such gallery.")
    return found


def gallery_page(project: Project, *, cursor: str | None, limit: int) -> Page[Gallery]:
    """Cuts a page out of a project's galleries, newest first."""
    return page_of(_galleries().filter(project=project), cursor=cursor, limit=limit)


def entry_page(gallery: Gallery, *, name: str | None, cursor: str | None, limit: int) -> Page[GalleryEntry]:
    """Cuts a page out of a gallery's entries, newest first.

    Args:
        gallery: whose.
        name: of the entries; None: all.
        cursor: from where.
        limit: how many.
    """
    rows = GalleryEntry.objects.filter(gallery=gallery)
    return page_of(rows if name is None else rows.filter(name=name), cursor=cursor, limit=limit)


def entry_get(gallery: Gallery, entry: str) -> GalleryEntry:
    """Finds an entry.

    Raises:
        NotFoundError: there is none.
    """
    found = GalleryEntry.objects.filter(gallery=gallery, id=entry).first()
    if found is None:
        raise NotFoundError("There is no such entry.")
    return found


def compares(artefact: Artefact) -> bool:
    """Whether a model answers with vectors."""
    return judged_answers(artefact.facts).are_compared


def rates_of(artefact: Artefact) -> list[str]:
    """Rates of false matches that a model has limits for, the loosest first."""
    return sorted(artefact.facts.thresholds, key=float, reverse=True)


def limit_of(gallery: Gallery) -> float | None:
    """The least similarity of two pictures of the same thing; None without a model that has one.

    Where the model has no limit for the gallery's rate, the strictest that it has.
    """
    rates = rates_of(gallery.artefact) if gallery.artefact else []
    if gallery.artefact is None or not rates:
        return None
    thresholds = gallery.artefact.facts.thresholds
    return thresholds.get(gallery.false_match_rate, thresholds[rates[-1]])


def next_model(gallery: Gallery) -> Artefact | None:
    """The deployment's model, where the gallery has another one."""
    if gallery.deployment is None or gallery.deployment.artefact_id == gallery.artefact_id:
        return None
    return gallery.deployment.artefact


def gallery_search(gallery: Gallery, name: str, data: bytes, *, top: int) -> list[Match]:
    """The names whose pictures are most similar to a picture, best first, each with its most similar entry.

    Raises:
        GalleryModelGoneError: the model was deleted.
        GalleryPictureError: the file is no usable picture.
    """
    limit = limit_of(gallery)
    if limit is None:
        raise GalleryModelGoneError
    index = index_of(gallery)
    found = index.nearest_names(vector_of(gallery.artefact, name, data), top)
    return [Match(index.entries[place], index.names[place], similarity, similarity >= limit) for place, similarity in found]


def recall_of(gallery: Gallery) -> float | None:
    """Share of the most similar pictures that a search finds, 0..1; None where it compares with all."""
    codes = index_of(gallery).codes
    return codes.recall if codes else None


def gallery_names(gallery: Gallery) -> list[str]:
    """Names of what the gallery knows."""
    return sorted(set(index_of(gallery).names))


def similarity_of(gallery: Gallery, first: tuple[str, bytes], second: tuple[str, bytes]) -> float:
    """How similar two pictures are, -1..1; raises as ``gallery_search``.

    Args:
        gallery: whose model compares.
        first: name and content of a file.
        second: the same.
    """
    one, other = (vector_of(gallery.artefact, name, data) for name, data in (first, second))
    return min(1.0, max(-1.0, float(one @ other)))


def _galleries() -> QuerySet[Gallery]:
    related = ("project", "artefact__project", "artefact__trial__study", "deployment__artefact", "job")
    counts = {"num_entries": Count("entries", distinct=True), "num_names": Count("entries__name", distinct=True)}
    return Gallery.objects.select_related(*related).annotate(**counts)

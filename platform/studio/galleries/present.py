"""Turns rows into the schemas of the API."""

from __future__ import annotations

from collections.abc import Sequence

from studio.galleries.models import Gallery, GalleryEntry
from studio.galleries.schemas import GalleryEntryOut, GalleryMatchOut, GalleryModelOut, GalleryOut, GallerySearchOut
from studio.galleries.selectors import Match, limit_of, next_model, rates_of
from studio.jobs.schemas import job_out
from studio.registry.models import Artefact
from studio.registry.present import artefact_name


def gallery_out(gallery: Gallery) -> GalleryOut:
    """A gallery as ``selectors`` finds it."""
    return GalleryOut(
        id=gallery.id,
        project=gallery.project_id,
        name=gallery.name,
        deployment=gallery.deployment_id,
        artefact=_model_out(gallery.artefact),
        next_artefact=_model_out(next_model(gallery)),
        false_match_rate=gallery.false_match_rate,
        false_match_rates=rates_of(gallery.artefact) if gallery.artefact else [],
        limit=limit_of(gallery),
        num_entries=gallery.num_entries,  # type: ignore[attr-defined] # counted by the selector; so is the next
        num_names=gallery.num_names,  # type: ignore[attr-defined]
        job=job_out(gallery.job) if gallery.job else None,
        created_at=gallery.created_at,
    )


def entry_out(entry: GalleryEntry) -> GalleryEntryOut:
    """A picture."""
    return GalleryEntryOut(
        id=entry.id,
        name=entry.name,
        thumbnail_url=_thumbnail_url(entry.gallery_id, entry.id),
        size_bytes=entry.size_bytes,
        created_at=entry.created_at,
    )


def search_out(gallery: Gallery, limit: float, matches: Sequence[Match], recall: float | None) -> GallerySearchOut:
    """What was found."""
    return GallerySearchOut(
        limit=limit,
        recall=recall,
        matches=[
            GalleryMatchOut(
                name=each.name,
                similarity=each.similarity,
                is_same=each.is_same,
                entry=each.entry,
                thumbnail_url=_thumbnail_url(gallery.id, each.entry),
            )
            for each in matches
        ],
    )


def _model_out(artefact: Artefact | None) -> GalleryModelOut | None:
    if artefact is None:
        return None
    return GalleryModelOut(id=artefact.id, number=artefact.number, name=artefact_name(artefact))


def _thumbnail_url(gallery: str, entry: str) -> str:
    return f"/api/galleries/{gallery}/entries/{entry}/thumbnail"

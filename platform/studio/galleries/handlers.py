"""What galleries do when their jobs run and end."""

from __future__ import annotations

from collections.abc import Mapping

from studio.common.blobs import blob_checked
from studio.common.events import event_record
from studio.galleries.embedding import vector_of
from studio.galleries.errors import GalleryModelGoneError
from studio.galleries.models import EntryVector, Gallery, GalleryEntry
from studio.galleries.services import gallery_switch, without_vector
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job
from studio.registry.models import Artefact

EXECUTORS: Mapping[str, Executor] = {"gallery": "platform"}
_AT_ONCE = 32
"""Entries that are written together."""


def job_run(job: Job, reporter: Reporter) -> None:
    """Brings a gallery to another model: what is done stays done, and the next attempt goes on from there.

    Raises:
        GalleryModelGoneError: the model was deleted.
        JobCancelledError: as the reporter says.
    """
    gallery = Gallery.objects.select_related("project").get(id=job.subject)
    artefact = Artefact.objects.filter(id=job.payload["artefact"]).first()
    if artefact is None:
        raise GalleryModelGoneError
    number = 0
    while not gallery_switch(gallery=gallery, artefact=artefact.id):
        number += _looked_at(gallery, artefact, reporter)
    reporter.log(f"{number} pictures were looked at by {artefact.id}")


def job_ended(job: Job) -> None:
    """Notifies viewers of the project."""
    event_record(workspace=job.workspace_id, project=job.project_id, type="gallery.changed", subject=job.subject)


def _looked_at(gallery: Gallery, artefact: Artefact, reporter: Reporter) -> int:
    """Looks at some entries; returns how many."""
    rows = []
    for entry in without_vector(gallery, artefact.id)[:_AT_ONCE]:
        reporter.check_cancelled()
        vector = vector_of(artefact, entry.name, blob_checked(entry.blob).read_bytes())
        rows.append(EntryVector(entry=entry, artefact=artefact.id, values=vector.tobytes()))
    kept = set(GalleryEntry.objects.filter(id__in=[row.entry_id for row in rows]).values_list("id", flat=True))
    EntryVector.objects.bulk_create([row for row in rows if row.entry_id in kept], ignore_conflicts=True)
    total = GalleryEntry.objects.filter(gallery=gallery).count()
    left = without_vector(gallery, artefact.id).count()
    reporter.progress("embed", 1.0 - left / max(total, 1))
    return len(rows)

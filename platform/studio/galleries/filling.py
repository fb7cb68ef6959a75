"""A gallery filled with the labelled pictures of its project: the quickest way from a trained model to names."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from studio.accounts.access import Principal
from studio.common.blobs import blob_checked
from studio.datasets.items.annotations import labels_in
from studio.datasets.models import Item, ItemState
from studio.galleries.models import Gallery, GalleryEntry
from studio.galleries.services import MOST_AT_ONCE, NamedPicture, entries_add


@dataclass(frozen=True)
class Filled:
    """What a call added."""

    count: int
    left: int
    """Pictures that the next call adds."""


def gallery_fill(*, gallery: Gallery, per_name: int, actor: Principal) -> Filled:
    """Adds pictures of the project that have one label, under it, until each name has so many; newest pictures last.

    Args:
        gallery: of the project.
        per_name: pictures of a name, those that are there counted.
        actor: who fills it.

    Raises:
        GalleryModelGoneError, GalleryPictureError, GalleryBusyError, StorageQuotaError: as ``entries_add``.
    """
    missing = _missing(gallery, per_name)
    chosen = missing[:MOST_AT_ONCE]
    if chosen:
        pictures = [NamedPicture(label, name, blob_checked(blob).read_bytes()) for label, name, blob in chosen]
        entries_add(gallery=gallery, pictures=pictures, actor=actor)
    return Filled(len(chosen), len(missing) - len(chosen))


def _missing(gallery: Gallery, per_name: int) -> list[tuple[str, str, str]]:
    """Label, name and blob of pictures to add, oldest first."""
    entries = list(GalleryEntry.objects.filter(gallery=gallery).values_list("name", "blob"))
    number, there = Counter(name for name, _ in entries), {blob for _, blob in entries}
    items = Item.objects.filter(dataset__project=gallery.project_id, deleted_at=None, state=ItemState.ANNOTATED)
    found = []
    for name, blob, stored in items.order_by("id").values_list("name", "blob", "annotations").iterator():
        labels = labels_in(stored)
        if len(labels) == 1 and blob not in there and number[label := next(iter(labels))] < per_name:
            number[label] += 1
            found.append((label, name, blob))
    return found

"""Turns items into the schemas of the API."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models.functions import Left

from automl.contracts.dataset import Split
from studio.datasets.items.annotations import item_annotations
from studio.datasets.items.kind import SHOWN_CHARACTERS, ItemPreview
from studio.datasets.items.kinds import kind_of_format
from studio.datasets.items.schemas import ItemOut
from studio.datasets.models import Item, ItemState


def item_out(item: Item) -> ItemOut:
    """An item; the blob's hash in its addresses lets browsers keep pictures for good."""
    shown = item_preview(item)
    return ItemOut(
        id=item.id,
        dataset=item.dataset_id,
        name=item.name,
        blob=item.blob,
        media=shown.media,
        text=shown.text,
        row=shown.row,
        state=ItemState(item.state),
        annotations=list(item_annotations(item) or ()),
        revision=item.revision,
        split=Split(item.split),
        provenance=item.provenance,
        metadata=item.metadata,
        created_at=item.created_at,
        deleted_at=item.deleted_at,
        is_quarantined=item.quarantine != "",
        thumbnail_url=thumbnail_url_if_any(item.id, item.blob, item.format),
        picture_url=picture_url(item.id, item.blob),
    )


def item_preview(item: Item) -> ItemPreview:
    """What is known of an item's file, and what lists show of it."""
    return kind_of_format(item.format).preview(item)


def picture_url(item: str, blob: str) -> str:
    """Where an item's picture is served; browsers keep it for good."""
    return f"/api/items/{item}/picture?v={blob[:12]}"


def thumbnail_url_if_any(item: str, blob: str, form: str) -> str | None:
    """Where an item's thumbnail is served; None of a kind of items without thumbnails.

    Args:
        item: its id.
        blob: its content hash.
        form: its ``Item.format``.
    """
    return thumbnail_url(item, blob) if kind_of_format(form).has_thumbnails else None


def thumbnail_url(item: str, blob: str) -> str:
    """Where the thumbnail of an item is served whose kind has thumbnails."""
    return f"/api/items/{item}/thumbnail?size=256&v={blob[:12]}"


def texts_of(items: Sequence[str]) -> dict[str, str]:
    """The beginnings of texts by the ids of their items, deleted ones too."""
    if not items:
        return {}
    rows = Item.objects.filter(id__in=items, text__isnull=False).annotate(shown=Left("text", SHOWN_CHARACTERS))
    return dict(rows.values_list("id", "shown"))

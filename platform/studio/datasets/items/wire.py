"""Items as they go over the wire."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models.functions import Left

from automl.contracts.dataset import MediaFacts, Split
from automl.contracts.table import Row
from studio.datasets.files.rows import cells_of, is_row, row_of
from studio.datasets.items.annotations import item_said
from studio.datasets.items.schemas import ItemOut
from studio.datasets.models import Item, ItemState

SHOWN_CHARACTERS = 2000
"""Of a text in an answer; the whole is where a picture would be."""


def item_out(item: Item) -> ItemOut:
    """An item; the blob's hash in its addresses lets browsers keep pictures for good."""
    return ItemOut(
        id=item.id,
        dataset=item.dataset_id,
        name=item.name,
        blob=item.blob,
        media=item_media(item),
        text=text_shown(item),
        row=row_shown(item),
        state=ItemState(item.state),
        annotations=list(item_said(item) or ()),
        revision=item.revision,
        split=Split(item.split),
        provenance=item.provenance,
        metadata=item.metadata,
        created_at=item.created_at,
        deleted_at=item.deleted_at,
        is_quarantined=item.quarantine != "",
        thumbnail_url=thumbnail_url(item.id, item.blob),
        picture_url=picture_url(item.id, item.blob),
    )


def item_media(item: Item) -> MediaFacts:
    """What is known of an item's file."""
    return MediaFacts(
        width=item.width,
        height=item.height,
        format=item.format,
        size_bytes=item.size_bytes,
        num_characters=None if item.text is None or is_row(item.format) else len(item.text.strip()),
        num_cells=len(cells_of(item.text)) if item.text is not None and is_row(item.format) else None,
    )


def text_shown(item: Item) -> str | None:
    """As much of a text as a list shows; None of what is no text."""
    return None if item.text is None or is_row(item.format) else item.text[:SHOWN_CHARACTERS]


def row_shown(item: Item) -> Row | None:
    """The cells of a row; None of what is no row."""
    return row_of(item.text) if item.text is not None and is_row(item.format) else None


def picture_url(item: str, blob: str) -> str:
    """Where an item's picture is served; browsers keep it for good."""
    return f"/api/items/{item}/picture?v={blob[:12]}"


def thumbnail_url(item: str, blob: str) -> str:
    """Where an item's thumbnail is served."""
    return f"/api/items/{item}/thumbnail?size=256&v={blob[:12]}"


def texts_of(items: Sequence[str]) -> dict[str, str]:
    """The beginnings of texts by the ids of their items, deleted ones too."""
    if not items:
        return {}
    rows = Item.objects.filter(id__in=items, text__isnull=False).annotate(shown=Left("text", SHOWN_CHARACTERS))
    return dict(rows.values_list("id", "shown"))

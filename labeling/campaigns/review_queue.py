"""What waits for a second pair of eyes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db.models import Exists, OuterRef

from automl.contracts.annotation import Annotations
from labeling.campaigns.models import Campaign
from labeling.campaigns.schemas import QueueItemOut
from labeling.models import Review
from labeling.selectors import names_of
from studio.common.paging import Page, page_of
from studio.datasets.items.wire import item_preview, picture_url, thumbnail_url
from studio.datasets.models import Dataset, Item, ItemState


def review_queue(dataset: Dataset, *, reviewer: str, author: str | None, cursor: str | None, limit: int) -> Page[Item]:
    """Cuts a page out of the items to review, oldest first.

    Args:
        dataset: whose items.
        reviewer: who asks; their own work is left out.
        author: only this person's work (``person:usr_...``); None for everybody's.
        cursor: where the page before ended.
        limit: items in a page.
    """
    looked_at = Review.objects.filter(item=OuterRef("id"), revision=OuterRef("revision"))
    rows = Item.objects.filter(dataset=dataset, deleted_at=None, state=ItemState.ANNOTATED)
    rows = rows.exclude(provenance=reviewer).exclude(Exists(looked_at))
    if author is not None:
        rows = rows.filter(provenance=author)
    return page_of(rows, cursor=cursor, limit=limit, order="id")


def queue_out(items: Sequence[Item]) -> list[QueueItemOut]:
    """Items to review, with who said so."""
    authors = {item.provenance for item in items}
    names = names_of(authors) | _titles(authors)
    return [
        QueueItemOut(
            item=item.id,
            name=item.name,
            media=shown.media,
            text=shown.text,
            row=shown.row,
            annotations=list(Annotations.validate_python(item.annotations)),
            revision=item.revision,
            author=item.provenance,
            author_name=names.get(item.provenance, ""),
            annotated_at=item.annotated_at or item.created_at,
            picture_url=picture_url(item.id, item.blob),
            thumbnail_url=thumbnail_url(item.id, item.blob),
        )
        for item, shown in ((item, item_preview(item)) for item in items)
    ]


def _titles(provenances: Collection[str]) -> dict[str, str]:
    """Titles of the campaigns among provenances."""
    ids = [one.removeprefix("campaign:") for one in provenances if one.startswith("campaign:")]
    titles = Campaign.objects.filter(id__in=ids).values_list("id", "title") if ids else ()
    return {f"campaign:{id_}": title for id_, title in titles}

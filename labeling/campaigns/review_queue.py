"""What waits for a second pair of eyes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Right

from automl.contracts.annotation import Annotations
from labeling.campaigns.models import Campaign
from labeling.campaigns.schemas import QueueItemOut, ReviewAuthorOut
from labeling.models import Review
from labeling.selectors import names_of
from studio.common.ids import ALPHABET
from studio.common.paging import Page, page_of
from studio.datasets.items.present import item_preview, picture_url, thumbnail_url_if_any
from studio.datasets.models import Dataset, Item, ItemState


@dataclass(frozen=True)
class ReviewChoice:
    """Which of the labels that wait."""

    author: str | None = None
    """Only this one's work (``person:usr_...``, ``campaign:cmp_...``); None for everybody's."""
    from_people: bool = False
    """Only what people said, here: no import and no model."""
    share_percent: int = 100
    """A sample: so many of a hundred, the same ones whenever it is asked for."""


def review_rows(dataset: Dataset, *, reviewer: str, choice: ReviewChoice) -> QuerySet[Item, Item]:
    """Items to review; a reviewer's own work is left out."""
    looked_at = Review.objects.filter(item=OuterRef("id"), revision=OuterRef("revision"))
    rows = Item.objects.filter(dataset=dataset, deleted_at=None, state=ItemState.ANNOTATED)
    rows = rows.exclude(provenance=reviewer).exclude(Exists(looked_at))
    if choice.author is not None:
        rows = rows.filter(provenance=choice.author)
    if choice.from_people:
        rows = rows.filter(Q(provenance__startswith="person:") | Q(provenance__startswith="campaign:"))
    if choice.share_percent < 100:
        num = max(1, round(len(ALPHABET) * choice.share_percent / 100))
        # The last character of an id says nothing of the item, so that those with some of its values are a fair sample.
        last = [char for index, char in enumerate(ALPHABET) if index * num % len(ALPHABET) < num]
        rows = rows.annotate(last=Right("id", 1)).filter(last__in=last)
    return rows


def review_queue(dataset: Dataset, *, reviewer: str, choice: ReviewChoice, cursor: str | None, limit: int) -> Page[Item]:
    """Cuts a page out of the items to review, oldest first."""
    return page_of(review_rows(dataset, reviewer=reviewer, choice=choice), cursor=cursor, limit=limit, order="id")


def review_authors(dataset: Dataset, *, reviewer: str, choice: ReviewChoice) -> list[ReviewAuthorOut]:
    """Whose work waits, and how much of it; most first."""
    rows = review_rows(dataset, reviewer=reviewer, choice=choice)
    counts = dict(rows.values_list("provenance").annotate(num=Count("id")).order_by())
    names = names_of(counts) | _titles(counts)
    found = [ReviewAuthorOut(author=author, name=names.get(author, ""), num_items=num) for author, num in counts.items()]
    return sorted(found, key=lambda one: -one.num_items)


def queue_out(items: Sequence[Item]) -> list[QueueItemOut]:
    """Items to review, with their annotators."""
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
            thumbnail_url=thumbnail_url_if_any(item.id, item.blob, item.format),
        )
        for item, shown in ((item, item_preview(item)) for item in items)
    ]


def _titles(provenances: Collection[str]) -> dict[str, str]:
    """Titles of the campaigns among provenances."""
    ids = [one.removeprefix("campaign:") for one in provenances if one.startswith("campaign:")]
    titles = Campaign.objects.filter(id__in=ids).values_list("id", "title") if ids else ()
    return {f"campaign:{id_}": title for id_, title in titles}

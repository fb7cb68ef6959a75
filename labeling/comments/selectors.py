"""Reads of comments. Whoever reads a project's data reads all of them; who labels in campaigns those of the own share alone."""

from __future__ import annotations

from django.db.models import Count, Exists, OuterRef, QuerySet

from labeling.campaigns.models import CampaignItem
from labeling.comments.mentions import names_mentioned
from labeling.comments.models import Comment
from labeling.comments.schemas import CommentedItemOut, CommentOut, OpenCommentOut
from labeling.selectors import names_of
from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.datasets.items.present import item_preview, picture_url, thumbnail_url_if_any
from studio.datasets.models import Dataset, Item

COUNTED = 1_000
"""Items whose comments are counted at once."""


def is_of_share(item: Item, person: str) -> bool:
    """Whether an item is among those of a campaign that a person labels in."""
    return CampaignItem.objects.filter(item=item, campaign__members__person=person).exists()


def comment_get(sight: Sight, comment: str) -> Comment:
    """Finds a comment, deleted or not, with its item, dataset and project.

    Raises:
        NotFoundError: there is none within sight.
    """
    rows = Comment.objects.select_related("item__dataset__project").filter(
        sight.of("dataset__project"), dataset__project__deleted_at=None
    )
    found = rows.filter(id=comment).first()
    if found is None:
        raise NotFoundError("There is no such comment.")
    return found


def comments_of(item: Item) -> list[CommentOut]:
    """The comments of an item, oldest first."""
    return comments_out(list(Comment.objects.filter(item=item, deleted_at=None).order_by("id")))


def comments_out(rows: list[Comment]) -> list[CommentOut]:
    """Comments of one project with the names of those who wrote and resolved them."""
    names = names_of({row.author for row in rows} | {row.resolved_by for row in rows})
    dataset = Dataset.objects.select_related("project").get(id=rows[0].dataset_id) if rows else None
    mentions = names_mentioned([row.text for row in rows], dataset.project) if dataset else []
    return [
        CommentOut(
            id=row.id,
            item=row.item_id,
            by=row.author,
            by_name=names.get(row.author, ""),
            text=row.text,
            operation=row.operation,
            at=row.created_at,
            edited_at=row.edited_at,
            resolved_at=row.resolved_at,
            resolved_by_name=names.get(row.resolved_by, ""),
            mentions=named.there,
            unnotified=named.not_there,
        )
        for row, named in zip(rows, mentions, strict=True)
    ]


def open_page(dataset: Dataset, *, cursor: str | None, limit: int) -> Page[Comment]:
    """Cuts a page out of a project's open comments, newest first."""
    rows = _open(dataset.id).filter(item__deleted_at=None).select_related("item__dataset")
    return page_of(rows, cursor=cursor, limit=limit)


def open_out(rows: list[Comment]) -> list[OpenCommentOut]:
    """Open comments of one project with their items."""
    shown = [(row.item, item_preview(row.item)) for row in rows]
    return [
        OpenCommentOut(
            comment=comment,
            item=CommentedItemOut(
                id=item.id,
                name=item.name,
                media=preview.media,
                text=preview.text,
                row=preview.row,
                picture_url=picture_url(item.id, item.blob),
                thumbnail_url=thumbnail_url_if_any(item.id, item.blob, item.format),
            ),
        )
        for comment, (item, preview) in zip(comments_out(rows), shown, strict=True)
    ]


def open_counts(dataset: Dataset, *, first: str, last: str) -> dict[str, int]:
    """How many open comments each item between two has, by id; items without any are left out.

    Args:
        dataset: whose items.
        first: the first item that counts.
        last: the last item that counts.
    """
    rows = _open(dataset.id).filter(item__gte=first, item__lte=last)
    return dict(rows.values_list("item").annotate(num=Count("id")).order_by("item")[:COUNTED])


def open_comments(dataset: str) -> QuerySet[Comment]:
    """One open comment of each item that has any: the hook by which the gallery finds these items."""
    earlier = _open(dataset).filter(item=OuterRef("item"), id__lt=OuterRef("id"))
    return _open(dataset).exclude(Exists(earlier))


def _open(dataset: str) -> QuerySet[Comment]:
    return Comment.objects.filter(dataset=dataset, resolved_at=None, deleted_at=None)

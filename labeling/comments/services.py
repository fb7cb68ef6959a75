"""Writes of comments. Each change notifies open pages by an event that names the item, without the text."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from labeling.comments.errors import CommentDeletedError, CommentOfAnotherError, CommentsFullError
from labeling.comments.mentions import comment_notify
from labeling.comments.models import Comment
from labeling.services import provenance_of
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.accounts.notices import notices_withdraw
from studio.common.events import event_record
from studio.datasets.models import Item

MOST_OF_AN_ITEM = 500
"""Comments of one item, so that all can be shown at once."""


def comment_add(*, item: Item, text: str, operation: str, actor: Principal) -> Comment:
    """Writes a comment on an item; sending it again finds the first one.

    Args:
        item: with its dataset and project.
        text: of the comment.
        operation: the client's name for it.
        actor: who says it.

    Raises:
        CommentsFullError: the item has very many already.
    """
    with transaction.atomic():
        Item.objects.select_for_update().get(id=item.id)  # of two tabs that send one comment, one waits
        rows = Comment.objects.filter(item=item)
        written = rows.filter(operation=operation).first()
        if written is not None:
            return written
        if rows.filter(deleted_at=None).count() >= MOST_OF_AN_ITEM:
            raise CommentsFullError(MOST_OF_AN_ITEM)
        made = Comment.objects.create(
            dataset_id=item.dataset_id, item=item, author=provenance_of(actor), text=text, operation=operation
        )
        _record(made, item, actor, "comment.added")
        comment_notify(made, item, actor)
    return made


def comment_edit(*, comment: Comment, text: str, actor: Principal) -> Comment:
    """Changes one's own comment.

    Raises:
        CommentOfAnotherError: somebody else wrote it.
        CommentDeletedError: it was taken back.
    """
    with transaction.atomic():
        row = _own(comment, actor)
        if row.deleted_at is not None:
            raise CommentDeletedError
        if row.text != text:
            before = row.text
            row.text, row.edited_at = text, timezone.now()
            row.save(update_fields=["text", "edited_at"])
            _record(row, comment.item, actor, "comment.edited")
            comment_notify(row, comment.item, actor, before=before)
    return row


def comment_resolve(*, comment: Comment, is_resolved: bool, actor: Principal) -> Comment:
    """Closes what a comment is about, or opens it again.

    Raises:
        CommentDeletedError: it was taken back.
    """
    with transaction.atomic():
        row = Comment.objects.select_for_update().get(id=comment.id)
        if row.deleted_at is not None:
            raise CommentDeletedError
        if (row.resolved_at is not None) != is_resolved:
            row.resolved_at = timezone.now() if is_resolved else None
            row.resolved_by = provenance_of(actor) if is_resolved else ""
            row.save(update_fields=["resolved_at", "resolved_by"])
            _record(row, comment.item, actor, "comment.resolved" if is_resolved else "comment.reopened")
    return row


def comment_delete(*, comment: Comment, actor: Principal) -> None:
    """Takes back one's own comment; ``comment_restore`` undoes it.

    Raises:
        CommentOfAnotherError: somebody else wrote it.
    """
    with transaction.atomic():
        row = _own(comment, actor)
        if row.deleted_at is None:
            row.deleted_at = timezone.now()
            row.save(update_fields=["deleted_at"])
            _record(row, comment.item, actor, "comment.deleted")
            notices_withdraw(row.id)


def comment_restore(*, comment: Comment, actor: Principal) -> Comment:
    """Says again what one took back.

    Raises:
        CommentOfAnotherError: somebody else wrote it.
    """
    with transaction.atomic():
        row = _own(comment, actor)
        if row.deleted_at is not None:
            row.deleted_at = None
            row.save(update_fields=["deleted_at"])
            _record(row, comment.item, actor, "comment.restored")
    return row


def comments_prune(*, before: datetime) -> int:
    """Forgets for good what was taken back before a moment; returns how many comments."""
    num_rows, _ = Comment.objects.filter(deleted_at__lt=before).delete()
    return num_rows


def _own(comment: Comment, actor: Principal) -> Comment:
    row = Comment.objects.select_for_update().get(id=comment.id)
    if row.author != provenance_of(actor):
        raise CommentOfAnotherError
    return row


def _record(comment: Comment, item: Item, actor: Principal, word: str) -> None:
    project = item.dataset.project
    audit_record(
        workspace=project.workspace_id,
        project=project.id,
        actor=actor,
        action=word,
        subject=comment.id,
        detail={"item": item.id},
    )
    event_record(workspace=project.workspace_id, project=project.id, type=word, subject=item.id, data={"comment": comment.id})

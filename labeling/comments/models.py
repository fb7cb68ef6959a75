"""The table of comments. They belong to an item, not to its annotations: no version holds them, no training sees them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from studio.common.models import Base


class Comment(Base):
    """A comment on an item. Open until it is resolved."""

    ID_PREFIX = "cmt"

    dataset = models.ForeignKey("datasets.Dataset", on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey("datasets.Item", on_delete=models.CASCADE, related_name="+")
    author = models.CharField(max_length=64)
    """``person:usr_...`` or ``key:key_...``"""
    text = models.TextField()
    operation = models.CharField(max_length=64)
    """The client's name for this comment: sending it twice says it once."""
    edited_at = models.DateTimeField(null=True)
    resolved_at = models.DateTimeField(null=True)
    resolved_by = models.CharField(max_length=64, blank=True, default="")
    deleted_at = models.DateTimeField(null=True)
    """Taken back by its author, who may bring it back."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "operation"], name="comment_operation_once"),
            models.CheckConstraint(
                name="comment_resolved_by_somebody",
                condition=Q(resolved_at=None, resolved_by="") | (Q(resolved_at__isnull=False) & ~Q(resolved_by="")),
            ),
        ]
        indexes = [
            models.Index(fields=["item", "id"], name="comment_item"),
            models.Index(
                fields=["dataset", "item", "id"],
                name="comment_open",
                condition=Q(resolved_at__isnull=True, deleted_at__isnull=True),
            ),
        ]

"""What people did about findings. The findings themselves are ``datasets.ItemFlag``; the report lies with its job's result."""

from __future__ import annotations

from django.db import models

from studio.common.models import ID_LENGTH, Base


class ActionKind(models.TextChoices):
    """What can be done about findings; each can be undone."""

    QUARANTINE = "quarantine"
    """Put aside: out of the dataset, and listed."""
    DELETE = "delete"
    GROUP = "group"
    """One group for copies, so that no later version has them on two sides of a split."""
    RELABEL = "relabel"
    """Take the label that the report suggests."""
    DISMISS = "dismiss"
    """Not a fault; later reports keep that."""


class QualityAction(Base):
    """One thing done, with what undoes it."""

    ID_PREFIX = "qac"

    dataset = models.ForeignKey("datasets.Dataset", on_delete=models.CASCADE, related_name="+")
    action = models.CharField(max_length=16, choices=ActionKind.choices)
    finding = models.CharField(max_length=32)
    """The kind of finding that it was about."""
    num_items = models.PositiveIntegerField()
    before = models.JSONField()
    """Item id -> how it was, in the terms of the action (``actions.py``)."""
    created_by = models.CharField(max_length=ID_LENGTH)
    undone_at = models.DateTimeField(null=True)
    undone_by = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    num_kept = models.PositiveIntegerField(default=0)
    """Items that undoing left alone, since somebody had changed them meanwhile."""

    class Meta:
        indexes = [models.Index(fields=["dataset", "id"], name="quality_action_dataset")]

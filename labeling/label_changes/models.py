"""Tables of label changes: what was done to the labels of a project, and what each item carried before."""

from __future__ import annotations

from django.db import models

from studio.common.models import Base


class ChangeState(models.TextChoices):
    """Moves: applying -> done; done -> undoing -> undone. A stopped job goes on where it was."""

    APPLYING = "applying"
    DONE = "done"
    UNDOING = "undoing"
    UNDONE = "undone"


class LabelChange(Base):
    """One rename, merge or split."""

    ID_PREFIX = "lch"

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    actor = models.JSONField()
    """Who asked: kind, id, name."""
    plan = models.JSONField()
    """``labeling.label_changes.plan.Plan``"""
    label_set_before = models.JSONField()
    state = models.CharField(max_length=8, choices=ChangeState.choices, default=ChangeState.APPLYING)
    num_items = models.PositiveIntegerField(default=0)
    """Items that were rewritten."""
    num_kept = models.PositiveIntegerField(default=0)
    """Items that the undo left alone, since somebody had changed them."""
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["project", "id"], name="label_change_project")]


class LabelChangeItem(models.Model):
    """What an item carried before a change, and the revision that the change made."""

    id = models.BigAutoField(primary_key=True)
    change = models.ForeignKey(LabelChange, on_delete=models.CASCADE, related_name="items")
    item = models.ForeignKey("datasets.Item", on_delete=models.CASCADE, related_name="+")
    before = models.JSONField()
    revision = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["change", "item"], name="label_change_item_once")]

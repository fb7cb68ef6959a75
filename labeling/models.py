"""Tables of the labelling app: who annotated what when, who holds which item, who approved, what a model proposes.

The *current* annotations of an item stand on the item itself (``studio.datasets``).
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from studio.common.models import ID_LENGTH, Base


class AnnotationRevision(Base):
    """One change of an item's annotations. Only ever added."""

    ID_PREFIX = "ann"

    item = models.ForeignKey("datasets.Item", on_delete=models.CASCADE, related_name="+")
    revision = models.PositiveIntegerField()
    annotations = models.JSONField(null=True)
    """None: the item became unlabelled again."""
    provenance = models.CharField(max_length=64, blank=True)
    operation = models.CharField(max_length=64, null=True)
    """The client's name for this change: sending it twice changes once. None for what came by import."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "revision"], name="revision_once"),
            models.UniqueConstraint(fields=["item", "operation"], name="operation_once", condition=Q(operation__isnull=False)),
        ]
        indexes = [models.Index(fields=["provenance", "created_at"], name="revision_by_person")]


class Assignment(models.Model):
    """A person holds an item for a while. The row's key is the item, so two people never hold one."""

    item = models.OneToOneField("datasets.Item", primary_key=True, on_delete=models.CASCADE, related_name="+")
    dataset = models.ForeignKey("datasets.Dataset", on_delete=models.CASCADE, related_name="+")
    holder = models.CharField(max_length=64)
    leased_until = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["dataset", "holder"], name="assignment_holder")]


class Decision(models.TextChoices):
    """What a reviewer decides."""

    APPROVE = "approve"
    RETURN = "return"


class Review(Base):
    """A second person's decision on one revision of an item."""

    ID_PREFIX = "rev"

    item = models.ForeignKey("datasets.Item", on_delete=models.CASCADE, related_name="+")
    revision = models.PositiveIntegerField()
    author = models.CharField(max_length=64)
    reviewer = models.CharField(max_length=64)
    decision = models.CharField(max_length=16, choices=Decision.choices)
    comment = models.CharField(max_length=1000, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "revision"], name="review_once"),
            models.CheckConstraint(name="review_by_another", condition=~Q(author=models.F("reviewer"))),
        ]


class Suggestion(models.Model):
    """What a model, or a returned piece of work, proposes for an item. At most one an item."""

    item = models.OneToOneField("datasets.Item", primary_key=True, on_delete=models.CASCADE, related_name="+")
    dataset = models.ForeignKey("datasets.Dataset", on_delete=models.CASCADE, related_name="+")
    annotations = models.JSONField()
    provenance = models.CharField(max_length=ID_LENGTH + 24)
    uncertainty_fraction = models.FloatField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["dataset", "-uncertainty_fraction"], name="suggestion_unsure")]

"""Tables of live suggestions: how a dataset is helped, the head that helps now, and what people made of its suggestions."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from labeling.assist.strategies import Strategy


class Assist(models.Model):
    """How a dataset is helped, and whether its head is behind. Made when its first embeddings are there."""

    dataset = models.OneToOneField("datasets.Dataset", primary_key=True, on_delete=models.CASCADE, related_name="+")
    strategy = models.CharField(max_length=16, choices=[(one.value, one.value) for one in Strategy], default=Strategy.MIXED)
    queue = models.JSONField(default=list)
    """Ids of unlabelled items, the most useful first, as many as a few people label before the next fit."""
    dirty_at = models.DateTimeField(null=True)
    """When something changed that the head does not know; None when it knows everything."""
    busy_until = models.DateTimeField(null=True)
    """A worker is fitting; after this time it counts as lost."""


class Head(models.Model):
    """The head of a dataset: small enough for a row, so that every host has it with one read."""

    dataset = models.OneToOneField("datasets.Dataset", primary_key=True, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=40)
    """``head_...``: the provenance of its suggestions. A new fit has a new name."""
    content = models.BinaryField()
    """``labeling.assist.head.Head`` as bytes."""
    labels = models.JSONField()
    num_items = models.PositiveIntegerField()
    """Labelled items that it was fitted to."""
    accuracy_fraction = models.FloatField(null=True)
    """On labelled items that it was not fitted to, by cross-validation; None with too few."""
    fitted_at = models.DateTimeField()


class SuggestionAnswer(models.Model):
    """A person decided while a suggestion was shown. Only ever added."""

    dataset = models.ForeignKey("datasets.Dataset", on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey("datasets.Item", on_delete=models.CASCADE, related_name="+")
    revision = models.PositiveIntegerField()
    """Of the item, which the decision made."""
    by = models.CharField(max_length=64)
    """Provenance of the suggestion."""
    is_accepted = models.BooleanField()
    """Whether it was taken as it was."""
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "revision"], name="suggestion_answer_once")]
        indexes = [models.Index(fields=["dataset", "-id"], name="suggestion_answer_newest")]

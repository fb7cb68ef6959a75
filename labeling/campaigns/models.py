"""Tables of labelling campaigns: work shared out among people, who do not see one another's answers.

What people answer in a campaign is kept apart from the items until an answer is settled: then it annotates the item like
any other annotation, and goes into its history.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from studio.common.models import ID_LENGTH, Base


class CampaignState(models.TextChoices):
    """Open campaigns hand out items. Moves: open <-> closed."""

    OPEN = "open"
    CLOSED = "closed"


class MergeRule(models.TextChoices):
    """How several answers become one."""

    MAJORITY = "majority"
    DAWID_SKENE = "dawid_skene"


class Outcome(models.TextChoices):
    """The state of an item of a campaign. Moves: open -> agreed or disputed; disputed -> settled."""

    OPEN = "open"
    """Answers are missing."""
    AGREED = "agreed"
    DISPUTED = "disputed"
    """All answers are there and differ."""
    SETTLED = "settled"
    """Decided after a dispute, by rule or by a person."""


class Campaign(Base):
    """Some items that some people label until a date."""

    ID_PREFIX = "cmp"

    dataset = models.ForeignKey("datasets.Dataset", on_delete=models.CASCADE, related_name="+")
    title = models.CharField(max_length=120)
    instructions = models.TextField(blank=True, default="")
    """What the people read before they start."""
    created_by = models.CharField(max_length=ID_LENGTH)
    opinions_per_item = models.PositiveSmallIntegerField(default=1)
    gold_fraction = models.FloatField(default=0.0)
    """Share of a person's items whose answer is known already, 0..0.5."""
    merge = models.CharField(max_length=16, choices=MergeRule.choices, default=MergeRule.MAJORITY)
    state = models.CharField(max_length=8, choices=CampaignState.choices, default=CampaignState.OPEN)
    deadline_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["dataset", "id"], name="campaign_dataset")]


class CampaignMember(models.Model):
    """A person who labels in a campaign."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="members")
    person = models.CharField(max_length=64)
    """``person:usr_...``"""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "person"], name="campaign_member_once")]
        indexes = [models.Index(fields=["person", "campaign"], name="campaign_of_person")]


class CampaignItem(models.Model):
    """An item in a campaign. Gold items have a known answer; everybody meets them, and answers do not change the item."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey("datasets.Item", on_delete=models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()
    """Order in which items are handed out: shuffled, so that gold and neighbours do not stand out."""
    gold = models.JSONField(null=True)
    """The known answer, as annotations; None for ordinary items."""
    outcome = models.CharField(max_length=8, choices=Outcome.choices, default=Outcome.OPEN)
    num_opinions = models.PositiveSmallIntegerField(default=0)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "item"], name="campaign_item_once")]
        indexes = [
            models.Index(fields=["campaign", "outcome", "-num_opinions", "position"], name="campaign_item_next"),
        ]


class CampaignLease(models.Model):
    """A person holds an item of a campaign for a while, so that no more people work on it than are required."""

    campaign_item = models.ForeignKey(CampaignItem, on_delete=models.CASCADE, related_name="leases")
    person = models.CharField(max_length=64)
    taken_at = models.DateTimeField()
    leased_until = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign_item", "person"], name="campaign_lease_once")]
        indexes = [models.Index(fields=["person", "leased_until"], name="campaign_lease_person")]


class Opinion(Base):
    """What one person answered. Only ever added: a changed mind is a new row, and the old one stops being current."""

    ID_PREFIX = "opn"

    campaign_item = models.ForeignKey(CampaignItem, on_delete=models.CASCADE, related_name="opinions")
    person = models.CharField(max_length=64)
    annotations = models.JSONField(null=True)
    """None: the answer was taken back."""
    operation = models.CharField(max_length=64)
    """The client's name for this answer: sending it twice answers once."""
    is_current = models.BooleanField(default=True)
    duration_s = models.FloatField(null=True)
    """From being handed the item to answering, in seconds; None when a lease had run out between."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign_item", "person"], name="opinion_current_once", condition=Q(is_current=True)
            ),
            models.UniqueConstraint(fields=["campaign_item", "operation"], name="opinion_operation_once"),
        ]
        indexes = [models.Index(fields=["person", "created_at"], name="opinion_by_person")]

"""Labelling in a campaign: take an item, answer, and settle it when all answers are there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q
from django.utils import timezone

from automl.contracts.annotation import Annotation, Annotations
from labeling.agreement import classes_of, object_agreement
from labeling.campaigns.errors import CampaignClosedError, CampaignMemberError, OpinionFullError
from labeling.campaigns.models import (
    Campaign,
    CampaignItem,
    CampaignLease,
    CampaignMember,
    CampaignState,
    Opinion,
    Outcome,
)
from labeling.services import annotation_settle, annotations_check, provenance_of
from studio.accounts.access import Principal
from studio.accounts.notices import notices_add
from studio.common.ids import new_id
from studio.datasets.items.annotations import ItemAnnotations
from studio.datasets.models import Item

LEASE = timedelta(minutes=15)
"""How long an item is kept for a person who does not come back."""

MIN_IOU = 0.75
"""From which mean overlap two people's outlines count as the same answer."""


@dataclass(frozen=True)
class GoldShare:
    """How much gold a person shall meet, and has met."""

    target: float
    num_gold: int
    num_all: int


def campaign_items_take(
    *, campaign: Campaign, actor: Principal, skip: Collection[str], count: int, now: datetime | None = None
) -> list[CampaignItem]:
    """Leases the next items of a campaign to a person; what the person holds already is leased on.

    Gold items are mixed in so that their share of the person's answers comes to the campaign's.

    Args:
        campaign: which one.
        actor: the person.
        skip: ids of items that the person does not want now; those held are given back.
        count: how many at most.
        now: injected by tests.

    Raises:
        CampaignMemberError: the person has no part in it.
        CampaignClosedError: it is closed.
    """
    now = now or timezone.now()
    person = member_check(campaign=campaign, actor=actor)
    if campaign.state != CampaignState.OPEN:
        raise CampaignClosedError
    with transaction.atomic():
        # One person at a time chooses, so that two who ask at once do not both get the last answer required.
        Campaign.objects.select_for_update(no_key=True).get(id=campaign.id)
        leases = CampaignLease.objects.filter(campaign_item__campaign=campaign)
        leases.filter(leased_until__lt=now).delete()
        leases.filter(person=person, campaign_item__item__in=list(skip)).delete()
        chosen = _choose(campaign, person, skip, count)
        leased = set(leases.filter(person=person).values_list("campaign_item", flat=True))
        leases.filter(person=person).update(leased_until=now + LEASE)
        CampaignLease.objects.bulk_create(
            CampaignLease(campaign_item=row, person=person, taken_at=now, leased_until=now + LEASE)
            for row in chosen
            if row.id not in leased
        )
    return chosen


def _choose(campaign: Campaign, person: str, skip: Collection[str], count: int) -> list[CampaignItem]:
    answered = Opinion.objects.filter(campaign_item=OuterRef("id"), person=person, is_current=True)
    rows = (
        CampaignItem.objects.select_related("item")
        .filter(campaign=campaign, outcome=Outcome.OPEN, item__deleted_at=None)
        .exclude(item__in=list(skip))
        .exclude(Exists(answered))
    )
    mine = list(rows.filter(leases__person=person).order_by("leases__taken_at", "position")[:count])
    others = Count("leases", filter=~Q(leases__person=person))
    free = (
        rows.filter(gold__isnull=True)
        .exclude(leases__person=person)
        .annotate(num_leased=others)
        .filter(num_opinions__lt=campaign.opinions_per_item - F("num_leased"))
    )
    # What somebody has begun is finished first, so that results come early.
    ordinary: list[CampaignItem] = list(free.order_by("-num_opinions", "position")[:count])
    gold = list(rows.exclude(gold__isnull=True).exclude(leases__person=person).order_by("position")[:count])
    given = Opinion.objects.filter(campaign_item__campaign=campaign, person=person, is_current=True)
    share = GoldShare(campaign.gold_fraction, given.exclude(campaign_item__gold__isnull=True).count(), given.count())
    return _mixed(mine, ordinary, gold, count=count, share=share)


def _mixed(
    mine: list[CampaignItem], ordinary: list[CampaignItem], gold: list[CampaignItem], *, count: int, share: GoldShare
) -> list[CampaignItem]:
    """What is held first; then ordinary items, with a gold one wherever the person's share of gold has fallen behind."""
    num_all = share.num_all + len(mine)
    num_gold = share.num_gold + sum(row.gold is not None for row in mine)
    chosen = list(mine)
    while len(chosen) < count:
        is_due = bool(gold) and num_gold < share.target * (num_all + 1)
        source = gold if is_due else ordinary
        if not source:
            break  # gold alone, out of its turn, would give itself away
        row = source.pop(0)
        chosen.append(row)
        num_all += 1
        num_gold += row.gold is not None
    return chosen


def gold_to_come(share: GoldShare, *, num_open: int, num_gold: int) -> int:
    """How many gold items a person still meets among so many ordinary ones, as they are mixed in.

    Args:
        share: how much gold there shall be and has been.
        num_open: ordinary items that the person can still get.
        num_gold: gold items that the person has not met.
    """
    met = 0
    for num_ordinary in range(num_open + 1):  # gold may also come after the last ordinary one
        while met < num_gold and share.num_gold + met < share.target * (share.num_all + num_ordinary + met + 1):
            met += 1
    return met


def opinion_save(
    *,
    row: CampaignItem,
    annotations: ItemAnnotations,
    operation: str,
    actor: Principal,
    now: datetime | None = None,
) -> None:
    """Keeps a person's answer; the last one required settles the item when all agree and else makes it disputed.

    An answer can be changed until others' answers are there too; the only answer of an item also afterwards.

    Args:
        row: with its campaign, item, dataset and project.
        annotations: the answer; empty says that nothing is there, None takes the answer back.
        operation: the caller's name for this answer; sent again it changes nothing.
        actor: the person.
        now: injected by tests.

    Raises:
        AnnotationInvalidError: the annotations do not fit the task or the label set.
        CampaignClosedError, CampaignMemberError: as they say.
        OpinionFullError: the item has been settled without the caller, or with others.
    """
    now = now or timezone.now()
    person = member_check(campaign=row.campaign, actor=actor)
    annotations_check(annotations=annotations, project=row.item.dataset.project)
    with transaction.atomic():
        current = CampaignItem.objects.select_for_update(of=("self",)).select_related("campaign", "item").get(id=row.id)
        if Opinion.objects.filter(campaign_item=current, operation=operation).exists():
            return
        if current.campaign.state != CampaignState.OPEN:
            raise CampaignClosedError
        before = Opinion.objects.filter(campaign_item=current, person=person, is_current=True).first()
        if current.outcome != Outcome.OPEN and not _is_theirs_alone(current, person, before):
            raise OpinionFullError
        was_answered = before is not None and before.annotations is not None
        _opinion_put(current, person, annotations, operation, now)
        current.num_opinions += (annotations is not None) - was_answered
        current.save(update_fields=["num_opinions"])
        if annotations is None and current.outcome == Outcome.AGREED:
            outcome_write(row=current, annotations=None, provenance=person, outcome=Outcome.OPEN, at=now)
        elif current.gold is None and current.num_opinions >= current.campaign.opinions_per_item:
            _close(current, now)
            _disputes_notify(current.campaign, actor)


def _disputes_notify(campaign: Campaign, actor: Principal) -> None:
    """Tells who made the campaign when all answers are there and some of them differ."""
    rows = CampaignItem.objects.filter(campaign=campaign, gold__isnull=True, item__deleted_at=None)
    if rows.filter(outcome=Outcome.OPEN).exists():
        return
    num_disputed = rows.filter(outcome=Outcome.DISPUTED).count()
    if num_disputed:
        project = campaign.dataset.project
        notices_add(
            users=[campaign.created_by],
            workspace=project.workspace_id,
            project=project.id,
            kind="disputes",
            subject=campaign.id,
            path=f"/projects/{project.id}/team/{campaign.id}",
            by=actor,
            values={"title": campaign.title, "disputed": num_disputed},
        )


def _is_theirs_alone(row: CampaignItem, person: str, before: Opinion | None) -> bool:
    """Whether the settled answer is this person's only, and nobody has changed the item since."""
    return before is not None and row.outcome == Outcome.AGREED and row.num_opinions == 1 and row.item.provenance == person


def _opinion_put(row: CampaignItem, person: str, annotations: ItemAnnotations, operation: str, now: datetime) -> None:
    lease = CampaignLease.objects.filter(campaign_item=row, person=person).first()
    duration_s = _duration_s(row, person, lease, now)
    Opinion.objects.filter(campaign_item=row, person=person, is_current=True).update(is_current=False)
    Opinion.objects.create(
        campaign_item=row,
        person=person,
        annotations=None if annotations is None else Annotations.dump_python(annotations, mode="json"),
        operation=operation,
        is_current=annotations is not None,
        duration_s=duration_s,
        created_at=now,
    )
    if lease is not None:
        lease.delete()


def _duration_s(row: CampaignItem, person: str, lease: CampaignLease | None, now: datetime) -> float | None:
    """How long an answer took: since the item was handed out, or since the person's answer before it, whichever came later.

    Pages fetch items ahead, so that the lease alone would count the time of those before. None of a corrected answer, where
    nothing came before, and after a break.
    """
    given = Opinion.objects.filter(campaign_item__campaign=row.campaign_id, person=person)
    if given.filter(campaign_item=row).exists():
        return None
    last = given.order_by("-created_at").values_list("created_at", flat=True).first()
    handed_out = None if lease is None else lease.taken_at
    begun = max((at for at in (last, handed_out) if at is not None), default=None)
    return (now - begun).total_seconds() if begun is not None and now - begun <= LEASE else None


def _close(row: CampaignItem, now: datetime) -> None:
    """All answers are there: they agree, or somebody must decide."""
    opinions = list(Opinion.objects.filter(campaign_item=row, is_current=True).order_by("created_at"))
    best = agreed_answer([Annotations.validate_python(one.annotations) for one in opinions])
    if best is None:
        row.outcome = Outcome.DISPUTED
        row.save(update_fields=["outcome"])
        return
    provenance = opinions[0].person if len(opinions) == 1 else f"campaign:{row.campaign_id}"
    outcome_write(row=row, annotations=best, provenance=provenance, outcome=Outcome.AGREED, at=now)


def outcome_write(*, row: CampaignItem, annotations: ItemAnnotations, provenance: str, outcome: Outcome, at: datetime) -> None:
    """Says the settled answer of the item, with an entry in its history. Needs a transaction with the row locked."""
    row.outcome, row.settled_at = outcome, None if outcome == Outcome.OPEN else at
    row.save(update_fields=["outcome", "settled_at"])
    item = Item.objects.select_for_update().get(id=row.item_id)
    annotation_settle(items=[item], annotations=annotations, operation=new_id("set"), provenance=provenance, at=at)


def agreed_answer(answers: Sequence[tuple[Annotation, ...]]) -> tuple[Annotation, ...] | None:
    """The answer that all gave; None when they differ.

    Classes must be the same. Objects must pair up without rest and overlap well; then the answer nearest to all is taken.
    """
    if len({classes_of(one) for one in answers}) != 1:
        return None
    if len(answers) == 1:
        return answers[0]
    nearness = [0.0] * len(answers)
    for i, one in enumerate(answers):
        for j, other in enumerate(answers):
            if i == j:
                continue
            fit = object_agreement(one, other)
            if fit.f1 < 1.0 or fit.mean_iou < MIN_IOU:
                return None
            nearness[i] += fit.mean_iou
    return answers[max(range(len(answers)), key=nearness.__getitem__)]


def member_check(*, campaign: Campaign, actor: Principal) -> str:
    """How the campaign names the caller.

    Raises:
        CampaignMemberError: the caller has no part in it.
    """
    person = provenance_of(actor)
    if not CampaignMember.objects.filter(campaign=campaign, person=person).exists():
        raise CampaignMemberError
    return person

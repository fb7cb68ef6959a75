"""Writes on campaigns as a whole: make, change, close, merge, decide a dispute."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from automl.contracts.annotation import Annotation, Annotations, ClassLabel, stored_class, stored_number
from labeling.agreement import classes_of
from labeling.campaigns.errors import (
    CampaignEmptyError,
    CampaignGoldError,
    CampaignOverlapError,
    CampaignPersonError,
    DisputeNothingError,
    DisputeOwnError,
)
from labeling.campaigns.models import (
    Campaign,
    CampaignItem,
    CampaignLease,
    CampaignMember,
    CampaignState,
    MergeRule,
    Opinion,
    Outcome,
)
from labeling.campaigns.opinions import outcome_write
from labeling.consensus import Consensus, dawid_skene, majority
from labeling.services import annotations_check, provenance_of
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.accounts.notices import notices_add
from studio.accounts.project_roles import people_with
from studio.accounts.roles import role_allows
from studio.common.events import event_record
from studio.common.ids import new_id
from studio.datasets.items.annotations import CHUNK, chunks
from studio.datasets.models import Dataset, Item, ItemState

MAX_ITEMS = 200_000


@dataclass(frozen=True)
class CampaignPlan:
    """What a new campaign shall be."""

    title: str
    people: Sequence[str]
    """Ids of users."""
    instructions: str = ""
    items: Sequence[str] | None = None
    """Ids; None takes unlabelled items, oldest first."""
    max_items: int = 1000
    opinions_per_item: int = 1
    num_gold: int = 0
    """So many items that are labelled already are mixed in, chosen at random."""
    gold_items: Sequence[str] = ()
    """Chosen by hand, besides."""
    gold_fraction: float = 0.1
    merge: MergeRule = MergeRule.MAJORITY
    deadline_at: datetime | None = None


def may_manage(actor: Principal, campaign: Campaign) -> bool:
    """Whether the caller sees all of a campaign rather than their own share."""
    role = actor.access.role_in(campaign.dataset.project.workspace_id, campaign.dataset.project_id)
    return role is not None and role_allows(role, "campaign.manage")


def campaign_create(*, dataset: Dataset, plan: CampaignPlan, actor: Principal) -> Campaign:
    """Makes a campaign and shuffles its items.

    An item is in one open campaign at most: two would ask for its answer twice, and the second would settle what the first
    disputes. Items of other open campaigns are left out where items are drawn, and refused where they are named.

    Raises:
        CampaignEmptyError: no items, or no people.
        CampaignGoldError: gold items that nobody has labelled.
        CampaignOverlapError: items that were named are in another open campaign.
        CampaignPersonError: somebody who may not label in the workspace.
    """
    people = _people(dataset, plan.people)
    if plan.opinions_per_item > len(people):
        raise CampaignEmptyError(
            f"{plan.opinions_per_item} answers an item need as many people; there are {len(people)}.",
            fields={"people": ["too few"]},
            params={"context": "answers", "opinions": plan.opinions_per_item, "people": len(people)},
        )
    seed = new_id(Campaign.ID_PREFIX)  # the campaign's id, known before its row: two campaigns draw different gold
    with transaction.atomic():
        Dataset.objects.select_for_update().get(id=dataset.id)  # of two that share out at once, one waits
        _overlap_check([*(plan.items or ()), *plan.gold_items])
        gold = _gold(dataset, plan, seed=f"gold:{seed}")
        items = [item for item in _items(dataset, plan) if item not in gold]
        if not items:
            raise _empty(dataset, plan)
        campaign = Campaign.objects.create(
            id=seed,
            dataset=dataset,
            title=plan.title.strip(),
            instructions=plan.instructions.strip(),
            created_by=actor.id,
            opinions_per_item=plan.opinions_per_item,
            gold_fraction=plan.gold_fraction if gold else 0.0,
            merge=plan.merge,
            deadline_at=plan.deadline_at,
        )
        CampaignMember.objects.bulk_create(CampaignMember(campaign=campaign, person=person) for person in people)
        order = _shuffled([*items, *gold], seed=seed)
        rows = (
            CampaignItem(campaign=campaign, item_id=item, position=position, gold=gold.get(item))
            for position, item in enumerate(order)
        )
        for chunk in chunks(rows, CHUNK):
            CampaignItem.objects.bulk_create(chunk)
        _record(campaign, actor, "campaign.created", {"title": campaign.title, "num_items": len(items)})
        _assigned_notify(campaign, people, actor)
    return campaign


def _empty(dataset: Dataset, plan: CampaignPlan) -> CampaignEmptyError:
    """Why there is nothing to share out: all is labelled, or open campaigns hold what is not."""
    unlabelled = Item.objects.filter(dataset=dataset, deleted_at=None, state=ItemState.UNLABELLED)
    held = unlabelled.filter(Exists(_held())).count() if plan.items is None else 0
    if held:
        return CampaignEmptyError(
            f"{held} unlabelled items are in other open campaigns.",
            hint="Settle their disputes there, or close those campaigns first.",
            params={"context": "held", "count": held},
        )
    return CampaignEmptyError(
        "No item is left to label.", hint="Upload data, or choose labelled items by hand.", params={"context": "items"}
    )


def _assigned_notify(campaign: Campaign, people: Collection[str], actor: Principal) -> None:
    notices_add(
        users=[person.removeprefix("person:") for person in people],
        workspace=campaign.dataset.project.workspace_id,
        project=campaign.dataset.project_id,
        kind="campaign",
        subject=campaign.id,
        path="/tasks",
        by=actor,
        values={"title": campaign.title},
    )


def _held(exclude: Campaign | None = None) -> QuerySet[CampaignItem]:
    """What open campaigns hold, by the item of an outer query."""
    rows = CampaignItem.objects.filter(item=OuterRef("id"), campaign__state=CampaignState.OPEN)
    return rows if exclude is None else rows.exclude(campaign=exclude)


def _overlap_check(items: Sequence[str]) -> None:
    """Refuses items that open campaigns hold."""
    held = CampaignItem.objects.filter(campaign__state=CampaignState.OPEN)
    num = sum(held.filter(item__in=part).values("item").distinct().count() for part in chunks(items, CHUNK))
    if num:
        raise CampaignOverlapError(num)


def _people(dataset: Dataset, users: Sequence[str]) -> list[str]:
    able = people_with("campaign.label", dataset.project.workspace_id, dataset.project_id) & set(users)
    unable = sorted(set(users) - able)
    if unable:
        raise CampaignPersonError(f"{', '.join(unable)} may not label here.", fields={"people": unable})
    if not able:
        raise CampaignEmptyError(
            "A campaign needs people.", fields={"people": ["choose at least one"]}, params={"context": "people"}
        )
    return [f"person:{user}" for user in dict.fromkeys(users)]


def _items(dataset: Dataset, plan: CampaignPlan) -> list[str]:
    alive = Item.objects.filter(dataset=dataset, deleted_at=None).order_by("id")
    if plan.items is None:
        unlabelled = alive.filter(state=ItemState.UNLABELLED).exclude(Exists(_held()))
        return list(unlabelled.values_list("id", flat=True)[: min(plan.max_items, MAX_ITEMS)])
    return [id_ for part in chunks(plan.items, CHUNK) for id_ in alive.filter(id__in=part).values_list("id", flat=True)]


def _shuffled(items: Sequence[str], *, seed: str) -> list[str]:
    return sorted(items, key=lambda item: hashlib.sha256(f"{seed}:{item}".encode()).digest())


def _gold(dataset: Dataset, plan: CampaignPlan, *, seed: str) -> dict[str, Any]:
    """Items with a known answer, and that answer; those not chosen by hand are drawn by the seed."""
    known = Item.objects.filter(dataset=dataset, deleted_at=None, state=ItemState.ANNOTATED)
    chosen = dict(known.filter(id__in=list(plan.gold_items)).values_list("id", "annotations"))
    if len(chosen) < len(set(plan.gold_items)):
        raise CampaignGoldError(
            "A gold item must be labelled.", fields={"gold_items": ["not labelled"]}, params={"context": "unlabelled"}
        )
    if plan.num_gold:
        free = known.exclude(id__in=list(chosen)).exclude(Exists(_held()))
        others = list(free.values_list("id", flat=True)[:MAX_ITEMS])
        if len(others) < plan.num_gold:
            raise CampaignGoldError(
                f"{plan.num_gold} gold items are wanted, {len(others)} items are labelled.",
                hint="Label some items yourself first: their answers are what people are measured by.",
                fields={"num_gold": ["more than there are labelled items"]},
                params={"context": "few", "wanted": plan.num_gold, "labelled": len(others)},
            )
        drawn = _shuffled(others, seed=seed)[: plan.num_gold]
        chosen |= dict(known.filter(id__in=drawn).values_list("id", "annotations"))
    return chosen


def campaign_update(
    *,
    campaign: Campaign,
    actor: Principal,
    title: str | None = None,
    instructions: str | None = None,
    deadline_at: datetime | None = None,
    people: Sequence[str] | None = None,
    state: CampaignState | None = None,
) -> Campaign:
    """Changes a campaign; None leaves a value as it is. Answers of people who leave stay.

    Raises:
        CampaignOverlapError: it is to be open again, and another open campaign has some of its items.
    """
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update(of=("self",)).select_related("dataset__project").get(id=campaign.id)
        if title is not None:
            campaign.title = title.strip()
        if instructions is not None:
            campaign.instructions = instructions.strip()
        if deadline_at is not None:
            campaign.deadline_at = deadline_at
        if state is not None and state != campaign.state:
            if state == CampaignState.OPEN:
                _reopen_check(campaign)
            campaign.state = state
            campaign.closed_at = timezone.now() if state == CampaignState.CLOSED else None
        if people is not None:
            chosen = _people(campaign.dataset, people)
            _members_set(campaign, chosen)
            _assigned_notify(campaign, chosen, actor)
        campaign.save()
        _record(campaign, actor, "campaign.changed", {"title": campaign.title, "state": campaign.state})
    return campaign


def _reopen_check(campaign: Campaign) -> None:
    Dataset.objects.select_for_update().get(id=campaign.dataset_id)
    mine = CampaignItem.objects.filter(campaign=campaign).values("item")
    num = Item.objects.filter(Exists(_held(exclude=campaign)), id__in=mine).count()
    if num:
        raise CampaignOverlapError(num)


def _members_set(campaign: Campaign, people: Collection[str]) -> None:
    members = CampaignMember.objects.filter(campaign=campaign)
    gone = members.exclude(person__in=people)
    CampaignLease.objects.filter(campaign_item__campaign=campaign, person__in=gone.values("person")).delete()
    gone.delete()
    there = set(members.values_list("person", flat=True))
    CampaignMember.objects.bulk_create(
        CampaignMember(campaign=campaign, person=person) for person in people if person not in there
    )


def campaign_votes(campaign: Campaign) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """Class answers, item -> person -> label, and the truth where it is known: of gold items, and of disputes that are decided.

    No label is a vote for the empty one, and several labels are a vote for just that combination. Numbers are no votes.
    """
    votes: dict[str, dict[str, str]] = {}
    rows = Opinion.objects.filter(campaign_item__campaign=campaign, is_current=True)
    for item, person, answer in rows.values_list("campaign_item__item", "person", "annotations").iterator():
        if not _is_number(answer):
            votes.setdefault(item, {})[person] = _vote(answer)
    rows_of = CampaignItem.objects.filter(campaign=campaign)
    known = dict(rows_of.filter(outcome=Outcome.SETTLED, gold__isnull=True).values_list("item", "item__annotations"))
    known |= dict(rows_of.exclude(gold__isnull=True).values_list("item", "gold"))
    return votes, {item: _vote(answer) for item, answer in known.items() if item in votes and answer is not None}


def _vote(annotations: list[dict[str, Any]] | None) -> str:
    return "|".join(sorted(classes_of(Annotations.validate_python(annotations))))


def _is_number(annotations: list[dict[str, Any]] | None) -> bool:
    return any(stored_number(one) is not None for one in annotations or ())


def campaign_consensus(campaign: Campaign) -> Consensus:
    """What the votes come to by the campaign's rule."""
    votes, known = campaign_votes(campaign)
    return dawid_skene(votes, gold=known) if campaign.merge == MergeRule.DAWID_SKENE else majority(votes, known=known)


def campaign_merge(*, campaign: Campaign, actor: Principal, min_confidence: float = 0.5) -> int:
    """Settles disputed items whose consensus is sure enough; returns how many. The rest waits for a person.

    Only class answers can be counted as votes: disputes about outlines stay for a person.

    Args:
        campaign: which one.
        actor: who asked for it.
        min_confidence: share of votes, or estimated probability, above which the winner is taken.
    """
    winners = campaign_consensus(campaign).winners
    num, now = 0, timezone.now()
    with transaction.atomic():
        rows = CampaignItem.objects.select_for_update().filter(campaign=campaign, outcome=Outcome.DISPUTED)
        for row in rows:
            winner = winners.get(row.item_id)
            if winner is None or winner.confidence <= min_confidence or _has_objects(row):
                continue
            labels = winner.label.split("|") if winner.label else []
            annotations: tuple[Annotation, ...] = tuple(ClassLabel(label=label) for label in labels)
            outcome_write(
                row=row, annotations=annotations, provenance=f"campaign:{campaign.id}", outcome=Outcome.SETTLED, at=now
            )
            num += 1
        _record(campaign, actor, "campaign.merged", {"num_items": num, "rule": campaign.merge})
    return num


def _has_objects(row: CampaignItem) -> bool:
    answers = Opinion.objects.filter(campaign_item=row, is_current=True).values_list("annotations", flat=True)
    return any(stored_class(one) is None for annotations in answers for one in annotations or ())


def dispute_settle(*, row: CampaignItem, annotations: tuple[Annotation, ...], actor: Principal) -> CampaignItem:
    """A person who did not answer decides what is true.

    Raises:
        DisputeNothingError: the item is not disputed.
        DisputeOwnError: the caller gave one of the answers.
        AnnotationInvalidError: the annotations do not fit the task or the label set.
    """
    judge = provenance_of(actor)
    annotations_check(annotations=annotations, project=row.item.dataset.project)
    with transaction.atomic():
        current = (
            CampaignItem.objects.select_for_update(of=("self",)).select_related("campaign__dataset__project").get(id=row.id)
        )
        if current.outcome != Outcome.DISPUTED:
            raise DisputeNothingError
        if Opinion.objects.filter(campaign_item=current, person=judge).exists():
            raise DisputeOwnError
        outcome_write(row=current, annotations=annotations, provenance=judge, outcome=Outcome.SETTLED, at=timezone.now())
        _record(current.campaign, actor, "campaign.settled", {"item": current.item_id})
    return current


def _record(campaign: Campaign, actor: Principal, action: str, detail: Mapping[str, Any]) -> None:
    project = campaign.dataset.project
    audit_record(
        workspace=project.workspace_id, project=project.id, actor=actor, action=action, subject=campaign.id, detail=dict(detail)
    )
    event_record(workspace=project.workspace_id, project=project.id, type=action, subject=campaign.id, data=dict(detail))

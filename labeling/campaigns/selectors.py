"""Reads of labelling campaigns. Look-ups by id find only what the caller may see."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db.models import Count, Exists, OuterRef, QuerySet

from automl.contracts.annotation import Annotation, Annotations, ClassLabel, without_classes
from automl.contracts.table import Row
from labeling.campaigns.models import Campaign, CampaignItem, CampaignMember, CampaignState, MergeRule, Opinion, Outcome
from labeling.campaigns.opinions import GoldShare, gold_to_come
from labeling.campaigns.schemas import AnswerOut, CampaignItemOut, CampaignOut, DisputeOut, MyCampaignOut
from labeling.campaigns.services import campaign_consensus
from labeling.consensus import Winner
from labeling.selectors import names_of
from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.datasets.items.kinds import kind_of_format
from studio.datasets.items.present import item_preview
from studio.datasets.items.table_schema import schema_of
from studio.datasets.models import Dataset, Item


def campaign_get(sight: Sight, campaign: str) -> Campaign:
    """Finds a campaign with its dataset and project.

    Raises:
        NotFoundError: there is none within sight.
    """
    found = _within(sight).filter(id=campaign).first()
    if found is None:
        raise NotFoundError("There is no such campaign.")
    return found


def campaign_item_get(campaign: Campaign, item: str) -> CampaignItem:
    """Finds an item of a campaign, with all that hangs above it.

    Raises:
        NotFoundError: it is not in the campaign.
    """
    rows = CampaignItem.objects.select_related("campaign", "item__dataset__project")
    found = rows.filter(campaign=campaign, item=item).first()
    if found is None:
        raise NotFoundError("There is no such item in the campaign.")
    return found


def _within(sight: Sight) -> QuerySet[Campaign]:
    return Campaign.objects.select_related("dataset__project").filter(
        sight.of("dataset__project"), dataset__project__deleted_at=None
    )


def campaign_page(dataset: Dataset, *, cursor: str | None, limit: int) -> Page[Campaign]:
    """Cuts a page out of a project's campaigns, newest first."""
    return page_of(Campaign.objects.select_related("dataset__project").filter(dataset=dataset), cursor=cursor, limit=limit)


def campaigns_out(campaigns: Sequence[Campaign]) -> list[CampaignOut]:
    """Campaigns with their progress, counted in three queries for all."""
    ids = [campaign.id for campaign in campaigns]
    rows = CampaignItem.objects.filter(campaign__in=ids)
    outcomes: dict[str, dict[Outcome, int]] = {id_: dict.fromkeys(Outcome, 0) for id_ in ids}
    gold: dict[str, int] = dict(
        rows.exclude(gold__isnull=True)
        .values_list("campaign")
        .annotate(num=Count("id"))
        .order_by()
        .values_list("campaign", "num")
    )
    for id_, outcome, num in (
        rows.filter(gold__isnull=True).values_list("campaign", "outcome").annotate(num=Count("id")).order_by()
    ):
        outcomes[id_][Outcome(outcome)] = num
    answers = Opinion.objects.filter(campaign_item__campaign__in=ids, campaign_item__gold__isnull=True, is_current=True)
    given = dict(answers.values_list("campaign_item__campaign").annotate(num=Count("id")).order_by())
    people: dict[str, list[str]] = {id_: [] for id_ in ids}
    for id_, person in CampaignMember.objects.filter(campaign__in=ids).order_by("id").values_list("campaign", "person"):
        people[id_].append(person)
    return [
        CampaignOut(
            id=one.id,
            project=one.dataset.project_id,
            project_name=one.dataset.project.name,
            title=one.title,
            instructions=one.instructions,
            state=CampaignState(one.state),
            opinions_per_item=one.opinions_per_item,
            gold_fraction=one.gold_fraction,
            merge=MergeRule(one.merge),
            deadline_at=one.deadline_at,
            created_at=one.created_at,
            closed_at=one.closed_at,
            num_items=sum(outcomes[one.id].values()),
            num_gold=gold.get(one.id, 0),
            by_outcome=outcomes[one.id],
            num_opinions=given.get(one.id, 0),
            people=people[one.id],
        )
        for one in campaigns
    ]


def my_campaigns(sight: Sight, person: str) -> list[MyCampaignOut]:
    """The campaigns that a person labels in, open ones first, then by deadline."""
    rows = list(_within(sight).filter(members__person=person).order_by("-state", "deadline_at", "-id")[:200])
    ids = [row.id for row in rows]
    mine = Opinion.objects.filter(campaign_item__campaign__in=ids, person=person, is_current=True)
    given = dict(mine.values_list("campaign_item__campaign").annotate(num=Count("id")).order_by())
    answered = Opinion.objects.filter(campaign_item=OuterRef("id"), person=person, is_current=True)
    on_gold = mine.exclude(campaign_item__gold__isnull=True)
    given_gold = dict(on_gold.values_list("campaign_item__campaign").annotate(num=Count("id")).order_by())
    waiting = CampaignItem.objects.filter(campaign__in=ids, outcome=Outcome.OPEN, item__deleted_at=None).exclude(
        Exists(answered)
    )
    num_open, num_gold = (
        dict(waiting.filter(gold__isnull=is_work).values_list("campaign").annotate(num=Count("id")).order_by())
        for is_work in (True, False)
    )

    def to_come(one: Campaign) -> int:
        """All that the person still meets: gold is counted like the rest, so that no number gives it away."""
        work = int(num_open.get(one.id, 0))
        share = GoldShare(one.gold_fraction, given_gold.get(one.id, 0), given.get(one.id, 0))
        return work + gold_to_come(share, num_open=work, num_gold=num_gold.get(one.id, 0))

    return [
        MyCampaignOut(
            id=one.id,
            workspace=one.dataset.project.workspace_id,
            project=one.dataset.project_id,
            project_name=one.dataset.project.name,
            title=one.title,
            instructions=one.instructions,
            state=CampaignState(one.state),
            deadline_at=one.deadline_at,
            num_mine=given.get(one.id, 0),
            num_open=to_come(one),
        )
        for one in rows
    ]


def campaign_item_out(
    campaign: Campaign, item: Item, annotations: list[Annotation] | None, *, name: str | None = None
) -> CampaignItemOut:
    """An item with pictures that only members of the campaign can fetch, and a row without its target.

    Args:
        campaign: which one.
        item: which item.
        annotations: what is shown as its answer.
        name: what it is called instead of by its own name.
    """
    base, shown = f"/api/labeling/campaigns/{campaign.id}/items/{item.id}", item_preview(item)
    has_thumbnails = kind_of_format(item.format).has_thumbnails
    return CampaignItemOut(
        item=item.id,
        name=item.name if name is None else name,
        media=shown.media,
        text=shown.text,
        row=row_without_target(campaign, item),
        annotations=annotations,
        picture_url=f"{base}/picture?v={item.blob[:12]}",
        thumbnail_url=f"{base}/picture?size=256&v={item.blob[:12]}" if has_thumbnails else None,
    )


def row_without_target(campaign: Campaign, item: Item) -> Row | None:
    """A row without its target's cell, as people see it who are asked about it. None of what is no row."""
    row, schema = item_preview(item).row, schema_of(campaign.dataset)
    target = None if schema is None else schema.target
    if row is None or target is None:
        return row
    cells = {name: cell for name, cell in row.cells.items() if name != target.name}
    return Row.model_construct(cells=cells, copy_number=row.copy_number)


def campaign_items_out(campaign: Campaign, person: str, rows: Collection[CampaignItem]) -> list[CampaignItemOut]:
    """Items of a campaign with one person's own answers.

    They go by their place in the campaign, which is shuffled: the name of a file, or of a row, would tell which are gold.
    """
    opinions = Opinion.objects.filter(campaign_item__in=[row.id for row in rows], person=person, is_current=True)
    mine = dict(opinions.values_list("campaign_item", "annotations"))
    return [campaign_item_out(campaign, row.item, _read(mine.get(row.id)), name=f"#{row.position + 1}") for row in rows]


def my_answers(campaign: Campaign, person: str, *, cursor: str | None, limit: int) -> Page[Opinion]:
    """What a person has answered, newest first."""
    rows = Opinion.objects.select_related("campaign_item__item").filter(
        campaign_item__campaign=campaign, person=person, is_current=True
    )
    return page_of(rows, cursor=cursor, limit=limit)


def disputes(campaign: Campaign, *, cursor: str | None, limit: int) -> tuple[list[DisputeOut], str | None]:
    """Items on which people disagree, with all answers and the result of the rule."""
    rows = CampaignItem.objects.select_related("item").filter(campaign=campaign, outcome=Outcome.DISPUTED)
    page = page_of(rows, cursor=cursor, limit=limit, order="id")
    ids = [row.id for row in page.items]
    opinions = list(Opinion.objects.filter(campaign_item__in=ids, is_current=True).order_by("created_at"))
    names = names_of({one.person for one in opinions})
    winners = campaign_consensus(campaign).winners if page.items else {}
    out = []
    for row in page.items:
        answers = [
            AnswerOut(
                person=one.person,
                name=names.get(one.person, ""),
                annotations=list(Annotations.validate_python(one.annotations)),
                at=one.created_at,
            )
            for one in opinions
            if one.campaign_item_id == row.id
        ]
        winner = winners.get(row.item_id)
        out.append(
            DisputeOut(
                item=campaign_item_out(campaign, row.item, None),
                answers=answers,
                proposal=_proposal(winner, answers),
                confidence=None if winner is None else winner.confidence,
            )
        )
    return out, page.next_cursor


def _proposal(winner: Winner | None, answers: Sequence[AnswerOut]) -> list[Annotation] | None:
    if winner is None or any(without_classes(answer.annotations) for answer in answers):
        return None
    return [ClassLabel(label=label) for label in winner.label.split("|") if label]


def _read(stored: object) -> list[Annotation] | None:
    return None if stored is None else list(Annotations.validate_python(stored))

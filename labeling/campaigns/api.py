"""HTTP endpoints of labelling campaigns. Who labels in one meets only its own share; who manages it sees all answers."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Query, Router, Status

from labeling.campaigns import opinions, report, review_queue, selectors, services
from labeling.campaigns.models import Campaign, Outcome
from labeling.campaigns.schemas import (
    CampaignChangeIn,
    CampaignIn,
    CampaignItemOut,
    CampaignItemsIn,
    CampaignItemsOut,
    CampaignOut,
    CampaignReportOut,
    DisputeOut,
    MergeIn,
    MergeOut,
    MyCampaignOut,
    OpinionIn,
    OpinionOut,
    QueueItemOut,
    ReviewAuthorOut,
    ReviewQuery,
    SettleIn,
    WorkerOut,
)
from labeling.services import provenance_of
from studio.accounts.access import principal_of, require
from studio.accounts.roles import Action
from studio.common.paging import PageOut, PageQuery
from studio.datasets.items.http import cached_until_forever, is_cached, item_response, project_dataset_for, sight_of
from studio.datasets.items.kinds import kind_of_format

router = Router(tags=["labeling"])


@router.get("/labeling/campaigns", response=PageOut[CampaignOut], operation_id="campaigns_list")
def campaigns_list(request: HttpRequest, project: str, query: Query[PageQuery]) -> PageOut[CampaignOut]:
    """A project's campaigns, newest first."""
    dataset = project_dataset_for(request, "campaign.read", project)
    page = selectors.campaign_page(dataset, cursor=query.cursor, limit=query.limit)
    return PageOut(items=selectors.campaigns_out(page.items), next_cursor=page.next_cursor)


@router.post("/labeling/campaigns", response={201: CampaignOut}, operation_id="campaign_create")
def campaign_create(request: HttpRequest, body: CampaignIn) -> Status[CampaignOut]:
    """Shares items out among people."""
    dataset = project_dataset_for(request, "campaign.manage", body.project)
    plan = services.CampaignPlan(**body.model_dump(exclude={"project"}))
    campaign = services.campaign_create(dataset=dataset, plan=plan, actor=principal_of(request))
    return Status(201, selectors.campaigns_out([campaign])[0])


@router.get("/labeling/campaigns/mine", response=list[MyCampaignOut], operation_id="campaigns_mine")
def campaigns_mine(request: HttpRequest) -> list[MyCampaignOut]:
    """The campaigns in which the caller labels."""
    actor = principal_of(request)
    return selectors.my_campaigns(actor.sight_of("campaign.label"), provenance_of(actor))


@router.get("/labeling/campaigns/{campaign}", response=CampaignOut, operation_id="campaign_read")
def campaign_read(request: HttpRequest, campaign: str) -> CampaignOut:
    """One campaign and how far it is."""
    return selectors.campaigns_out([_campaign_for(request, "campaign.read", campaign)])[0]


@router.patch("/labeling/campaigns/{campaign}", response=CampaignOut, operation_id="campaign_update")
def campaign_update(request: HttpRequest, campaign: str, body: CampaignChangeIn) -> CampaignOut:
    """Changes people, deadline or words; closes or opens it."""
    found = _campaign_for(request, "campaign.manage", campaign)
    changed = services.campaign_update(campaign=found, actor=principal_of(request), **body.model_dump())
    return selectors.campaigns_out([changed])[0]


@router.get("/labeling/campaigns/{campaign}/report", response=CampaignReportOut, operation_id="campaign_report")
def campaign_report(request: HttpRequest, campaign: str) -> CampaignReportOut:
    """Who does how well, and how far people agree."""
    return report.campaign_report(_campaign_for(request, "campaign.read", campaign))


@router.post("/labeling/campaigns/{campaign}/items", response=CampaignItemsOut, operation_id="campaign_items_take")
def campaign_items_take(request: HttpRequest, campaign: str, body: CampaignItemsIn) -> CampaignItemsOut:
    """Leases the next items to the caller, without the answers of others."""
    found, actor = _campaign_for(request, "campaign.label", campaign), principal_of(request)
    rows = opinions.campaign_items_take(campaign=found, actor=actor, skip=body.skip, count=body.prefetch)
    items = selectors.campaign_items_out(found, provenance_of(actor), rows)
    return CampaignItemsOut(items=items, lease_s=opinions.LEASE.total_seconds())


@router.get("/labeling/campaigns/{campaign}/answers", response=PageOut[CampaignItemOut], operation_id="campaign_answers_mine")
def campaign_answers_mine(request: HttpRequest, campaign: str, query: Query[PageQuery]) -> PageOut[CampaignItemOut]:
    """What the caller has answered, newest first."""
    found, actor = _campaign_for(request, "campaign.label", campaign), principal_of(request)
    person = opinions.member_check(campaign=found, actor=actor)
    page = selectors.my_answers(found, person, cursor=query.cursor, limit=query.limit)
    items = selectors.campaign_items_out(found, person, [one.campaign_item for one in page.items])
    return PageOut(items=items, next_cursor=page.next_cursor)


@router.put("/labeling/campaigns/{campaign}/items/{item}", response=OpinionOut, operation_id="opinion_save")
def opinion_save(request: HttpRequest, campaign: str, item: str, body: OpinionIn) -> OpinionOut:
    """Keeps the caller's answer; sending it again changes nothing."""
    row = selectors.campaign_item_get(_campaign_for(request, "campaign.label", campaign), item)
    annotations = None if body.annotations is None else tuple(body.annotations)
    opinions.opinion_save(row=row, annotations=annotations, operation=body.operation, actor=principal_of(request))
    row.refresh_from_db(fields=["outcome", "gold"])
    # A gold item looks like any other to the person who answers it.
    outcome = Outcome.OPEN if row.gold is not None else Outcome(row.outcome)
    return OpinionOut(item=item, annotations=body.annotations, outcome=outcome)


@router.get("/labeling/campaigns/{campaign}/items/{item}/picture", response={200: bytes}, operation_id="campaign_item_picture")
def campaign_item_picture(request: HttpRequest, campaign: str, item: str, size: int | None = None) -> HttpResponseBase:
    """The picture or the text of an item, for those who label or manage the campaign."""
    found = _campaign_for(request, "campaign.label", campaign)
    row = selectors.campaign_item_get(found, item)
    if not services.may_manage(principal_of(request), found):
        opinions.member_check(campaign=found, actor=principal_of(request))
    tag = f"{row.item.blob}-{size or 'full'}"
    if is_cached(request, tag):
        return HttpResponse(status=304)
    content = selectors.row_without_target(found, row.item)
    if content is not None:
        response: HttpResponseBase = HttpResponse(content.canonical(), content_type="application/json")
    elif size is None or kind_of_format(row.item.format).keeps_text:
        response = item_response(row.item)
    else:
        response = HttpResponse(kind_of_format(row.item.format).thumbnail(row.item, size_px=size), content_type="image/jpeg")
    return cached_until_forever(response, tag)


@router.get("/labeling/campaigns/{campaign}/disputes", response=PageOut[DisputeOut], operation_id="campaign_disputes")
def campaign_disputes(request: HttpRequest, campaign: str, query: Query[PageQuery]) -> PageOut[DisputeOut]:
    """Items on which people disagree."""
    found = _campaign_for(request, "campaign.read", campaign)
    items, next_cursor = selectors.disputes(found, cursor=query.cursor, limit=query.limit)
    return PageOut(items=items, next_cursor=next_cursor)


@router.post("/labeling/campaigns/{campaign}/disputes/{item}", response={204: None}, operation_id="dispute_settle")
def dispute_settle(request: HttpRequest, campaign: str, item: str, body: SettleIn) -> Status[None]:
    """Decides what is true of an item; who answered cannot."""
    row = selectors.campaign_item_get(_campaign_for(request, "campaign.manage", campaign), item)
    services.dispute_settle(row=row, annotations=tuple(body.annotations), actor=principal_of(request))
    return Status(204, None)


@router.post("/labeling/campaigns/{campaign}/merge", response=MergeOut, operation_id="campaign_merge")
def campaign_merge(request: HttpRequest, campaign: str, body: MergeIn) -> MergeOut:
    """Settles by the campaign's rule what is sure enough."""
    found = _campaign_for(request, "campaign.manage", campaign)
    num = services.campaign_merge(campaign=found, actor=principal_of(request), min_confidence=body.min_confidence)
    return MergeOut(num_items=num)


@router.get("/labeling/reviews/queue", response=PageOut[QueueItemOut], operation_id="review_queue")
def review_queue_read(
    request: HttpRequest, project: str, query: Query[PageQuery], choice: Query[ReviewQuery]
) -> PageOut[QueueItemOut]:
    """Annotated items whose current annotations nobody has reviewed and that are not the caller's own work."""
    dataset = project_dataset_for(request, "data.read", project)
    reviewer = provenance_of(principal_of(request))
    some = review_queue.ReviewChoice(**choice.model_dump())
    found = review_queue.review_queue(dataset, reviewer=reviewer, choice=some, cursor=query.cursor, limit=query.limit)
    return PageOut(items=review_queue.queue_out(found.items), next_cursor=found.next_cursor)


@router.get("/labeling/reviews/authors", response=list[ReviewAuthorOut], operation_id="review_authors")
def review_authors(request: HttpRequest, project: str, choice: Query[ReviewQuery]) -> list[ReviewAuthorOut]:
    """Whose labels wait to be reviewed by the caller, and how many."""
    dataset = project_dataset_for(request, "data.read", project)
    some = review_queue.ReviewChoice(**choice.model_dump())
    return review_queue.review_authors(dataset, reviewer=provenance_of(principal_of(request)), choice=some)


@router.get("/labeling/workers", response=list[WorkerOut], operation_id="workers_list")
def workers_list(request: HttpRequest, project: str, days: int = 14) -> list[WorkerOut]:
    """What each person did in a project over the last days."""
    return report.workers(project_dataset_for(request, "campaign.read", project), days=max(1, min(days, 366)))


def _campaign_for(request: HttpRequest, action: Action, campaign: str) -> Campaign:
    found = selectors.campaign_get(sight_of(request), campaign)
    require(request, action, found.dataset.project.workspace_id, project=found.dataset.project_id)
    return found

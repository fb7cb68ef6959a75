"""HTTP endpoints of labelling."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.http import HttpRequest
from ninja import Router, Status

from automl.contracts.annotation import Annotation
from labeling import operations, presence, selectors, services, snapshots
from labeling.assist.answers import ShownSuggestion
from labeling.feedback import feedback_submit
from labeling.journals import journal_check
from labeling.merge import Step
from labeling.present import change_out
from labeling.schemas import (
    AnnotationsIn,
    AssignmentsIn,
    AssignmentsOut,
    BatchIn,
    BatchSavedOut,
    ChangesIn,
    ChangesOut,
    FeedbackIn,
    FeedbackOut,
    ItemRevisionOut,
    LookingOut,
    PresenceIn,
    PresenceOut,
    ReviewIn,
    ReviewOut,
    RevisionOut,
    SavedOut,
    ShownIn,
    SnapshotIn,
    SnapshotJobOut,
    StatsOut,
    SuggestionOut,
)
from studio.accounts.access import allow, principal_of, require
from studio.accounts.roles import Action
from studio.accounts.sight import Sight
from studio.common.errors import InvalidInputError, NotFoundError
from studio.datasets.items.http import project_dataset_for, sight_of
from studio.datasets.items.present import item_out
from studio.datasets.items.selectors import item_get, item_lock, items_get
from studio.datasets.models import Item
from studio.datasets.versions.manifest import version_is_small
from studio.datasets.versions.present import version_out
from studio.datasets.versions.schemas import VersionOut
from studio.deployments.models import Deployment
from studio.jobs.schemas import job_out

router = Router(tags=["labeling"])


@router.put("/labeling/items/{item}/annotations", response=SavedOut, operation_id="annotation_save")
def annotation_save(request: HttpRequest, item: str, body: AnnotationsIn) -> SavedOut:
    """Sets the annotations of an item; 409 `annotation_stale` with the current item when somebody was faster."""
    with transaction.atomic():
        saved, revision = services.annotation_save(
            item=_item_for(request, "label.write", item, find=item_lock),
            annotations=_annotations(body.annotations),
            revision=body.revision,
            operation=body.operation,
            actor=principal_of(request),
            shown=_shown_suggestion(body.suggestion),
        )
    return SavedOut(item=item_out(saved), revision=revision)


@router.put("/labeling/changes", response=ChangesOut, operation_id="changes_save")
def changes_save(request: HttpRequest, body: ChangesIn) -> ChangesOut:
    """Applies a journal: each change once, merged with what others have annotated meanwhile."""
    journal_check(principal_of(request), body.person)
    changes = [
        operations.Change(
            item=one.item,
            operation=one.operation,
            step=Step(_annotations(one.before), _annotations(one.after), has_others=one.has_others),
            choice=one.choice,
            seen=one.seen,
            shown=_shown_suggestion(one.suggestion),
        )
        for one in body.changes
    ]
    with transaction.atomic():
        journal = operations.journal_open(sight_of(request), changes)
        for project in {item.dataset.project for item in journal.items.values()}:
            allow(request, "label.write", project.workspace_id, project=project.id)
        outcomes = operations.changes_save(journal=journal, actor=principal_of(request))
    return ChangesOut(changes=[change_out(outcome) for outcome in outcomes])


@router.post("/labeling/presence", response=PresenceOut, operation_id="presence_tell")
def presence_update(request: HttpRequest, body: PresenceIn) -> PresenceOut:
    """Reports that the caller has an item open, and returns who else has."""
    people = presence.presence_update(item=_item_for(request, "label.write", body.item), actor=principal_of(request))
    return PresenceOut(people=[LookingOut(by=by, name=name) for by, name in people.items()])


@router.post("/labeling/annotations/batch", response=BatchSavedOut, operation_id="annotation_save_many")
def annotation_save_many(request: HttpRequest, body: BatchIn) -> BatchSavedOut:
    """Says the same of many items of one project."""
    items = list(items_get(sight_of(request), body.items))
    if len(items) != len(set(body.items)):
        raise NotFoundError("Some of these items do not exist.")
    if len({item.dataset_id for item in items}) != 1:
        raise InvalidInputError("All items must be of one project.", fields={"items": ["of several projects"]})
    require(request, "label.write", items[0].dataset.project.workspace_id, project=items[0].dataset.project_id)
    saved = services.annotation_save_many(
        items=items,
        annotations=_annotations(body.annotations),
        operation=body.operation,
        actor=principal_of(request),
        shown=_shown_suggestion(body.suggestion),
    )
    return BatchSavedOut(items=[ItemRevisionOut(id=item.id, revision=item.revision) for item in saved])


@router.post("/labeling/assignments", response=AssignmentsOut, operation_id="assignment_take")
def assignment_take(request: HttpRequest, body: AssignmentsIn) -> AssignmentsOut:
    """Leases the next items to label to the caller."""
    items = services.assignment_take(
        dataset=project_dataset_for(request, "label.write", body.project),
        actor=principal_of(request),
        skip=body.skip,
        count=body.prefetch,
    )
    return AssignmentsOut(items=[item_out(item) for item in items], lease_s=services.LEASE.total_seconds())


@router.get("/labeling/history", response=list[RevisionOut], operation_id="item_history")
def item_history(request: HttpRequest, item: str) -> list[RevisionOut]:
    """The history of an item's annotations, newest first."""
    return selectors.item_history(_item_for(request, "data.read", item))


@router.post("/labeling/reviews", response={201: ReviewOut}, operation_id="review_decide")
def review_decide(request: HttpRequest, body: ReviewIn) -> Status[ReviewOut]:
    """Approves an item's annotations or returns them to the labellers."""
    review = services.review_decide(
        item=_item_for(request, "label.write", body.item),
        decision=body.decision,
        comment=body.comment,
        actor=principal_of(request),
    )
    out = ReviewOut(
        id=review.id,
        item=review.item_id,
        revision=review.revision,
        decision=body.decision,
        author=review.author,
        reviewer=review.reviewer,
        comment=review.comment,
        created_at=review.created_at,
    )
    return Status(201, out)


@router.post("/labeling/reviews/{review}/undo", response={204: None}, operation_id="review_undo")
def review_undo(request: HttpRequest, review: str) -> Status[None]:
    """Takes back the caller's own decision, while the item is as it left it."""
    found = selectors.review_get(sight_of(request), review)
    project = found.item.dataset.project
    allow(request, "label.write", project.workspace_id, project=project.id)
    services.review_undo(review=found, actor=principal_of(request))
    return Status(204, None)


@router.post(
    "/labeling/snapshots",
    response={200: VersionOut, 201: VersionOut, 202: SnapshotJobOut},
    operation_id="snapshot_create",
)
def snapshot_create(request: HttpRequest, body: SnapshotIn) -> Status[VersionOut | SnapshotJobOut]:
    """Cuts a version: 201 when it is new, 200 when this state has one, 202 with a job when the dataset is large."""
    dataset = project_dataset_for(request, "version.write", body.project)
    actor = principal_of(request)
    if not version_is_small(dataset):
        job = snapshots.snapshot_submit(dataset=dataset, actor=actor, note=body.note, shares=body.shares, rule=body.rule)
        return Status(202, SnapshotJobOut(job=job_out(job)))
    version, is_new = snapshots.snapshot_create(
        dataset=dataset, actor=actor, note=body.note, shares=body.shares, rule=body.rule
    )
    return Status(201 if is_new else 200, version_out(version))


@router.get("/labeling/stats", response=StatsOut, operation_id="labelling_stats")
def labelling_stats(request: HttpRequest, project: str) -> StatsOut:
    """Who has labelled how much, and what."""
    return selectors.labelling_stats(project_dataset_for(request, "data.read", project))


@router.post("/labeling/feedback", response={202: FeedbackOut}, operation_id="feedback_start")
def feedback_start(request: HttpRequest, body: FeedbackIn) -> Status[FeedbackOut]:
    """Brings inputs that a deployed model was unsure of, or that its shadow answers otherwise, back to the labellers."""
    rows = Deployment.objects.select_related("project").filter(sight_of(request).of("project"))
    deployment = rows.filter(id=body.deployment, project__deleted_at=None).first()
    if deployment is None:
        raise NotFoundError("There is no such deployment.")
    require(request, "data.write", deployment.project.workspace_id, project=deployment.project_id)
    num_items, job = feedback_submit(
        deployment=deployment,
        actor=principal_of(request),
        reason=body.reason,
        min_uncertainty=body.min_uncertainty,
        limit=body.limit,
    )
    return Status(202, FeedbackOut(items=num_items, job=None if job is None else job_out(job)))


@router.get("/labeling/suggestions", response=dict[str, SuggestionOut], operation_id="suggestions_read")
def suggestions_read(request: HttpRequest, items: str) -> dict[str, SuggestionOut]:
    """What is proposed for items, by item id; `items` are ids with commas between."""
    return selectors.suggestions_of(principal_of(request).sight_of("data.read"), items.split(",")[:200])


def _annotations(annotations: list[Annotation] | None) -> tuple[Annotation, ...] | None:
    return None if annotations is None else tuple(annotations)


def _shown_suggestion(suggestion: ShownIn | None) -> ShownSuggestion | None:
    return None if suggestion is None else ShownSuggestion(by=suggestion.by, annotations=tuple(suggestion.annotations))


def _item_for(request: HttpRequest, action: Action, item: str, *, find: Callable[[Sight, str], Item] = item_get) -> Item:
    found = find(sight_of(request), item)
    allow(request, action, found.dataset.project.workspace_id, project=found.dataset.project_id)
    return found

"""Writes of the labelling app: annotate an item, lease items to label, review."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from automl.contracts.annotation import Annotation, Annotations
from labeling.assist.answers import ShownSuggestion, suggestions_answered
from labeling.candidates import candidates_read
from labeling.errors import (
    AnnotationInvalidError,
    AnnotationStaleError,
    ItemDeletedError,
    ReviewChangedError,
    ReviewExistsError,
    ReviewNothingError,
    ReviewOfAnotherError,
    ReviewOwnWorkError,
)
from labeling.geometry import masks_of
from labeling.history import entry_of, history_add, history_fill, revisions_made
from labeling.leases import dataset_lock, leases_end, leases_prune, leases_take
from labeling.models import AnnotationRevision, Decision, Review, Suggestion
from labeling.next_item import choose
from labeling.validation import annotation_complaints
from studio.accounts.access import Principal
from studio.accounts.notices import excerpt, notices_add, notices_withdraw
from studio.common.ids import new_id
from studio.common.sql.batch import StatementBatch
from studio.datasets.items.annotations import AnnotationWrite, ItemAnnotations, annotations_write, item_annotations
from studio.datasets.items.label_set import takes_several
from studio.datasets.items.lookup import items_read
from studio.datasets.models import Dataset, Item, ItemState
from studio.projects.catalog import annotation_schema
from studio.projects.models import Project

LEASE = timedelta(minutes=10)
"""How long an item is kept for a person who does not come back."""


def provenance_of(actor: Principal) -> str:
    """How an item names who spoke."""
    return f"{'person' if actor.kind == 'user' else actor.kind}:{actor.id}"


def annotation_save(
    *,
    item: Item,
    annotations: ItemAnnotations,
    revision: int,
    operation: str,
    actor: Principal,
    shown: ShownSuggestion | None = None,
) -> tuple[Item, int]:
    """Says something of an item; answers with the item as it is now and the revision that this operation made.

    Needs a transaction with the item's row locked.

    Args:
        item: with its dataset and project.
        annotations: None makes it unlabelled again; empty says that nothing is there.
        revision: what the caller saw.
        operation: the caller's name for this change; sent again it changes nothing.
        actor: who speaks.
        shown: the suggestion that the person saw.

    Raises:
        AnnotationStaleError: somebody changed it meanwhile.
        AnnotationInvalidError: the annotations do not fit the task or the label set.
        ItemDeletedError: the item has been deleted.
    """
    done = revisions_made([item], [operation]).get((item.id, operation))
    if done is not None:
        return item, done
    _check(annotations, item.dataset.project, item)
    if item.deleted_at is not None:
        raise ItemDeletedError
    if item.revision != revision:
        raise AnnotationStaleError(item)
    _write([item], annotations, operation, provenance_of(actor), timezone.now())
    if shown is not None:
        suggestions_answered(items=[item], annotations=annotations, shown=shown)
    return item, item.revision


def annotation_save_many(
    *,
    items: Sequence[Item],
    annotations: ItemAnnotations,
    operation: str,
    actor: Principal,
    shown: ShownSuggestion | None = None,
) -> list[Item]:
    """Gives many items of one project the same annotations in place of their own, which the history keeps.

    ``shown`` is the suggestion that all of them had, when that is what is taken.

    Raises:
        AnnotationInvalidError: the annotations do not fit the task or the label set.
    """
    if not items:
        return []
    _check(annotations, items[0].dataset.project)
    with transaction.atomic():
        ids = [item.id for item in items]
        rows = list(Item.objects.select_for_update().filter(id__in=ids, deleted_at=None).order_by("id"))
        done = set(AnnotationRevision.objects.filter(item__in=ids, operation=operation).values_list("item", flat=True))
        open_rows = [row for row in rows if row.id not in done]
        _write(open_rows, annotations, operation, provenance_of(actor), timezone.now())
        if shown is not None:
            suggestions_answered(items=open_rows, annotations=annotations, shown=shown)
    return rows


def annotations_check(*, annotations: ItemAnnotations, project: Project, item: Item | None = None) -> None:
    """Makes sure that an item of the project may have these annotations.

    Args:
        annotations: what a person says.
        project: with its task and label set.
        item: that they are of; the scores that an import brought may stay.

    Raises:
        AnnotationInvalidError: they do not fit the task or the label set; it carries all complaints.
    """
    _check(annotations, project, item)


def annotation_settle(
    *, items: Sequence[Item], annotations: ItemAnnotations, operation: str, provenance: str, at: datetime
) -> None:
    """Says what several people's answers came to. Needs a transaction with the items' rows locked."""
    _write(list(items), annotations, operation, provenance, at)


def _check(annotations: ItemAnnotations, project: Project, item: Item | None = None) -> None:
    complaints = annotation_complaints(
        annotations or (),
        schema=annotation_schema(project),
        labels=project.labels.names,
        takes_several=takes_several(project),
        known_scores=_scores_known(annotations or (), item),
        known_masks=masks_of((item and item.annotations) or ()),
        sides=(item.width, item.height) if item is not None and item.width and item.height else None,
    )
    if complaints:
        raise AnnotationInvalidError(complaints)


def _scores_known(annotations: Sequence[Annotation], item: Item | None) -> set[float]:
    """Scores that an item bears or bore: undoing may bring one back. Most of what people say has none and asks nothing."""
    if item is None or all(one.score is None for one in annotations):
        return set()
    earlier = AnnotationRevision.objects.filter(item=item).values_list("annotations", flat=True)
    stored = [one for some in (item.annotations, *earlier) for one in some or ()]
    return {one["score"] for one in stored if one.get("score") is not None}


def _write(items: list[Item], annotations: ItemAnnotations, operation: str, provenance: str, at: datetime) -> None:
    """Says the same of items, whose rows are locked."""
    writes = [AnnotationWrite(item, annotations, provenance) for item in items]
    annotations_write_with_history(writes=writes, operations=[operation] * len(items), at=at)


def annotations_write_with_history(
    *, writes: Sequence[AnnotationWrite], operations: Sequence[str | None], at: datetime, batch: StatementBatch | None = None
) -> None:
    """Changes items, at most once each, and adds to their history. Needs a transaction with the items' rows locked.

    Args:
        writes: annotations, each of an item of its own.
        operations: the callers' names for these changes, one a statement; None where nobody named it.
        at: when.
        batch: where it is added, for callers who send more with it.
    """
    if not writes:
        return
    sent = StatementBatch() if batch is None else batch
    items = [one.item for one in writes]
    # What came by import has no entry yet: without one the history would not show what was changed.
    before = [entry_of(item, item.annotated_at or at, item.provenance, None) for item in items if item.revision > 0]
    history_fill(sent, before)
    annotations_write(writes=writes, at=at, batch=sent)
    history_add(sent, [entry_of(one.item, at, one.provenance, name) for one, name in zip(writes, operations, strict=True)])
    leases_end(sent, [item.id for item in items])
    if batch is None:
        sent.send()


def assignment_take(
    *, dataset: Dataset, actor: Principal, skip: Collection[str], count: int, now: datetime | None = None
) -> list[Item]:
    """Leases the next items to a person; what the person holds already is leased on.

    Args:
        dataset: whose items.
        actor: the person.
        skip: items that the person does not want now; those held are given back.
        count: how many at most.
        now: injected by tests.
    """
    now = now or timezone.now()
    holder = provenance_of(actor)
    with transaction.atomic():
        batch = StatementBatch()
        dataset_lock(batch, dataset.id)
        leases_prune(batch, dataset=dataset.id, before=now, holder=holder, items=skip)
        found = candidates_read(batch, dataset=dataset.id, holder=holder, skip=skip, count=count)
        chosen = choose(found.items, mine=found.mine, leased=frozenset(), skip=frozenset(skip), count=count)
        leases_take(batch, dataset=dataset.id, holder=holder, until=now + LEASE, items=chosen)
        batch.send()
    rows = items_read(chosen)
    return [rows[item] for item in chosen]


def review_decide(*, item: Item, decision: str, comment: str, actor: Principal) -> Review:
    """Approves an item's annotations or returns them.

    A returned item is unlabelled again and so comes up for labelling; what it carried becomes its suggestion.

    Raises:
        ReviewNothingError: the item is unlabelled.
        ReviewOwnWorkError: the reviewer wrote the annotations.
        ReviewExistsError: this revision has been reviewed.
    """
    reviewer = provenance_of(actor)
    with transaction.atomic():
        current = Item.objects.select_for_update().get(id=item.id)
        if current.state != ItemState.ANNOTATED:
            raise ReviewNothingError
        if current.provenance == reviewer:
            raise ReviewOwnWorkError
        review = Review(
            item=current,
            revision=current.revision,
            author=current.provenance,
            reviewer=reviewer,
            decision=Decision(decision),
            comment=comment,
        )
        if Review.objects.filter(item=current, revision=current.revision).exists():
            raise ReviewExistsError
        review.save(force_insert=True)
        if review.decision == Decision.RETURN:
            suggestion_put(item=current, annotations=item_annotations(current) or (), provenance=current.provenance)
            _write([current], None, review.id, reviewer, timezone.now())
            _returned_notify(review, item, actor)
    return review


def _returned_notify(review: Review, item: Item, actor: Principal) -> None:
    project = item.dataset.project
    if not review.author.startswith("person:"):
        return
    notices_add(
        users=[review.author.removeprefix("person:")],
        workspace=project.workspace_id,
        project=project.id,
        kind="returned",
        subject=review.id,
        path=f"/projects/{project.id}/labelling?item={item.id}",
        by=actor,
        values={"item": item.name, "text": excerpt(review.comment)},
    )


def review_undo(*, review: Review, actor: Principal) -> None:
    """Takes back one's own decision: what was approved waits again, and what was returned is labelled as before.

    Raises:
        ReviewChangedError: the item has been changed since.
        ReviewOfAnotherError: somebody else decided.
    """
    if review.reviewer != provenance_of(actor):
        raise ReviewOfAnotherError
    with transaction.atomic():
        item = Item.objects.select_for_update().get(id=review.item_id)
        is_returned = review.decision == Decision.RETURN
        if item.revision != review.revision + is_returned or item.deleted_at is not None:
            raise ReviewChangedError
        if is_returned:
            before = AnnotationRevision.objects.get(item=item, revision=review.revision)
            Suggestion.objects.filter(item=item).delete()
            annotations = Annotations.validate_python(before.annotations)
            _write([item], annotations, new_id("und"), review.author, timezone.now())
        Review.objects.filter(id=review.id).delete()
        notices_withdraw(review.id)


def suggestion_put(
    *, item: Item, annotations: Sequence[Annotation], provenance: str, uncertainty_fraction: float | None = None
) -> None:
    """Proposes annotations for an item, in place of what was proposed before."""
    Suggestion.objects.update_or_create(
        item=item,
        defaults={
            "dataset_id": item.dataset_id,
            "annotations": Annotations.dump_python(tuple(annotations), mode="json"),
            "provenance": provenance,
            "uncertainty_fraction": uncertainty_fraction,
            "created_at": timezone.now(),
        },
    )

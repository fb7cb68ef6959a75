"""Reads of the labelling app."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from automl.contracts.annotation import Annotations
from labeling.assist.answers import answers_of
from labeling.assist.models import SuggestionAnswer
from labeling.assist.suggest import head_suggests
from labeling.models import AnnotationRevision, Decision, Review, Suggestion
from labeling.schemas import PersonOut, RevisionOut, StatsOut, SuggestionOut
from labeling.validation import usable
from studio.accounts.models import ApiKey, User
from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.datasets.items.counts import Facet, counts_of
from studio.datasets.items.selectors import items_get, label_counts
from studio.datasets.models import Dataset, Item, ItemState
from studio.projects.catalog import annotation_schema
from studio.projects.models import Project


def item_history(item: Item) -> list[RevisionOut]:
    """The annotations that an item had, newest first; what came by import counts though it has no entry of its own."""
    rows = list(AnnotationRevision.objects.filter(item=item).order_by("-revision"))
    if item.revision > 0 and (not rows or rows[0].revision != item.revision):
        rows.insert(
            0,
            AnnotationRevision(
                item=item,
                revision=item.revision,
                annotations=item.annotations,
                provenance=item.provenance,
                created_at=item.annotated_at or item.created_at,
            ),
        )
    names = names_of({row.provenance for row in rows})
    reviews = {review.revision: review for review in Review.objects.filter(item=item)}
    answers = answers_of(item)
    return [_revision_out(row, names, reviews.get(row.revision), answers.get(row.revision)) for row in rows]


def _revision_out(
    row: AnnotationRevision, names: dict[str, str], review: Review | None, answer: SuggestionAnswer | None
) -> RevisionOut:
    return RevisionOut(
        revision=row.revision,
        annotations=None if row.annotations is None else list(Annotations.validate_python(row.annotations)),
        by=row.provenance,
        by_name=names.get(row.provenance, ""),
        at=row.created_at,
        review=None if review is None else Decision(review.decision),
        comment="" if review is None else review.comment,
        suggested_by="" if answer is None else answer.by,
        is_accepted=None if answer is None else answer.is_accepted,
    )


def suggestions_of(sight: Sight, items: Collection[str]) -> dict[str, SuggestionOut]:
    """What is proposed for unlabelled items, by item id; labels that the project no longer has are left out.

    What came back from a reviewer or a deployed model goes before what the dataset's own head says.
    """
    unlabelled = items_get(sight, items).filter(state=ItemState.UNLABELLED, deleted_at=None)
    of_dataset: dict[Dataset, list[Item]] = {}
    for item in unlabelled:
        of_dataset.setdefault(item.dataset, []).append(item)
    stored = {row.item_id: row for row in suggestion_rows(sight).filter(item__in=[item.id for item in unlabelled])}
    found: dict[str, SuggestionOut] = {}
    for dataset, some in of_dataset.items():
        for id_, one in head_suggests(dataset, [item for item in some if item.id not in stored]).items():
            found[id_] = SuggestionOut(annotations=list(one.annotations), by=one.by, confidence=one.confidence_fraction)
        for item in some:
            if item.id in stored:
                found[item.id] = _suggestion_out(stored[item.id], dataset.project)
    return found


def _suggestion_out(row: Suggestion, project: Project) -> SuggestionOut:
    stored = Annotations.validate_python(row.annotations)
    annotations = usable(stored, schema=annotation_schema(project), labels=project.labels.names)
    confidence = None if row.uncertainty_fraction is None else 1 - row.uncertainty_fraction
    return SuggestionOut(annotations=annotations, by=row.provenance, confidence=confidence)


def suggestion_rows(sight: Sight) -> QuerySet[Suggestion]:
    """All suggestions of living projects within sight."""
    return Suggestion.objects.filter(sight.of("item__dataset__project"), item__dataset__project__deleted_at=None)


def labelling_stats(dataset: Dataset, *, now: datetime | None = None) -> StatsOut:
    """Who has labelled how much, and what."""
    since = (now or timezone.now()).replace(hour=0, minute=0, second=0, microsecond=0)
    by = counts_of(dataset.id, Facet.PROVENANCE).get(Facet.PROVENANCE, {})
    names = names_of(by)
    people = [PersonOut(by=key, name=names.get(key, ""), items=num) for key, num in by.items()]
    return StatsOut(
        annotated=sum(by.values()),
        per_label=label_counts(dataset),
        per_person=sorted(people, key=lambda person: -person.items),
        today=Item.objects.filter(dataset=dataset, deleted_at=None, annotated_at__gte=since).count(),
    )


def review_get(sight: Sight, review: str) -> Review:
    """Finds a decision with its item, dataset and project.

    Raises:
        NotFoundError: there is none within sight.
    """
    rows = Review.objects.select_related("item__dataset__project").filter(
        sight.of("item__dataset__project"), item__dataset__project__deleted_at=None
    )
    found = rows.filter(id=review).first()
    if found is None:
        raise NotFoundError("There is no such decision.")
    return found


def names_of(provenances: Collection[str]) -> dict[str, str]:
    """Names of the people and keys among provenances."""
    ids: dict[str, set[str]] = {"person": set(), "key": set()}
    for one in provenances:
        kind, _, id_ = one.partition(":")
        if kind in ids:
            ids[kind].add(id_)
    people = User.objects.filter(id__in=ids["person"]).values_list("id", "name")
    keys = ApiKey.objects.filter(id__in=ids["key"]).values_list("id", "name")
    return {f"person:{id_}": name for id_, name in people} | {f"key:{id_}": name for id_, name in keys}

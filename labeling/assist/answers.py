"""What people made of suggestions, beside the history: an accepted one is the person's word, and yet known as suggested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from automl.contracts.annotation import Annotation
from labeling.assist.models import SuggestionAnswer
from studio.common.sql.batch import StatementBatch
from studio.datasets.items.annotations import ItemAnnotations
from studio.datasets.models import Dataset, Item

WINDOW = 100
"""Number of newest answers that the agreement meter counts."""


@dataclass(frozen=True)
class ShownSuggestion:
    """The suggestion that a person saw when deciding."""

    by: str
    annotations: tuple[Annotation, ...]


@dataclass(frozen=True)
class Agreement:
    """How often suggestions were taken as they were, among the newest ``WINDOW`` answered ones."""

    num: int
    num_accepted: int


def suggestions_answered(*, items: Sequence[Item], annotations: ItemAnnotations, shown: ShownSuggestion) -> None:
    """Notes that a decision was made in sight of a suggestion. Call it in the decision's transaction, after the write.

    Args:
        items: as they are now, with their new revision.
        annotations: what the person decided; taking everything back is no answer.
        shown: what was suggested.
    """
    batch = StatementBatch()
    answers_record(answered=[SuggestionDecision(item, item.revision, annotations, shown) for item in items], batch=batch)
    batch.send()


@dataclass(frozen=True)
class SuggestionDecision:
    """A decision that was made in sight of a suggestion."""

    item: Item
    revision: int
    """That the decision made."""
    annotations: ItemAnnotations
    shown: ShownSuggestion


def answers_record(*, answered: Sequence[SuggestionDecision], batch: StatementBatch) -> None:
    """Notes many such decisions, behind what ``batch`` holds of them; taking everything back is no answer."""
    at = timezone.now()
    rows = [
        (
            one.item.dataset_id,
            one.item.id,
            one.revision,
            one.shown.by,
            _without_scores(one.annotations) == _without_scores(one.shown.annotations),
            at,
        )
        for one in answered
        if one.annotations is not None
    ]
    columns = ("dataset_id", "item_id", "revision", "by", "is_accepted", "created_at")
    batch.insert(SuggestionAnswer, columns, rows, conflict="ON CONFLICT DO NOTHING")


def answers_of(item: Item) -> dict[int, SuggestionAnswer]:
    """The answers in an item's history, by the revision that each made."""
    return {row.revision: row for row in SuggestionAnswer.objects.filter(item=item)}


def agreement(dataset: Dataset) -> Agreement:
    """The meter."""
    newest = list(
        SuggestionAnswer.objects.filter(dataset=dataset).order_by("-id").values_list("is_accepted", flat=True)[:WINDOW]
    )
    return Agreement(num=len(newest), num_accepted=sum(newest))


def _without_scores(annotations: Sequence[Annotation]) -> set[str]:
    """The annotations, whatever the order, the names of the objects and how sure a model was."""
    return {one.model_copy(update={"score": None, "id": None}).model_dump_json() for one in annotations}

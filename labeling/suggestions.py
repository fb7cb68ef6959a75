"""Proposals for many items at once, as an upload brings them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils import timezone

from automl.contracts.annotation import Annotation, Annotations
from labeling.models import Suggestion
from studio.datasets.items.annotations import CHUNK


def suggestions_import(*, dataset: str, proposed: Mapping[str, Sequence[Annotation]], provenance: str) -> None:
    """Proposes annotations for many items of a dataset, by their ids. A proposal is as sure as its least sure annotation."""
    now = timezone.now()
    rows = [
        Suggestion(
            item_id=item,
            dataset_id=dataset,
            annotations=Annotations.dump_python(tuple(annotations), mode="json"),
            provenance=provenance,
            uncertainty_fraction=_uncertainty(annotations),
            created_at=now,
        )
        for item, annotations in proposed.items()
    ]
    fields = ["annotations", "provenance", "uncertainty_fraction", "created_at"]
    Suggestion.objects.bulk_create(rows, batch_size=CHUNK, update_conflicts=True, unique_fields=["item"], update_fields=fields)


def _uncertainty(annotations: Sequence[Annotation]) -> float | None:
    scores = [one.score for one in annotations if one.score is not None]
    return 1 - min(scores) if scores else None

"""Predictions that an upload brings: proposed for unlabelled items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

from django.db import transaction

from automl.contracts.annotation import Annotation
from studio.datasets.files.formats import LabelFileProblem, ParsedLabels
from studio.datasets.hooks import predictions_imported
from studio.datasets.items.annotation_scale import annotations_scaled
from studio.datasets.items.annotations import CHUNK, chunks, labels_named
from studio.datasets.items.label_set import labels_extend
from studio.datasets.models import Item, ItemState, Upload
from studio.datasets.uploads.label_files import LabelFilter


def predictions_import(*, upload: Upload, reading: ParsedLabels, complain: Callable[[LabelFileProblem], None]) -> int:
    """Hands predictions to the labelling app, once the upload's items are there; returns of how many items they were taken.

    Args:
        upload: where they come from.
        reading: predictions by the items' names.
        complain: called for what cannot be used.
    """
    taker = LabelFilter.of(upload.dataset.project)
    num_proposed = 0
    for names in chunks(reading.predictions, CHUNK):
        num_proposed += _propose(upload, {name: reading.predictions[name] for name in names}, taker, reading, complain)
    return num_proposed


def _propose(
    upload: Upload,
    predictions: Mapping[str, tuple[Annotation, ...]],
    taker: LabelFilter,
    reading: ParsedLabels,
    complain: Callable[[LabelFileProblem], None],
) -> int:
    found: dict[str, list[Item]] = defaultdict(list)
    fields = ("id", "name", "state", "width", "height")
    for item in Item.objects.filter(dataset=upload.dataset, deleted_at=None, name__in=predictions).only(*fields):
        found[item.name].append(item)
    proposed: dict[str, tuple[Annotation, ...]] = {}
    for name, predicted in predictions.items():
        annotations, complaints = taker.allowed(predicted, name)
        for complaint in complaints:
            complain(complaint)
        if len(found[name]) != 1:
            complain(LabelFileProblem(name, "label_file_ambiguous" if found[name] else "label_file_missing"))
            continue
        item = found[name][0]
        if item.state != ItemState.UNLABELLED:
            complain(LabelFileProblem(name, "label_kept"))
        elif annotations:
            sides = {"width": item.width, "height": item.height}
            proposed[item.id] = annotations_scaled(annotations, **sides) if reading.is_relative else annotations
    with transaction.atomic():
        labels_extend(project=upload.dataset.project, names=labels_named(proposed.values()), described=reading.labels)
        predictions_imported(upload.dataset_id, proposed, f"import:{upload.id}")
    return len(proposed)

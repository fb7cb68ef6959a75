"""Results as suggestions for unlabelled items of the project, as an upload's predictions are."""

from __future__ import annotations

from django.db import transaction

from automl.contracts.annotation import Annotations
from studio.datasets.hooks import predictions_imported
from studio.datasets.items.annotations import labels_named
from studio.datasets.items.label_set import labels_extend
from studio.datasets.models import Dataset, Item, ItemState
from studio.datasets.uploads.label_files import LabelFilter
from studio.jobs.handlers import Reporter
from studio.predictions.models import PredictionRun
from studio.predictions.parts import part_tables


def run_suggestions(*, run: PredictionRun, reporter: Reporter) -> int:
    """Proposes what a run has found; returns of how many items. Repeating it is harmless."""
    dataset = Dataset.objects.select_related("project").get(project=run.project_id)
    taker = LabelFilter.of(dataset.project)
    num_seen = num_proposed = 0
    for table in part_tables(run, ("item", "name", "said")):
        reporter.check_cancelled()
        predicted = dict(zip(table.column("item").to_pylist(), table.column("said").to_pylist(), strict=True))
        unlabelled = Item.objects.filter(id__in=predicted, dataset=dataset, state=ItemState.UNLABELLED, deleted_at=None)
        proposed = {}
        for item, name in unlabelled.values_list("id", "name"):
            found = Annotations.validate_json(predicted[item]) if predicted[item] else ()
            allowed, _ = taker.allowed(found, name)
            if allowed:
                proposed[item] = allowed
        with transaction.atomic():
            labels_extend(project=dataset.project, names=labels_named(proposed.values()))
            predictions_imported(dataset.id, proposed, f"model:{run.artefact_id or 'deleted'}")
        num_seen, num_proposed = num_seen + table.num_rows, num_proposed + len(proposed)
        reporter.progress("suggest", num_seen / max(run.num_results, 1))
    PredictionRun.objects.filter(id=run.id).update(num_suggested=num_proposed)
    return num_proposed

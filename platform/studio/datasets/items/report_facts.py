"""Gives jobs what people keep of items, so that a report can say where a model does worse."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from automl.contracts.dataset import Split
from automl.contracts.item_facts import FACTS_FILE, ItemFacts
from studio.datasets.models import DatasetVersion, ItemFact


def facts_place(version: DatasetVersion, data_dir: Path) -> None:
    """Writes the facts of items that judge beside a version in a job's ``data/``; no file where there are none.

    Doing it again is harmless.
    """
    found = ItemFact.objects.filter(dataset__project=version.project_id).exclude(item__split=Split.TRAIN.value)
    values: dict[str, dict[str, str]] = defaultdict(dict)
    for item, name, value in found.values_list("item_id", "name", "value").iterator():
        values[name][item] = value
    if values:
        ItemFacts(values=values).write(data_dir / FACTS_FILE)

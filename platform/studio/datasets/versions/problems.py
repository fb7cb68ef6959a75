"""What a task's checker says of a dataset, asked again only when something may have changed.

The checker walks over every item: at a million items that takes seconds, and the overview of a project asks each time.
"""

from __future__ import annotations

import hashlib
import json
import time

from django.core.cache import caches

from automl.contracts.task import Problem
from studio.datasets.items.counts import counts_of
from studio.datasets.models import Dataset
from studio.datasets.versions.manifest import dataset_problems

SHOWN = 500
"""The first few hundred are enough to work on."""
SLOW_S = 0.2
"""A walk that took less is not worth keeping."""
CACHE_FACTOR = 20
"""An answer is kept for so many times as long as it took, so that asking costs a twentieth at most."""


def problems_of(dataset: Dataset) -> list[Problem]:
    """The problems, blocking ones first, at most ``SHOWN``.

    A change of any count, label or option is seen at once. What leaves all counts as they are, such as two items that swap
    their labels, is seen a few minutes later at the largest sizes; cutting a version always looks at the rows themselves.

    Args:
        dataset: with its project.
    """
    key = f"problems:{dataset.id}:{_stamp(dataset)}"
    cached: list[Problem] | None = caches["process"].get(key)
    if cached is not None:
        return cached
    began = time.monotonic()
    found = dataset_problems(dataset)[:SHOWN]
    took_s = time.monotonic() - began
    if took_s >= SLOW_S:
        caches["process"].set(key, found, timeout=took_s * CACHE_FACTOR)
    return found


def _stamp(dataset: Dataset) -> str:
    """Names what the problems depend on, as far as it is cheap to know."""
    project = dataset.project
    counts = {facet.value: values for facet, values in counts_of(dataset.id).items()}
    facts = [counts, project.task, project.task_options, project.label_set, dataset.columns]
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()

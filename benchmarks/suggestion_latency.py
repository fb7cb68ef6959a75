"""Seconds from a committed label to refreshed suggestions, and what a page then waits for them.

A dataset with real features (copies of the pictures of ``live_suggestions`` with noise) lies in SQLite; a label is written as
the API writes it and the worker's function runs in this process, so the message's few milliseconds are not in it. The anchor
is what is promised: two seconds. Processor time is shown too: on a busy machine the wall clock measures the others. Suggestions
for a page and the neighbours of a picture are measured beside it.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks._platform import database_copied
from benchmarks.harness import Claim, Options, main

PROMISED_S = 2.0
PROMISED_MS = 100.0
NUM_LABELS = 10


@dataclass(frozen=True)
class _Work:
    """What is measured."""

    sizes: tuple[int, ...]
    """Items of a dataset."""
    num_labelled: int = 600
    rounds: int = 15
    page: int = 50
    num_pictures: int = 3_000
    """Of ``material``, whose features the items are given."""
    material: str = "fashion"


USUAL, QUICK = _Work((10_000, 100_000)), _Work((2_000,))
SMOKE = _Work((80,), num_labelled=30, rounds=2, page=5, num_pictures=45, material="digits")


def measure(options: Options) -> list[Claim]:
    """Every size."""
    home = tempfile.mkdtemp(prefix="modelyard-bench-")
    os.environ |= {
        "MODELYARD_HOME": home,
        "MODELYARD_BROKER_URL": "memory://",
        "DJANGO_SETTINGS_MODULE": "studio.config.settings",
    }
    sys.path.insert(0, str(Path(__file__).parents[1] / "platform"))
    import django

    django.setup()
    from django.core.management import call_command

    if not database_copied(Path(home)):
        call_command("migrate", verbosity=0)
    try:
        work = options.pick(USUAL, smoke=SMOKE, quick=QUICK)
        return [claim for size in work.sizes for claim in _at(size, work)]
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _at(num_items: int, work: _Work) -> list[Claim]:
    from labeling.assist.refresh import head_refresh, heads_mark
    from labeling.assist.selectors import similar_items
    from labeling.assist.suggest import head_suggests
    from studio.datasets.models import Item, ItemState

    dataset, kinds = _filled(num_items, work)
    head_refresh(dataset_id=dataset.id)  # as when the first embeddings come
    _label(dataset, kinds, work.num_labelled)
    refresh: list[tuple[float, float]] = []
    page: list[tuple[float, float]] = []
    similar: list[tuple[float, float]] = []
    for number in range(work.rounds):
        _label(dataset, kinds, work.num_labelled + number + 1)
        with _timed(refresh):
            heads_mark(datasets=[dataset.id])
            assert head_refresh(dataset_id=dataset.id) == 1
        items = list(Item.objects.filter(dataset=dataset, state=ItemState.UNLABELLED).order_by("-id")[: work.page])
        with _timed(page):
            assert len(head_suggests(dataset, items)) == work.page
        with _timed(similar):
            assert (
                len(similar_items(Item.objects.select_related("dataset__project").get(id=items[0].id), limit=work.page))
                == work.page
            )
    what = f"{num_items} items, {work.num_labelled} labelled"
    measured = (
        (f"s from label to head and queue, {what}", refresh, 1, PROMISED_S),
        (f"ms, suggestions of {work.page} items, {what}", page, 1000, PROMISED_MS),
        (f"ms, {work.page} similar items, {what}", similar, 1000, PROMISED_MS),
    )
    claims = []
    for words, times, factor, promised in measured:
        for side, clock in enumerate(("wall", "processor")):
            values = sorted(factor * one[side] for one in times)
            for figure, value in (("p50", values[work.rounds // 2]), (f"slowest of {work.rounds}", values[-1])):
                metric = f"{clock} {words}, {figure}"
                claims.append(Claim("suggestion_latency", metric, value, promised, value, promised, is_at_most=True))
    return claims


@contextmanager
def _timed(times: list[tuple[float, float]]) -> Iterator[None]:
    """Adds wall and processor seconds of what is done inside."""
    start, cpu_start = time.perf_counter(), time.process_time()
    yield
    times.append((time.perf_counter() - start, time.process_time() - cpu_start))


def _filled(num_items: int, work: _Work):
    """A project with items, their features, and the label that would be right for each."""
    import numpy as np

    from automl.contracts.dataset import Label
    from benchmarks._feature_sets import feature_set
    from studio.accounts.access import principal_of_user
    from studio.accounts.models import Membership, Workspace
    from studio.accounts.services import user_sign_up
    from studio.datasets.models import Dataset, Item
    from studio.projects.services import labels_set, project_create
    from tests.labeling.assist.material import items_make, shard_put

    owner = user_sign_up(email=f"a{num_items}@example.org", password="a-long-passphrase-7", name="Ada")
    actor = principal_of_user(owner)
    workspace = Workspace.objects.get(id=Membership.objects.get(user=owner).workspace_id)
    project = project_create(workspace=workspace, name="Many", task="image_classification", actor=actor)
    labels_set(project=project, labels=[Label(name=str(kind)) for kind in range(NUM_LABELS)], actor=actor)
    dataset = Dataset.objects.select_related("project").get(project=project)
    items = [item for start in range(0, num_items, 5_000) for item in items_make(dataset, min(5_000, num_items - start))]
    data = feature_set(work.material, work.num_pictures)
    rng = np.random.default_rng(0)
    rows = rng.integers(0, len(data.features_ND), num_items)
    features = data.features_ND[rows]
    features += 0.05 * rng.standard_normal(features.shape, dtype=np.float32)
    shard_put(dataset, [item.blob for item in items], features)
    from labeling.assist.handlers import embeddings_added

    embeddings_added(project)
    kinds = dict(zip((item.id for item in items), data.targets_N[rows].tolist(), strict=True))
    assert Item.objects.filter(dataset=dataset).count() == num_items
    return dataset, kinds


def _label(dataset, kinds: dict[str, int], total: int) -> None:
    """Says what is right of the first items, until so many are labelled."""
    from django.db import transaction
    from django.utils import timezone

    from automl.contracts.annotation import ClassLabel
    from studio.datasets.items.annotations import AnnotationWrite, annotations_write
    from studio.datasets.models import Item, ItemState

    rows = list(Item.objects.filter(dataset=dataset).order_by("id")[:total])
    annotations = [
        AnnotationWrite(item, (ClassLabel(label=str(kinds[item.id])),), "person:bench")
        for item in rows
        if item.state == ItemState.UNLABELLED
    ]
    with transaction.atomic():
        annotations_write(writes=annotations, at=timezone.now())


if __name__ == "__main__":
    main(measure)

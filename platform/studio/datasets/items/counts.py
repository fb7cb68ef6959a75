"""Kept counts of datasets: the database's triggers write the changes, this module sums, folds and rebuilds them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from enum import StrEnum

from django.db import connection, transaction
from django.db.models import Count, Sum

from studio.datasets.models import CountChange, Dataset

FOLD_ROWS = 500
"""A dataset with more changes than this is folded up by the sweep."""


class Facet(StrEnum):
    """What items are counted by. All but the last two count living items."""

    STATE = "state"
    SPLIT = "split"
    LABEL = "label"
    PROVENANCE = "provenance"
    """Annotated items by provenance."""
    FLAG = "flag"
    """Findings of the quality report that nobody dismissed, by kind."""
    BYTES = "bytes"
    DELETED = "deleted"
    """Deleted items that were not put aside."""
    QUARANTINE = "quarantine"


Counts = Mapping[Facet, Mapping[str, int]]


def counts_read(datasets: Collection[str], *facets: Facet) -> dict[str, dict[Facet, dict[str, int]]]:
    """Sums the counts of datasets with one query, for all facets or those named; values that count zero are left out."""
    rows = CountChange.objects.filter(dataset__in=list(datasets), facet__in=[facet.value for facet in facets or Facet])
    found: dict[str, dict[Facet, dict[str, int]]] = {dataset: defaultdict(dict) for dataset in datasets}
    sums = rows.values_list("dataset", "facet", "value").annotate(num=Sum("change")).order_by()
    for dataset, facet, value, num in sums:
        if num:
            found[dataset][Facet(facet)][value] = int(num)
    return found


def counts_of(dataset: str, *facets: Facet) -> dict[Facet, dict[str, int]]:
    """The counts of one dataset."""
    return counts_read([dataset], *facets)[dataset]


def counts_fold() -> int:
    """Folds the changes of every dataset that has gathered many into one row a count; returns how many datasets.

    Readers see the sums before or after, which are the same; changes written meanwhile are left for the next time.
    """
    sums = CountChange.objects.values_list("dataset").annotate(num=Count("id")).order_by()
    crowded = [dataset for dataset, num in sums if num > FOLD_ROWS]
    return sum(counts_fold_one(dataset=dataset) for dataset in crowded)


def counts_fold_one(*, dataset: str) -> bool:
    """Folds the changes of one dataset; False when somebody else is at it, or when there is nothing to gain."""
    with transaction.atomic():
        locked = Dataset.objects.filter(id=dataset).select_for_update(skip_locked=connection.features.has_select_for_update)
        if not locked.exists():
            return False
        before = list(CountChange.objects.filter(dataset=dataset).values_list("id", "facet", "value", "change"))
        sums: dict[tuple[str, str], int] = defaultdict(int)
        for _, facet, value, change in before:
            sums[facet, value] += change
        if len(before) == len(sums):
            return False
        CountChange.objects.filter(id__in=[row[0] for row in before]).delete()
        CountChange.objects.bulk_create(
            [
                CountChange(dataset_id=dataset, facet=facet, value=value, change=num)
                for (facet, value), num in sums.items()
                if num
            ]
        )
    return True


_LIVING = "FROM datasets_item r WHERE r.dataset_id = %(dataset)s AND r.deleted_at IS NULL"
_GONE = "FROM datasets_item r WHERE r.dataset_id = %(dataset)s AND r.deleted_at IS NOT NULL"
COUNTED = f"""
    SELECT 'state' AS facet, r.state AS value, COUNT(*) AS num {_LIVING} GROUP BY 2
    UNION ALL SELECT 'split', r.split, COUNT(*) {_LIVING} GROUP BY 2
    UNION ALL SELECT 'provenance', r.provenance, COUNT(*) {_LIVING} AND r.provenance <> '' GROUP BY 2
    UNION ALL SELECT 'bytes', '', SUM(r.size_bytes) {_LIVING} HAVING COUNT(*) > 0
    UNION ALL SELECT 'deleted', '', COUNT(*) {_GONE} AND r.quarantine = '' HAVING COUNT(*) > 0
    UNION ALL SELECT 'quarantine', '', COUNT(*) {_GONE} AND r.quarantine <> '' HAVING COUNT(*) > 0
    UNION ALL SELECT 'label', l.label, COUNT(*) FROM datasets_itemlabel l WHERE l.dataset_id = %(dataset)s GROUP BY 2
    UNION ALL SELECT 'flag', f.kind, COUNT(*) FROM datasets_itemflag f JOIN datasets_item i ON i.id = f.item_id
        WHERE f.dataset_id = %(dataset)s AND f.dismissed_at IS NULL AND i.deleted_at IS NULL GROUP BY 2
"""  # noqa: S608 - the parts are constants

_CORRECT = f"""
    INSERT INTO datasets_countchange (dataset_id, facet, value, change)
    SELECT %(dataset)s, c.facet, c.value, SUM(c.num) FROM (
        {COUNTED} UNION ALL SELECT k.facet, k.value, -k.change FROM datasets_countchange k WHERE k.dataset_id = %(dataset)s
    ) c GROUP BY c.facet, c.value HAVING SUM(c.num) <> 0
"""  # noqa: S608 - the parts are constants


def counts_counted(dataset: str) -> dict[Facet, dict[str, int]]:
    """Counts a dataset from its rows, slowly: what ``counts_of`` must equal."""
    found: dict[Facet, dict[str, int]] = defaultdict(dict)
    with connection.cursor() as cursor:
        cursor.execute(COUNTED, {"dataset": dataset})
        for facet, value, num in cursor.fetchall():
            if num:
                found[Facet(facet)][value] = int(num)
    return found


def counts_rebuild(*, dataset: str) -> None:
    """Counts a dataset anew from its rows.

    One statement adds what the changes lack, so that it counts just those rows whose changes it sees.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(_CORRECT, {"dataset": dataset})
        counts_fold_one(dataset=dataset)

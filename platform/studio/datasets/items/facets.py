"""What a dataset can be filtered by, with counts: from the kept counts, and from the index of metadata by jumps."""

from __future__ import annotations

from django.db import connection

from automl.contracts.dataset import Split
from studio.accounts.selectors import actor_names
from studio.datasets.items.counts import Facet, counts_of
from studio.datasets.items.schemas import ChoiceOut, FacetsOut, FactValueOut, PersonChoiceOut
from studio.datasets.models import Dataset

NAMES_SHOWN = 100
VALUES_SHOWN = 50
COUNTED_TO = 1000
"""Items counted for one value of metadata: a look at the index, not at all of it."""

# PostgreSQL has no skip scan: a recursive query that asks for the next larger value jumps from value to value.
_NAMES = """
    WITH RECURSIVE n(name) AS (
        SELECT MIN(name) FROM datasets_itemfact WHERE dataset_id = %(dataset)s
        UNION ALL
        SELECT (SELECT MIN(name) FROM datasets_itemfact WHERE dataset_id = %(dataset)s AND name > n.name)
        FROM n WHERE n.name IS NOT NULL
    ) SELECT name FROM n WHERE name IS NOT NULL LIMIT %(limit)s
"""
_VALUES = """
    WITH RECURSIVE v(value) AS (
        SELECT MIN(value) FROM datasets_itemfact WHERE dataset_id = %(dataset)s AND name = %(name)s AND value >= %(prefix)s
        UNION ALL
        SELECT (SELECT MIN(value) FROM datasets_itemfact WHERE dataset_id = %(dataset)s AND name = %(name)s AND value > v.value)
        FROM v WHERE v.value IS NOT NULL
    ), shown AS (SELECT value FROM v WHERE value IS NOT NULL LIMIT %(limit)s)
    SELECT value, (SELECT COUNT(*) FROM (
        SELECT 1 FROM datasets_itemfact f
        WHERE f.dataset_id = %(dataset)s AND f.name = %(name)s AND f.value = shown.value LIMIT %(counted)s) counted)
    FROM shown
"""


def dataset_facets(dataset: Dataset) -> FacetsOut:
    """The choices of every filter; costs the same for ten items and a million."""
    counts = counts_of(dataset.id)
    people = counts[Facet.PROVENANCE]
    names = actor_names([one.partition(":")[2] for one in people])
    labels = counts[Facet.LABEL]
    with connection.cursor() as cursor:
        cursor.execute(_NAMES, {"dataset": dataset.id, "limit": NAMES_SHOWN})
        metadata = [row[0] for row in cursor.fetchall()]
    return FacetsOut(
        labels=[ChoiceOut(value=name, num_items=labels.get(name, 0)) for name in dataset.project.labels.names],
        splits=[ChoiceOut(value=split.value, num_items=counts[Facet.SPLIT].get(split.value, 0)) for split in Split],
        people=[
            PersonChoiceOut(value=one, name=names.get(one.partition(":")[2], ""), num_items=num)
            for one, num in sorted(people.items(), key=lambda pair: -pair[1])
        ],
        flags=[ChoiceOut(value=kind, num_items=num) for kind, num in sorted(counts[Facet.FLAG].items())],
        metadata=metadata,
        deleted=counts[Facet.DELETED].get("", 0),
        quarantined=counts[Facet.QUARANTINE].get("", 0),
    )


def fact_values(dataset: Dataset, *, name: str, prefix: str) -> list[FactValueOut]:
    """The first values of a name of metadata that start with ``prefix``, in order."""
    with connection.cursor() as cursor:
        values = {"dataset": dataset.id, "name": name, "prefix": prefix, "limit": VALUES_SHOWN, "counted": COUNTED_TO + 1}
        cursor.execute(_VALUES, values)
        rows = [row for row in cursor.fetchall() if row[0].startswith(prefix)]
    return [FactValueOut(value=value, num_items=min(num, COUNTED_TO), is_more=num > COUNTED_TO) for value, num in rows]

"""Kept counts during writes of many rows where triggers raise a count for each row, as SQLite's do.

That is two thirds of such a write. So the triggers concerned are paused, and what the rows stand for is counted at once, as
PostgreSQL's triggers do for each statement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from django.db import connection
from django.db.models import F

from studio.common.sql import dialect
from studio.datasets.items.counts import Facet
from studio.datasets.models import CountChange

MIN_ROWS = 500
"""Fewer rows are counted by the triggers: pausing them costs as much as some hundred rows."""

_Changes = Counter[tuple[str, Facet, str]]
"""Change of each count: of a dataset, a facet and a value."""


@contextmanager
def states_counted_once(items: Sequence[str], after: Iterable[tuple[str, str, str]]) -> Iterator[None]:
    """Around a statement that changes state and provenance of many items and nothing else that is counted.

    Does nothing for few rows, outside of a transaction, and where triggers run once a statement. When the statement fails, the
    transaction is lost.

    Args:
        items: ids, each once.
        after: dataset, state and provenance that the living ones will have.
    """

    def changes() -> _Changes:
        is_chosen, chosen = dialect().is_any_of(items)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT dataset_id, state, provenance, COUNT(*) FROM datasets_item "  # noqa: S608 - the dialect's words
                f"WHERE id {is_chosen} AND deleted_at IS NULL GROUP BY 1, 2, 3",
                [chosen],
            )
            before = cursor.fetchall()
        made: _Changes = Counter()
        for (dataset, state, provenance), num in [*Counter(after).items(), *((row[:3], -row[3]) for row in before)]:
            made[dataset, Facet.STATE, state] += num
            if provenance:
                made[dataset, Facet.PROVENANCE, provenance] += num
        return made

    # Those of other columns pause too: they would be asked for each row and do nothing.
    with _counted_once("item_update_", len(items), changes):
        yield


@contextmanager
def labels_counted_once(rows: Sequence[tuple[str, str, str]]) -> Iterator[None]:
    """Around the insertion of these rows into the index of labels (dataset, item, label); else as ``states_counted_once``."""
    with _counted_once("itemlabel_insert", len(rows), lambda: Counter((row[0], Facet.LABEL, row[2]) for row in rows)):
        yield


@contextmanager
def items_counted_once(rows: Sequence[tuple[str, str, str, str, int]]) -> Iterator[None]:
    """Around the insertion of living items: dataset, state, split, provenance, size in bytes; as ``states_counted_once``."""

    def changes() -> _Changes:
        made: _Changes = Counter()
        for (dataset, state, split, provenance), num in Counter(row[:4] for row in rows).items():
            made[dataset, Facet.STATE, state] += num
            made[dataset, Facet.SPLIT, split] += num
            if provenance:
                made[dataset, Facet.PROVENANCE, provenance] += num
        for dataset, _, _, _, size_bytes in rows:
            made[dataset, Facet.BYTES, ""] += size_bytes
        return made

    with _counted_once("item_insert", len(rows), changes):
        yield


@contextmanager
def _counted_once(triggers: str, num_rows: int, changes: Callable[[], _Changes]) -> Iterator[None]:
    """Pauses triggers with such names around a write, and counts what it changes, as the rows are before it."""
    if num_rows < MIN_ROWS or not connection.in_atomic_block:
        yield
        return
    with dialect().row_triggers_paused(f"datasets_countchange_{triggers}") as is_paused:
        made = changes() if is_paused else Counter()
        yield
    for (dataset, facet, value), num in made.items():
        # In place, as the triggers do: each count has one row.
        rows = CountChange.objects.filter(dataset=dataset, facet=facet.value, value=value)
        if num and not rows.update(change=F("change") + num):
            CountChange.objects.create(dataset_id=dataset, facet=facet.value, value=value, change=num)

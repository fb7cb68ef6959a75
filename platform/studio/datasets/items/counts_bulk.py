"""Kept counts during writes of many rows on SQLite, whose triggers raise a count for each row.

That is three quarters of such a write. So the triggers concerned are taken away within the transaction, and what the rows stand
for is counted at once, as PostgreSQL's triggers do for each statement. SQLite rolls triggers and rows back together, and nobody
else can write meanwhile.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from django.db import connection, transaction

MIN_ROWS = 500
"""Fewer rows are counted by the triggers: taking them away and putting them back costs as much as some hundred rows."""

_CHOSEN = (
    "SELECT dataset_id, state, provenance, COUNT(*) FROM datasets_item "
    "WHERE id IN (SELECT value FROM json_each(%s)) AND deleted_at IS NULL GROUP BY 1, 2, 3"
)

_Key = tuple[str, str, str]
"""Dataset, facet, value."""


def is_counted_once(num_rows: int) -> bool:
    """Whether so many rows are counted here and not by the triggers."""
    return connection.vendor == "sqlite" and num_rows >= MIN_ROWS and connection.in_atomic_block


@contextmanager
def states_counted_once(items: Sequence[str], after: Iterable[tuple[str, str, str]]) -> Iterator[None]:
    """Around a statement that changes state and provenance of many items and nothing else that is counted.

    Does nothing on PostgreSQL, for few rows, and outside of a transaction. When the statement fails, the transaction is lost.

    Args:
        items: ids, each once.
        after: dataset, state and provenance that the living ones will have.
    """
    if not is_counted_once(len(items)):
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(_CHOSEN, [json.dumps(list(items))])
        before = cursor.fetchall()
    # Those of other columns go too: they would be asked for each row and do nothing.
    with _triggers_away("item_update_"):
        yield
    changes: Counter[_Key] = Counter()
    for (dataset, state, provenance), num in [*Counter(after).items(), *((row[:3], -row[3]) for row in before)]:
        changes[dataset, "state", state] += num
        if provenance:
            changes[dataset, "provenance", provenance] += num
    _raise(changes)


@contextmanager
def labels_counted_once(rows: Sequence[tuple[str, str, str]]) -> Iterator[None]:
    """Around the insertion of these rows into the index of labels (dataset, item, label); else as ``states_counted_once``."""
    if not is_counted_once(len(rows)):
        yield
        return
    with _triggers_away("itemlabel_insert"):
        yield
    _raise(Counter((dataset, "label", label) for dataset, _, label in rows))


@contextmanager
def items_counted_once(rows: Sequence[tuple[str, str, str, str, int]]) -> Iterator[None]:
    """Around the insertion of living items: dataset, state, split, provenance, size in bytes; as ``states_counted_once``."""
    if not is_counted_once(len(rows)):
        yield
        return
    with _triggers_away("item_insert"):
        yield
    changes: Counter[_Key] = Counter()
    for (dataset, state, split, provenance), num in Counter(row[:4] for row in rows).items():
        changes[dataset, "state", state] += num
        changes[dataset, "split", split] += num
        if provenance:
            changes[dataset, "provenance", provenance] += num
    for dataset, _, _, _, size_bytes in rows:
        changes[dataset, "bytes", ""] += size_bytes
    _raise(changes)


@contextmanager
def _triggers_away(prefix: str) -> Iterator[None]:
    """Takes away the triggers with such names and makes them anew."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        found = [row for row in cursor.fetchall() if row[0].startswith(f"datasets_countchange_{prefix}")]
        for name, _ in found:
            cursor.execute(f"DROP TRIGGER {name}")
    try:
        yield
    except BaseException:
        transaction.set_rollback(True)  # nobody may go on without the triggers
        raise
    with connection.cursor() as cursor:
        for _, sql in found:
            cursor.execute(sql)


def _raise(changes: Counter[_Key]) -> None:
    """Raises counts in place, as the triggers do: on SQLite each has one row."""
    with connection.cursor() as cursor:
        for key, num in changes.items():
            if not num:
                continue
            find = "WHERE dataset_id = %s AND facet = %s AND value = %s"
            cursor.execute(f"UPDATE datasets_countchange SET change = change + %s {find}", [num, *key])  # noqa: S608
            if not cursor.rowcount:
                cursor.execute(
                    "INSERT INTO datasets_countchange (dataset_id, facet, value, change) VALUES (%s, %s, %s, %s)", [*key, num]
                )

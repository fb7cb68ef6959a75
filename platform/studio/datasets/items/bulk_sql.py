"""Writes of many rows in one statement each, where going through a model a row would cost several times as much.

PostgreSQL takes the rows as a table; SQLite runs a prepared statement over them. Values are bound, never put into the text.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, cast

from django.db import connection

from studio.common.writes import CHUNK, Writes, rows_table, time_value
from studio.datasets.items.counts_bulk import is_counted_once, labels_counted_once, states_counted_once
from studio.datasets.models import ItemFact

SaidRow = tuple[str, str | None, str, datetime | None, str]
"""Item, annotations as JSON text, state, when, provenance."""


def items_lock(ids: Sequence[str]) -> list[tuple[str, str, int, int, str | None, str, bool]]:
    """Locks items: id, name, width, height, annotations as JSON text, provenance and whether it lives, ordered by id."""
    is_postgres = connection.vendor == "postgresql"
    chosen = "SELECT unnest(string_to_array(%s, ','))" if is_postgres else "SELECT value FROM json_each(%s)"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, name, width, height, annotations, provenance, deleted_at IS NULL FROM datasets_item "  # noqa: S608
            f"WHERE id IN ({chosen}) ORDER BY id{' FOR UPDATE' if is_postgres else ''}",
            [",".join(ids) if is_postgres else json.dumps(list(ids))],
        )
        return cast("list[tuple[str, str, int, int, str | None, str, bool]]", cursor.fetchall())


def items_say(writes: Writes, rows: Sequence[SaidRow], *, living: Iterable[tuple[str, str, str]]) -> None:
    """Writes what is said of items and raises their revisions by one.

    Args:
        writes: where it is added.
        rows: one an item.
        living: dataset, state and provenance that those that are not deleted have from now on.
    """
    if connection.vendor == "postgresql":
        writes.add_rows(
            "UPDATE datasets_item i SET annotations = v.said::jsonb, state = v.state, annotated_at = v.at, provenance = v.by, "
            "revision = i.revision + 1 FROM {} AS v(item, said, state, at, by) WHERE i.id = v.item",
            rows,
            types=("text", "text", "text", "timestamptz", "text"),
        )
        return
    times = {at: time_value(at) for at in {row[3] for row in rows}}
    with states_counted_once([row[0] for row in rows], living), connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE datasets_item SET annotations = %s, state = %s, annotated_at = %s, provenance = %s, "
            "revision = revision + 1 WHERE id = %s",
            [(said, state, times[at], by, item) for item, said, state, at, by in rows],
        )


def labels_insert(writes: Writes, rows: Sequence[tuple[str, str, str]]) -> None:
    """Adds to the index of labels: dataset, item, label."""
    with labels_counted_once(rows):
        writes.insert("INSERT INTO datasets_itemlabel (dataset_id, item_id, label)", rows, types=("text",) * 3)


def labels_delete(writes: Writes, rows: Sequence[tuple[str, str]]) -> None:
    """Takes out of the index of labels: item, label."""
    if connection.vendor == "postgresql":
        writes.add_rows(
            "DELETE FROM datasets_itemlabel l USING {} AS v(item, label) WHERE l.item_id = v.item AND l.label = v.label",
            rows,
            types=("text", "text"),
        )
        return
    by_label: dict[str, list[str]] = {}
    for item, label in rows:
        by_label.setdefault(label, []).append(item)
    for label, items in by_label.items():
        chosen = "SELECT value FROM json_each(%s)"
        sql = f"DELETE FROM datasets_itemlabel WHERE label = %s AND item_id IN ({chosen})"  # noqa: S608 - a constant
        writes.add(sql, [label, json.dumps(items)])


def labels_exchange(writes: Writes, rows: Sequence[tuple[str, str, str, str]]) -> None:
    """Puts another label into the place of one in the index: dataset, item, the old label, the new one."""
    if is_counted_once(len(rows)):  # the triggers would look at each row twice
        labels_delete(writes, [(item, old) for _, item, old, _ in rows])
        labels_insert(writes, [(dataset, item, new) for dataset, item, _, new in rows])
        return
    if connection.vendor == "postgresql":
        writes.add_rows(
            "UPDATE datasets_itemlabel l SET label = v.new FROM {} AS v(dataset, item, old, new) "
            "WHERE l.item_id = v.item AND l.label = v.old",
            rows,
            types=("text",) * 4,
        )
        return
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(
                "UPDATE datasets_itemlabel SET label = %s WHERE item_id = %s AND label = %s",
                [(new, item, old) for _, item, old, new in rows],
            )


def facts_replace(*, items: Sequence[str], names: Collection[str], rows: Sequence[tuple[str, str, str, str]]) -> None:
    """Takes the names' facts of items away and adds new ones: dataset, item, name, value."""
    for first in range(0, len(items), CHUNK):
        ItemFact.objects.filter(item__in=items[first : first + CHUNK], name__in=list(names)).delete()
    writes = Writes()
    writes.insert("INSERT INTO datasets_itemfact (dataset_id, item_id, name, value)", rows, types=("text",) * 4)
    writes.send()


def by_columns(sql: str, rows: Sequence[tuple[object, ...]], *, types: Sequence[str]) -> list[tuple[Any, ...]]:
    """Runs a statement of PostgreSQL over rows, a table of which stands where it has ``{}``; answers with what it returns."""
    found: list[tuple[Any, ...]] = []
    with connection.cursor() as cursor:
        for first in range(0, len(rows), CHUNK):
            table, values = rows_table(rows[first : first + CHUNK], types)
            cursor.execute(sql.format(table), values)
            found += cursor.fetchall()
    return found

"""Writes of many rows in one statement each, where going through a model a row would cost several times as much.

PostgreSQL takes columns as arrays; SQLite runs a prepared statement over the rows. Values are bound, never put
into the text.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, cast

from django.db import connection

from studio.datasets.counts_bulk import labels_counted_once, states_counted_once
from studio.datasets.models import ItemFact, ItemLabel

CHUNK = 10_000
"""Rows a statement."""
_JOINED_ROWS = 100
"""From here on columns go to PostgreSQL as one text each: an array of texts costs a microsecond a value to write."""
_SEPARATOR, _NULL = "\x1f", "\x1e"
"""ASCII's own signs for it; JSON and labels hold neither, and other texts that do go as arrays."""

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


def items_say(rows: Sequence[SaidRow], *, living: Iterable[tuple[str, str, str]]) -> None:
    """Writes what is said of items and raises their revisions by one.

    Args:
        rows: one an item.
        living: dataset, state and provenance that those that are not deleted have from now on.
    """
    if connection.vendor == "postgresql":
        by_columns(
            "UPDATE datasets_item i SET annotations = v.said::jsonb, state = v.state, annotated_at = v.at, provenance = v.by, "
            "revision = i.revision + 1 FROM unnest({}) AS v(item, said, state, at, by) WHERE i.id = v.item",
            rows,
            types=("text", "text", "text", "timestamptz", "text"),
        )
        return
    times = {at: None if at is None else connection.ops.adapt_datetimefield_value(at) for at in {row[3] for row in rows}}
    with states_counted_once([row[0] for row in rows], living), connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE datasets_item SET annotations = %s, state = %s, annotated_at = %s, provenance = %s, "
            "revision = revision + 1 WHERE id = %s",
            [(said, state, times[at], by, item) for item, said, state, at, by in rows],
        )


def labels_insert(rows: Sequence[tuple[str, str, str]]) -> None:
    """Adds to the index of labels: dataset, item, label."""
    with labels_counted_once(rows):
        _insert("INSERT INTO datasets_itemlabel (dataset_id, item_id, label)", rows)


def labels_delete(rows: Collection[tuple[str, str]]) -> None:
    """Takes out of the index of labels: item, label."""
    by_label: dict[str, list[str]] = {}
    for item, label in rows:
        by_label.setdefault(label, []).append(item)
    for label, items in by_label.items():
        for first in range(0, len(items), CHUNK):
            ItemLabel.objects.filter(item__in=items[first : first + CHUNK], label=label).delete()


def facts_replace(*, items: Sequence[str], names: Collection[str], rows: Sequence[tuple[str, str, str, str]]) -> None:
    """Takes the names' facts of items away and adds new ones: dataset, item, name, value."""
    for first in range(0, len(items), CHUNK):
        ItemFact.objects.filter(item__in=items[first : first + CHUNK], name__in=list(names)).delete()
    _insert("INSERT INTO datasets_itemfact (dataset_id, item_id, name, value)", rows)


def _insert(head: str, rows: Sequence[tuple[str, ...]]) -> None:
    if not rows:
        return
    width = len(rows[0])
    if connection.vendor == "postgresql":
        by_columns(f"{head} SELECT * FROM unnest({{}})", rows, types=("text",) * width)  # noqa: S608 - a constant
        return
    with connection.cursor() as cursor:
        cursor.executemany(f"{head} VALUES ({', '.join(['%s'] * width)})", rows)


def by_columns(
    sql: str, rows: Sequence[tuple[object, ...]], *, types: Sequence[str], is_returning: bool = False
) -> list[tuple[Any, ...]]:
    """Runs a statement of PostgreSQL over rows, whose columns stand where it has ``{}``; answers with what it returns."""
    found: list[tuple[Any, ...]] = []
    with connection.cursor() as cursor:
        for first in range(0, len(rows), CHUNK):
            places: list[str] = []
            values: list[str | list[object]] = []
            for column, kind in zip(zip(*rows[first : first + CHUNK], strict=True), types, strict=True):
                joined = _joined(column)
                if joined is None:
                    places.append(f"%s::{kind}[]")
                    values.append(list(column))
                else:
                    places.append(f"string_to_array(%s, '{_SEPARATOR}', '{_NULL}')::{kind}[]")
                    values.append(joined)
            cursor.execute(sql.format(", ".join(places)), values)
            if is_returning:
                found += cursor.fetchall()
    return found


def _joined(column: Sequence[object]) -> str | None:
    """A column as one text; None when it is too short to pay or a value holds a sign that parts them."""
    if len(column) < _JOINED_ROWS:
        return None
    texts = [_NULL if one is None else one if isinstance(one, str) else str(one) for one in column]
    joined = _SEPARATOR.join(texts)
    nulls = sum(one is None for one in column)
    return joined if joined.count(_SEPARATOR) == len(texts) - 1 and joined.count(_NULL) == nulls else None

"""Writes of many rows in one statement each, where going through a model a row would cost several times as much.

PostgreSQL takes columns as arrays; SQLite runs a prepared statement over the rows. Values are bound, never put
into the text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import connection

from studio.datasets.models import ItemFact, ItemLabel

CHUNK = 10_000
"""Rows a statement."""

SaidRow = tuple[str, str | None, str, datetime | None, str]
"""Item, annotations as JSON text, state, when, provenance."""


def items_say(rows: Sequence[SaidRow]) -> None:
    """Writes what is said of items and raises their revisions by one."""
    if connection.vendor == "postgresql":
        _by_columns(
            "UPDATE datasets_item i SET annotations = v.said::jsonb, state = v.state, annotated_at = v.at, provenance = v.by, "
            "revision = i.revision + 1 FROM unnest(%s::text[], %s::text[], %s::text[], %s::timestamptz[], %s::text[]) "
            "AS v(item, said, state, at, by) WHERE i.id = v.item",
            rows,
        )
        return
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE datasets_item SET annotations = %s, state = %s, annotated_at = %s, provenance = %s, "
            "revision = revision + 1 WHERE id = %s",
            [
                (said, state, None if at is None else connection.ops.adapt_datetimefield_value(at), by, item)
                for item, said, state, at, by in rows
            ],
        )


def labels_insert(rows: Sequence[tuple[str, str, str]]) -> None:
    """Adds to the index of labels: dataset, item, label."""
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
        places = ", ".join(["%s::text[]"] * width)
        _by_columns(f"{head} SELECT * FROM unnest({places})", rows)  # noqa: S608 - places alone
        return
    with connection.cursor() as cursor:
        cursor.executemany(f"{head} VALUES ({', '.join(['%s'] * width)})", rows)


def _by_columns(sql: str, rows: Sequence[tuple[object, ...]]) -> None:
    with connection.cursor() as cursor:
        for first in range(0, len(rows), CHUNK):
            columns = [list(column) for column in zip(*rows[first : first + CHUNK], strict=True)]
            cursor.execute(sql, columns)

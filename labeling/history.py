"""Entries of items' histories: each label saved adds one."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from labeling.models import AnnotationRevision
from studio.common.ids import new_id
from studio.common.sql import dialect
from studio.common.sql.batch import StatementBatch
from studio.common.sql.models import placeholders
from studio.datasets.models import Item

_COLUMNS = ("id", "item_id", "revision", "annotations", "provenance", "operation", "created_at")


class Entry(NamedTuple):
    """A row of ``AnnotationRevision``: the values of ``_COLUMNS``."""

    id: str
    item: str
    revision: int
    annotations: str | None
    """As JSON."""
    provenance: str
    operation: str | None
    at: datetime


def entry_of(item: Item, at: datetime, provenance: str, operation: str | None) -> Entry:
    """An entry for the current annotations of an item."""
    annotations = None if item.annotations is None else json.dumps(item.annotations)
    return Entry(new_id("ann"), item.id, item.revision, annotations, provenance, operation, at)


def history_add(batch: StatementBatch, entries: Sequence[Entry]) -> None:
    """Adds entries to histories of items whose rows are locked."""
    batch.insert(AnnotationRevision, _COLUMNS, entries)


def history_fill(batch: StatementBatch, entries: Sequence[Entry]) -> None:
    """Adds those entries whose revision the history lacks."""
    batch.insert(AnnotationRevision, _COLUMNS, entries, conflict="ON CONFLICT (item_id, revision) DO NOTHING")


def revisions_made(items: Collection[Item], operations: Collection[str]) -> dict[tuple[str, str], int]:
    """Which of the operations were done to items whose rows are locked: id of the item and operation -> the revision made."""
    changed = [item.id for item in items if item.revision > 0]  # an annotation has raised it
    if not changed:
        return {}
    with dialect().prepared_cursor() as cursor:
        cursor.execute(
            "SELECT item_id, operation, revision FROM labeling_annotationrevision "  # noqa: S608 - placeholders alone
            f"WHERE item_id IN ({placeholders(changed)}) AND operation IN ({placeholders(operations)})",
            [*changed, *operations],
        )
        return {(item, operation): revision for item, operation, revision in cursor.fetchall()}

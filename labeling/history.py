"""Entries of items' histories, written out: each label saved adds one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import connection

from studio.common.ids import new_id
from studio.common.writes import Writes, time_value
from studio.datasets.models import Item

_COLUMNS = "id, item_id, revision, annotations, provenance, operation, created_at"
_TYPES = ("text", "text", "integer", "jsonb", "text", "text", "timestamptz", "boolean")
_ADD = f"INSERT INTO labeling_annotationrevision ({_COLUMNS}) SELECT"
_KNOWN = "SELECT 1 FROM labeling_annotationrevision r WHERE r.item_id = {item} AND r.revision = {revision}"


class Entry(NamedTuple):
    """A row of ``AnnotationRevision``."""

    id: str
    item: str
    revision: int
    annotations: str | None
    """As JSON."""
    provenance: str
    operation: str | None
    at: datetime


def entry_of(item: Item, at: datetime, provenance: str, operation: str | None) -> Entry:
    """What an item says just now."""
    said = None if item.annotations is None else json.dumps(item.annotations)
    return Entry(new_id("ann"), item.id, item.revision, said, provenance, operation, at)


def history_add(writes: Writes, entries: Sequence[Entry], *, num_perhaps: int = 0) -> None:
    """Adds entries to histories of items whose rows are locked.

    Args:
        writes: where it is added.
        entries: in the order in which they are numbered.
        num_perhaps: so many of the first are left out where the history has that revision already.
    """
    rows = [(*entry[:6], time_value(entry.at), place >= num_perhaps) for place, entry in enumerate(entries)]
    if connection.vendor == "postgresql":
        known = _KNOWN.format(item="v.item", revision="v.revision")
        names = "id, item, revision, said, by, operation, at, is_new"
        sql = f"{_ADD} {names.removesuffix(', is_new')} FROM {{}} AS v({names}) WHERE v.is_new OR NOT EXISTS ({known})"
        writes.add_rows(sql, rows, types=_TYPES)
        return
    known = _KNOWN.format(item="%s", revision="%s")
    with connection.cursor() as cursor:
        cursor.executemany(
            f"{_ADD} %s, %s, %s, %s, %s, %s, %s WHERE %s OR NOT EXISTS ({known})", [(*row, row[1], row[2]) for row in rows]
        )

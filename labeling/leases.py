"""Who holds which item, written out: everybody who labels takes and gives back all the time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import connection

from studio.common.writes import Writes, time_value
from studio.common.written import marks


def dataset_lock(writes: Writes, dataset: str) -> None:
    """Lets one person at a time choose: of four who ask at once each gets other items and none is left with nothing.

    SQLite has one writer at a time as it is.
    """
    if connection.features.has_select_for_update:
        writes.add("SELECT 1 FROM datasets_dataset WHERE id = %s FOR NO KEY UPDATE", [dataset])


def leases_prune(writes: Writes, *, dataset: str, before: datetime, holder: str, items: Collection[str]) -> None:
    """Takes back what has run out, and what a person gives back.

    Args:
        writes: where it is added.
        dataset: its id.
        before: leases that end before have run out.
        holder: the person.
        items: ids of what the person gives back, held or not.
    """
    given = f" OR (holder = %s AND item_id IN ({marks(items)}))" if items else ""
    sql = f"DELETE FROM labeling_assignment WHERE dataset_id = %s AND (leased_until < %s{given})"  # noqa: S608 - marks alone
    writes.add(sql, [dataset, time_value(before), *((holder, *items) if items else ())])


def leases_take(writes: Writes, *, dataset: str, holder: str, until: datetime, items: Sequence[str]) -> None:
    """Leases items to a person, also those that the person holds already."""
    at = time_value(until)
    writes.insert(
        "INSERT INTO labeling_assignment (item_id, dataset_id, holder, leased_until)",
        [(item, dataset, holder, at) for item in items],
        types=("text", "text", "text", "timestamptz"),
        tail="ON CONFLICT (item_id) DO UPDATE SET holder = EXCLUDED.holder, leased_until = EXCLUDED.leased_until",
    )


def leases_end(writes: Writes, items: Sequence[str]) -> None:
    """Gives items back, whoever holds them."""
    writes.add(f"DELETE FROM labeling_assignment WHERE item_id IN ({marks(items)})", items)  # noqa: S608 - marks alone

"""Who holds which item, written out: everybody who labels takes and gives back all the time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import connection

from labeling.models import Assignment
from studio.common.sql.batch import StatementBatch
from studio.common.sql.models import placeholders


def dataset_lock(batch: StatementBatch, dataset: str) -> None:
    """Lets one person at a time choose: of four who ask at once each gets other items and none is left with nothing.

    SQLite has one writer at a time as it is.
    """
    if connection.features.has_select_for_update:
        batch.execute("SELECT 1 FROM datasets_dataset WHERE id = %s FOR NO KEY UPDATE", [dataset])


def leases_prune(batch: StatementBatch, *, dataset: str, before: datetime, holder: str, items: Collection[str]) -> None:
    """Takes back what has run out, and what a person gives back.

    Args:
        batch: where it is added.
        dataset: its id.
        before: leases that end before have run out.
        holder: the person.
        items: ids of what the person gives back, held or not.
    """
    given = f" OR (holder = %s AND item_id IN ({placeholders(items)}))" if items else ""
    sql = f"DELETE FROM labeling_assignment WHERE dataset_id = %s AND (leased_until < %s{given})"  # noqa: S608 - placeholders alone
    batch.execute(sql, [dataset, before, *((holder, *items) if items else ())])


def leases_take(batch: StatementBatch, *, dataset: str, holder: str, until: datetime, items: Sequence[str]) -> None:
    """Leases items to a person, also those that the person holds already."""
    batch.insert(
        Assignment,
        ("item_id", "dataset_id", "holder", "leased_until"),
        [(item, dataset, holder, until) for item in items],
        conflict="ON CONFLICT (item_id) DO UPDATE SET holder = EXCLUDED.holder, leased_until = EXCLUDED.leased_until",
    )


def leases_end(batch: StatementBatch, items: Sequence[str]) -> None:
    """Gives items back, whoever holds them."""
    batch.execute(f"DELETE FROM labeling_assignment WHERE item_id IN ({placeholders(items)})", items)  # noqa: S608 - placeholders alone

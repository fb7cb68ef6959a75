"""Writes metadata of items, and the index by which it is found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from studio.datasets.items.annotations import CHUNK, chunks
from studio.datasets.models import Item, ItemFact

MAX_NAME_CHARS = 64
MAX_VALUE_CHARS = 256
"""A longer value is a text rather than something that items have in common."""


def facts_write(rows: Sequence[Item], names: Sequence[str]) -> None:
    """Stores the metadata of items, of which these names may have changed."""
    Item.objects.bulk_update(rows, ["metadata"], batch_size=CHUNK)
    for part in chunks(rows, CHUNK):
        ItemFact.objects.filter(item__in=part, name__in=names).delete()
    facts_index(rows, set(names))


def facts_index(rows: Iterable[Item], names: set[str] | None = None) -> None:
    """Makes the index of items that are not in it; of these names, or of all."""
    facts = [
        ItemFact(dataset_id=row.dataset_id, item=row, name=name, value=str(value)[:MAX_VALUE_CHARS])
        for row in rows
        for name, value in row.metadata.items()
        if names is None or name in names
    ]
    ItemFact.objects.bulk_create(facts, batch_size=CHUNK, ignore_conflicts=True)


def facts_usable(given: Mapping[str, str]) -> tuple[dict[str, str], int]:
    """What can be metadata of an item, and how many values are too long for that."""
    found = {_name(name): value for name, value in given.items() if len(value) <= MAX_VALUE_CHARS}
    return found, len(given) - len(found)


def _name(given: str) -> str:
    """Filters part a name from its value by the first ``=``."""
    return given.replace("=", "-").replace("\0", "")[:MAX_NAME_CHARS].strip() or "-"

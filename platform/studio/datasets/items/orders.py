"""The matches of a filter in another order than that of ids: by name, newest first, by label, the most doubtful first.

No index holds these orders, so all ids that match are read and sorted here, up to ``SORTABLE``: names then sort alike on every
database, and as people count ("2.png" before "10.png"). Beyond that a filter must come first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from automl.contracts.quality import FindingKind
from automl.contracts.table import Column
from studio.datasets.items.cell_tests import Meaning, column_of, meanings_of
from studio.datasets.items.errors import TooManyToSortError
from studio.datasets.items.filters import ItemFilter, filter_index
from studio.datasets.models import Dataset, Item, ItemFlag, ItemLabel

SORTABLE = 50_000
"""Entries of an index that are looked at and sorted at most; their ids are 1.5 MB."""

Key = tuple[Any, ...]


class ItemOrder(StrEnum):
    """What comes first; within the same, what was added first."""

    NAME = "name"
    NEWEST = "newest"
    LABEL = "label"
    """In the label set's order, by the first label that an item carries; those without one last."""
    DOUBT = "doubt"
    """The label that the last quality report doubts most first; those that it does not doubt last."""
    CELL = "cell"
    """By what the cells of a column mean; those that cannot be read behind, missing ones last in either direction."""


def ordered_ids(
    dataset: Dataset, *, criteria: ItemFilter, order: ItemOrder, column: str = "", is_descending: bool = False
) -> list[str]:
    """Ids of all matches in an order.

    Args:
        dataset: whose items.
        criteria: which of them.
        order: what comes first.
        column: of ``ItemOrder.CELL``: whose cells.
        is_descending: of ``ItemOrder.CELL``: the largest first.

    Raises:
        CellTestInvalidError: There is no such column.
        TooManyToSortError: More than ``SORTABLE`` entries have to be looked at.
    """
    walk = filter_index(dataset, criteria)
    if walk.window_end(SORTABLE + 1) is not None:
        raise TooManyToSortError(
            f"At most {SORTABLE:,} items can be sorted.",
            hint="Choose a label or another filter first.",
            params={"most": SORTABLE},
        )
    ids: list[str] = list(walk.matching())
    if order is ItemOrder.NEWEST:
        return ids[::-1]
    if order is ItemOrder.CELL:
        return _by_cells(ids, column_of(dataset, column), is_descending)
    keys = _KEYS[order](dataset)
    return sorted(ids, key=lambda item: (item not in keys, *keys.get(item, ())))


def _by_cells(ids: list[str], column: Column, is_descending: bool) -> list[str]:
    means: dict[str, Meaning] = {item: found[column.name] for item, found in meanings_of(ids, (column,))}
    numbers = {item: value for item, value in means.items() if isinstance(value, int | float)}
    texts = {item: _natural(value) for item, value in means.items() if isinstance(value, str)}
    missing = [item for item in ids if means.get(item) is None]
    by_number = sorted(numbers, key=numbers.__getitem__, reverse=is_descending)
    by_text = sorted(texts, key=texts.__getitem__, reverse=is_descending)
    return [*by_number, *by_text, *missing]


def _names(dataset: Dataset) -> Mapping[str, Key]:
    return {item: _natural(name) for item, name in Item.objects.filter(dataset=dataset).values_list("id", "name").iterator()}


def _natural(name: str) -> Key:
    """Numbers by their value, letters in any case; a number before a letter."""
    parts = re.split(r"([0-9]+)", name.casefold())
    return tuple((0, int(part), "") if index % 2 else (1, 0, part) for index, part in enumerate(parts) if part)


def _labels(dataset: Dataset) -> Mapping[str, Key]:
    rank = {str(label["name"]): place for place, label in enumerate(dataset.project.label_set.get("labels", ()))}
    keys: dict[str, Key] = {}
    for item, label in ItemLabel.objects.filter(dataset=dataset).values_list("item", "label").iterator():
        key = (rank.get(label, len(rank)), label)
        keys[item] = min(keys.get(item, key), key)
    return keys


def _doubts(dataset: Dataset) -> Mapping[str, Key]:
    kind = FindingKind.WRONG_LABEL.value
    rows = ItemFlag.objects.filter(dataset=dataset, kind=kind, dismissed_at=None).values_list("item", "severity")
    return {item: (-severity,) for item, severity in rows}


_KEYS: Mapping[ItemOrder, Callable[[Dataset], Mapping[str, Key]]] = {
    ItemOrder.NAME: _names,
    ItemOrder.LABEL: _labels,
    ItemOrder.DOUBT: _doubts,
}

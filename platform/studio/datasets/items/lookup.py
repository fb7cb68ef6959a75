"""Finds datasets and items by statements that are written once: nearly every request of the data sets begins with one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, cast

from django.db import connection

from studio.common.written import Columns, kept_cursor, marks
from studio.datasets.models import Dataset, Item
from studio.projects.models import Project

Workspaces = Collection[str]
"""Ids of the workspaces that the caller is a member of."""

_DATASET = Columns(Dataset, "d")
_ITS_PROJECT = Columns(Project, "p", after=_DATASET)
_ITEM = Columns(Item, "i", after=_ITS_PROJECT)
_ITEM_ALONE = Columns(Item, "i")
_WITHIN = "JOIN projects_project p ON p.id = d.project_id AND p.deleted_at IS NULL AND p.workspace_id IN"


def dataset_find(workspaces: Workspaces, **key: str) -> Dataset | None:
    """The dataset with its project, if it lies in these workspaces; the key is its ``id`` or its ``project_id``."""
    ((column, value),) = key.items()
    if not workspaces:
        return None
    sql = (
        f"SELECT {_DATASET.sql}, {_ITS_PROJECT.sql} FROM datasets_dataset d "  # noqa: S608 - columns and marks
        f"{_WITHIN} ({marks(workspaces)}) WHERE d.{column} = %s ORDER BY d.id LIMIT 1"
    )
    for row in _rows(sql, [*workspaces, value]):
        return _dataset(row)
    return None


def items_lock(
    workspaces: Workspaces, items: Collection[str], *, also: str = "NULL", also_values: Sequence[str] = ()
) -> list[tuple[Item, Any]]:
    """Finds items, deleted or not, with dataset and project, and locks their rows, in the order of ids. Needs a transaction.

    Args:
        workspaces: where they are looked for.
        items: their ids.
        also: what is read along with each item ``i``, written out. While somebody else changes the item this waits, and then
            the item's columns are the new ones, but whatever is read of other rows is as it was before.
        also_values: of the marks in it.

    Returns:
        Each with what was read along.
    """
    if not items or not workspaces:
        return []
    sql = (
        f"SELECT {_DATASET.sql}, {_ITS_PROJECT.sql}, {_ITEM.sql}, {also} "  # noqa: S608 - columns and marks
        f"FROM datasets_item i JOIN datasets_dataset d ON d.id = i.dataset_id {_WITHIN} ({marks(workspaces)}) "
        f"WHERE i.id IN ({marks(items)}) ORDER BY i.id"
        f"{' FOR UPDATE OF i' if connection.features.has_select_for_update_of else ''}"
    )
    found = []
    for row in _rows(sql, [*also_values, *workspaces, *items]):
        item = _ITEM.model(row)
        item.dataset = _dataset(row)
        found.append((item, row[_ITEM.end]))
    return found


def items_read(items: Collection[str]) -> dict[str, Item]:
    """Items by their ids."""
    if not items:
        return {}
    sql = f"SELECT {_ITEM_ALONE.sql} FROM datasets_item i WHERE i.id IN ({marks(items)})"  # noqa: S608 - columns and marks
    return {item.id: item for item in map(_ITEM_ALONE.model, _rows(sql, items))}


def _dataset(row: Sequence[Any]) -> Dataset:
    dataset = _DATASET.model(row)
    dataset.project = _ITS_PROJECT.model(row)
    return dataset


def _rows(sql: str, values: Collection[str]) -> list[tuple[Any, ...]]:
    with kept_cursor() as cursor:
        cursor.execute(sql, list(values))
        return cast("list[tuple[Any, ...]]", cursor.fetchall())

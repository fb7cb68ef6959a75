"""Finds datasets and items by statements that are written once: nearly every request of the data sets begins with one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, cast

from django.db import connection

from studio.accounts.sight import Sight
from studio.common.sql import dialect
from studio.common.sql.models import ModelColumns, placeholders
from studio.datasets.models import Dataset, Item
from studio.projects.models import Project

_DATASET = ModelColumns(Dataset, "d")
_ITS_PROJECT = ModelColumns(Project, "p", after=_DATASET)
_ITEM = ModelColumns(Item, "i", after=_ITS_PROJECT)
_ITEM_ALONE = ModelColumns(Item, "i")
_WITHIN = "JOIN projects_project p ON p.id = d.project_id AND p.deleted_at IS NULL AND p.workspace_id IN"


def dataset_find(sight: Sight, **key: str) -> Dataset | None:
    """The dataset with its project, if it is within sight; the key is its ``id`` or its ``project_id``."""
    ((column, value),) = key.items()
    if not (workspaces := sight.reach):
        return None
    sql = (
        f"SELECT {_DATASET.sql}, {_ITS_PROJECT.sql} FROM datasets_dataset d "  # noqa: S608 - columns and placeholders
        f"{_WITHIN} ({placeholders(workspaces)}) WHERE d.{column} = %s ORDER BY d.id LIMIT 1"
    )
    for row in _rows(sql, [*workspaces, value]):
        found = _dataset(row)
        return found if sight.has(found.project.workspace_id, found.project_id) else None
    return None


def items_lock(sight: Sight, items: Collection[str]) -> list[Item]:
    """Finds items, deleted or not, with dataset and project, and locks their rows, in the order of ids. Needs a transaction."""
    if not items or not (workspaces := sight.reach):
        return []
    sql = (
        f"SELECT {_DATASET.sql}, {_ITS_PROJECT.sql}, {_ITEM.sql} "  # noqa: S608 - columns and placeholders
        f"FROM datasets_item i JOIN datasets_dataset d ON d.id = i.dataset_id {_WITHIN} ({placeholders(workspaces)}) "
        f"WHERE i.id IN ({placeholders(items)}) ORDER BY i.id"
        f"{' FOR UPDATE OF i' if connection.features.has_select_for_update_of else ''}"
    )
    locked = []
    for row in _rows(sql, [*workspaces, *items]):
        item = _ITEM.model(row)
        item.dataset = _dataset(row)
        if sight.has(item.dataset.project.workspace_id, item.dataset.project_id):
            locked.append(item)
    return locked


def items_read(items: Collection[str]) -> dict[str, Item]:
    """Items by their ids."""
    if not items:
        return {}
    sql = f"SELECT {_ITEM_ALONE.sql} FROM datasets_item i WHERE i.id IN ({placeholders(items)})"  # noqa: S608 - columns and placeholders
    return {item.id: item for item in map(_ITEM_ALONE.model, _rows(sql, items))}


def _dataset(row: Sequence[Any]) -> Dataset:
    dataset = _DATASET.model(row)
    dataset.project = _ITS_PROJECT.model(row)
    return dataset


def _rows(sql: str, values: Collection[str]) -> list[tuple[Any, ...]]:
    with dialect().prepared_cursor() as cursor:
        cursor.execute(sql, list(values))
        return cast("list[tuple[Any, ...]]", cursor.fetchall())

"""Tells higher rooms of what happened here, by the names in settings."""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module

from django.conf import settings
from django.db import transaction


def keys_changed() -> None:
    """After the commit: whoever keeps a copy of the keys (the prediction server's folder) renews it."""
    for path in settings.KEY_HOOKS:
        transaction.on_commit(import_module(path).keys_changed)


def scope_names(kind: str, workspace: str, ids: Collection[str]) -> dict[str, str]:
    """Names of the things among these ids that are in a workspace, as the room that has them says.

    Args:
        kind: one of ``settings.KEY_SCOPES``.
        workspace: id.
        ids: of such things.
    """
    if not ids:
        return {}
    found: dict[str, str] = import_module(settings.KEY_SCOPES[kind]).scope_names(workspace, ids)
    return found


def scope_name(kind: str, workspace: str, id_: str) -> str | None:
    """Name of one of them; None when it is not in the workspace."""
    return scope_names(kind, workspace, [id_]).get(id_)

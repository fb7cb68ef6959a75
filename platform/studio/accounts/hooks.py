"""Hooks that this app calls and apps above it implement, with their signatures; see ``studio.common.app_config``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Protocol

from django.db import transaction

from studio.common.app_config import hook_functions


class KeysChanged(Protocol):
    """A set of API keys has changed."""

    def __call__(self) -> None:
        """Renews a copy of the keys."""


class WorkspacesUsed(Protocol):
    """Whether workspaces are in use."""

    def __call__(self, ids: Collection[str], /) -> bool:
        """Whether something lies in one of the workspaces, deleted or not."""


class WorkspacesLiving(Protocol):
    """Whether workspaces hold what somebody may miss."""

    def __call__(self, ids: Collection[str], /) -> bool:
        """Whether something that nobody deleted lies in one of the workspaces."""


class ScopeNames(Protocol):
    """What the scope of an API key can name."""

    def __call__(self, workspace: str, ids: Collection[str], /) -> dict[str, str]:
        """Names of those among the ids that are in the workspace."""


class QuotaUsed(Protocol):
    """What a workspace uses of what is limited."""

    def __call__(self, workspace: str, quota: str, /) -> int:
        """How much it is now."""


def keys_changed() -> None:
    """After the commit: whoever keeps a copy of the keys (the prediction server's folder) renews it."""
    function: KeysChanged
    for function in hook_functions("keys_changed"):
        transaction.on_commit(function)


def workspaces_used(ids: Collection[str]) -> bool:
    """Whether something lies in one of the workspaces, deleted or not."""
    functions: Iterator[WorkspacesUsed] = hook_functions("workspaces_used")
    return any(function(ids) for function in functions)


def workspaces_living(ids: Collection[str]) -> bool:
    """Whether something that nobody deleted lies in one of the workspaces."""
    functions: Iterator[WorkspacesLiving] = hook_functions("workspaces_living")
    return any(function(ids) for function in functions)


def scope_names(kind: str, workspace: str, ids: Collection[str]) -> dict[str, str]:
    """Names of the things among these ids that are in a workspace, as the app that has them says.

    Args:
        kind: ``project`` or ``deployment``.
        workspace: id.
        ids: of such things.
    """
    if not ids:
        return {}
    function: ScopeNames
    (function,) = hook_functions(f"scope_names:{kind}")
    return function(workspace, ids)


def scope_name(kind: str, workspace: str, id_: str) -> str | None:
    """Name of one of them; None when it is not in the workspace."""
    return scope_names(kind, workspace, [id_]).get(id_)


def quota_used(workspace: str, quota: str) -> int:
    """How much a workspace uses of a quota now: the sum over all apps."""
    functions: Iterator[QuotaUsed] = hook_functions(f"quota_used:{quota}")
    return sum(function(workspace, quota) for function in functions)

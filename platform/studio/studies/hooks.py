"""Hooks that this app calls and apps above it implement, with their signatures; see ``studio.common.app_config``."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from studio.accounts.access import Principal
from studio.common.app_config import hook_functions
from studio.datasets.models import Dataset, DatasetVersion


class VersionCut(Protocol):
    """Cuts a version of a dataset as it stands."""

    def __call__(self, dataset: Dataset, note: str, actor: Principal, /) -> DatasetVersion:
        """The version; the same state gives the same one. Raises ``StudioError`` where problems stand in the way."""


class ItemsPutAside(Protocol):
    """Puts items aside, out of a dataset, so that people can take it back as a whole."""

    def __call__(self, dataset: Dataset, items: Collection[str], actor: Principal, /) -> None:
        """``items`` are ids; those that are out already stay as they are."""


def version_cut(dataset: Dataset, note: str, actor: Principal) -> DatasetVersion:
    """Cuts a version of a dataset as it stands.

    Raises:
        StudioError: problems stand in the way.
    """
    function: VersionCut
    (function,) = hook_functions("version_cut")
    return function(dataset, note, actor)


def items_put_aside(dataset: Dataset, items: Collection[str], actor: Principal) -> None:
    """Puts items aside, out of a dataset; one undo in the list of its bulk changes brings them back."""
    function: ItemsPutAside
    (function,) = hook_functions("items_put_aside")
    function(dataset, items, actor)

"""What this app asks of higher ones: each hook with its signature. ``studio.common.app_config`` says who answers."""

from __future__ import annotations

from typing import Protocol

from studio.accounts.access import Principal
from studio.common.app_config import hook_functions
from studio.datasets.models import Dataset, DatasetVersion


class VersionCut(Protocol):
    """Cuts a version of a dataset as it stands."""

    def __call__(self, dataset: Dataset, note: str, actor: Principal, /) -> DatasetVersion:
        """The version; the same state gives the same one. Raises ``StudioError`` where problems stand in the way."""


def version_cut(dataset: Dataset, note: str, actor: Principal) -> DatasetVersion:
    """Cuts a version of a dataset as it stands."""
    function: VersionCut
    (function,) = hook_functions("version_cut")
    return function(dataset, note, actor)

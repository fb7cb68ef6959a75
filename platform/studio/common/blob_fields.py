"""Who holds which blobs: one account over all tables and workspaces. What nobody here names, the sweep takes for waste.

A column that holds a blob is a ``BlobField``, so a new one is found by listing the models. Hashes within JSON are named by the
hook ``blobs_referenced``. ``tests/architecture/test_blob_holders.py`` asks for a decision about every other column that looks
like a hash, and about every place that puts bytes into the store.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Protocol

from django.apps import apps
from django.db import models
from django.db.models import Q

from studio.common.app_config import hook_functions


class BlobField(models.CharField):  # type: ignore[type-arg]  # generic for type checkers only
    """The SHA-256 of bytes in the blob store, which stay there while a row says so; empty where there are none."""

    def __init__(self, *args: Any, holds: Q | None = None, within: str = "", **kwargs: Any) -> None:
        """Takes what a ``CharField`` takes, and what the sweep must know.

        Args:
            args: of ``CharField``.
            holds: the rows whose blob is still needed; None: all.
            within: a foreign key that stands before this column in an index, so that the sweep need not read the whole table.
            kwargs: of ``CharField``.
        """
        kwargs.setdefault("max_length", 64)
        super().__init__(*args, **kwargs)
        self.holds = holds
        self.within = within

    def deconstruct(self) -> Any:  # noqa: ANN401 - Django's own signature
        """For migrations it is the text column that it always was: which rows hold is no matter of the database."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs

    def referenced(self, hashes: Collection[str]) -> Iterator[str]:
        """Blobs that rows of this table hold: at least those among ``hashes`` that they do."""
        rows = self.model._base_manager.filter(**{f"{self.name}__gte": min(hashes), f"{self.name}__lte": max(hashes)})
        if self.within:
            owners = self.model._meta.get_field(self.within).related_model
            assert isinstance(owners, type)
            assert issubclass(owners, models.Model)
            rows = rows.filter(**{f"{self.within}__in": list(owners._base_manager.values_list("pk", flat=True))})
        if self.holds is not None:
            rows = rows.filter(self.holds)
        yield from rows.order_by().values_list(self.name, flat=True).iterator(chunk_size=5_000)


class BlobsReferenced(Protocol):
    """Who holds blobs elsewhere than in a ``BlobField``."""

    def __call__(self, hashes: Collection[str], /) -> set[str]:
        """Which of the blobs something holds."""


def blob_fields() -> list[BlobField]:
    """All columns that hold blobs."""
    return [field for model in apps.get_models() for field in model._meta.local_fields if isinstance(field, BlobField)]


def blobs_referenced(hashes: Collection[str]) -> set[str]:
    """Which of the blobs anything of the platform holds, in whatever workspace."""
    all_hashes = set(hashes)
    left = set(all_hashes)
    for field in blob_fields():
        if left:
            left.difference_update(field.referenced(left))
    function: BlobsReferenced
    for function in hook_functions("blobs_referenced"):
        if left:
            left -= function(left)
    return all_hashes - left

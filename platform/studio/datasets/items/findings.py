"""Findings of the quality report, as far as they still hold."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet

from automl.contracts.quality import FindingKind
from studio.datasets.models import ItemFlag


def flags_holding(flags: QuerySet[ItemFlag]) -> QuerySet[ItemFlag]:
    """Without doubts about labels that items no longer have."""
    return flags.filter(~Q(kind=FindingKind.WRONG_LABEL.value) | Q(item__annotations__0__label=F("detail__label")))


def flags_open(dataset: str) -> QuerySet[ItemFlag]:
    """Findings on living items that nobody has dismissed and that still hold."""
    return flags_holding(ItemFlag.objects.filter(dataset=dataset, dismissed_at=None, item__deleted_at=None))

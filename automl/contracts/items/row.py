"""Rows of a table."""

from __future__ import annotations

from automl.contracts.items.kind import ItemKind
from automl.contracts.quality import FindingKind

KIND = ItemKind(
    findings=(FindingKind.EXACT_DUPLICATE, FindingKind.LEAK, FindingKind.WRONG_LABEL, FindingKind.OUTLIER),
)

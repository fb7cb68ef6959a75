"""Pictures."""

from __future__ import annotations

from automl.contracts.items.kind import ItemKind
from automl.contracts.quality import FindingKind

KIND = ItemKind(
    findings=(
        FindingKind.EXACT_DUPLICATE,
        FindingKind.NEAR_DUPLICATE,
        FindingKind.LEAK,
        FindingKind.WRONG_LABEL,
        FindingKind.OUTLIER,
        FindingKind.BLURRED,
        FindingKind.DARK,
        FindingKind.BRIGHT,
        FindingKind.LOW_INFORMATION,
        FindingKind.ODD_ASPECT,
        FindingKind.ODD_SIZE,
        FindingKind.ODD_COLOUR,
        FindingKind.UNREADABLE,
    )
)

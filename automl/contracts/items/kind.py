"""What a kind of items says of itself. One module beside this one each, with an ``ItemKind`` as ``KIND``."""

from __future__ import annotations

from automl.contracts.base import Contract
from automl.contracts.quality import FindingKind


class ItemKind(Contract):
    """What contracts say of a kind of items."""

    findings: tuple[FindingKind, ...]
    """What the job ``quality`` looks for among such items."""

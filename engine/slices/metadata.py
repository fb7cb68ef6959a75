"""Metadata of items, which people keep beside the files: numbers where every value is one, else names."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from automl.contracts.base import Text
from automl.contracts.item_facts import FACTS_FILE, ItemFacts
from engine.data.version import VersionDamagedError
from engine.errors import raise_if_scarce
from engine.slices.fact import FEW_NUMBERS, Fact


def metadata_facts(data_dir: Path, item_ids: Sequence[str]) -> list[Fact]:
    """Metadata of these items; none where the job was given none.

    Raises:
        VersionDamagedError: the file is there and cannot be read.
    """
    if not (data_dir / FACTS_FILE).exists():
        return []
    try:
        metadata = ItemFacts.read(data_dir / FACTS_FILE)
    except (OSError, ValidationError) as error:
        raise_if_scarce(error)
        raise VersionDamagedError(f"What is kept of the items cannot be read: {error}") from error
    return [_fact(name, values, item_ids) for name, values in sorted(metadata.values.items())]


def _fact(name: str, values: Mapping[str, str], item_ids: Sequence[str]) -> Fact:
    texts = [values.get(item, "") for item in item_ids]
    numbers = [_number(each) for each in texts]
    is_number = all(math.isfinite(number) for number, each in zip(numbers, texts, strict=True) if each)
    if is_number and len(set(texts)) > FEW_NUMBERS:
        return Fact(f"kept:{name}", Text.same(name), np.array(numbers), "number", reports_unknown=True)
    return Fact(f"kept:{name}", Text.same(name), np.array(texts, dtype=object), reports_unknown=True)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan

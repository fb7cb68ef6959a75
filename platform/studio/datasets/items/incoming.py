"""Files on their way in, and what decoding them gives. The kind of items decides how bytes are decoded, never a file's name."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from automl.contracts.dataset import MediaFacts, Split
from studio.datasets.items.annotations import ItemAnnotations
from studio.datasets.models import Dataset, Item

# Pillow decodes outside the interpreter's lock; more threads than cores only fill memory with decoded pictures.
THREADS = min(4, os.cpu_count() or 1)
_In = TypeVar("_In")
_Out = TypeVar("_Out")


@dataclass(frozen=True)
class IncomingFile:
    """An uploaded file that may become an item."""

    name: str
    data: bytes
    annotations: ItemAnnotations = None
    """Labels that came along; None when none did."""
    split: Split | None = None
    """The split that came along. It counts when the item is made; one that is there never moves."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """Metadata that came along; ``facts.facts_usable``."""
    is_relative: bool = False
    """Whether coordinates of ``annotations`` are fractions of the picture's sides."""
    is_row: bool = False
    """Whether it lay within a file of many, so that its name does not tell what kind of file it is."""


@dataclass(frozen=True)
class DecodedFiles:
    """What decoding files gave; keyed by the hash of what is kept, or of the file when nothing is."""

    hashes: Sequence[str]
    """Of the files, in their order."""
    media: Mapping[str, MediaFacts]
    """Of those that are no items yet and can become some."""
    texts: Mapping[str, str]
    """What stands in ``Item.text``, of kinds that keep it there."""
    notes: Mapping[str, str]
    """Notes on those that were taken."""
    refused: Mapping[str, str]
    names: Mapping[str, str]
    splits: Mapping[str, Split]
    """Those that came along."""


def files_fresh(dataset: Dataset, hashes: Sequence[str]) -> tuple[dict[str, int], list[int]]:
    """The place of the first file of each hash, and the places of those that are no items yet."""
    known = set(Item.objects.filter(dataset=dataset, blob__in=hashes).values_list("blob", flat=True))
    first = {blob: index for index, blob in reversed(list(enumerate(hashes)))}
    return first, sorted(index for blob, index in first.items() if blob not in known)


def splits_named(files: Sequence[IncomingFile], first: Mapping[str, int]) -> dict[str, Split]:
    """The splits that came along with the first file of each hash."""
    return {blob: split for blob, index in first.items() if (split := files[index].split) is not None}


def each(function: Callable[[_In], _Out], given: Sequence[_In], *, num_threads: int = THREADS) -> list[_Out]:
    """Does the same to all, a few at a time, in order."""
    if len(given) < 2:
        return [function(one) for one in given]
    with ThreadPoolExecutor(num_threads) as pool:
        return list(pool.map(function, given))

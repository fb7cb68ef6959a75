"""Writes the reference distribution of a model's own items, with which callers' items are compared later.

A third of the items chooses the bins, the others are counted in them. Bins that were chosen by the counted items themselves
would suit these better than any items to come: where most values of a category are rare, none of the counted items would have
another value, and many of the next would.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.dataset import Split
from automl.contracts.reference import REFERENCE_FILE, FactReference, InputReference
from runtime.errors import RuntimeFault
from runtime.facts import Fact, FactBins
from runtime.hashes import file_sha256
from runtime.items import items_kind

MOST_ITEMS = 1_000
"""Of the splits, drawn evenly."""
FEWEST_ITEMS = 45
"""Splits are added until there are so many: two thirds of them are as many as changes are judged from."""
CHOOSING = 3
"""One item in so many chooses the bins."""
MOST_VALUES = 30
"""Values of a category with a bin of their own."""
FEW_VALUES = 12
"""A number that takes no more of them has bins around each."""
BEYOND = (1.0, 2.0, 4.0)
"""Edges beyond the first and the last tenth, in distances of that tenth from the median: they show how far numbers moved."""
EDITION = 3
"""Version of how facts and bins are made, part of the cache key: raise it when either changes."""


@dataclass(frozen=True)
class JudgedContents:
    """Items as a dataset keeps them, read when they are asked for."""

    version: str
    """Id of the dataset version."""
    splits: tuple[Split, ...]
    contents: Iterable[bytes]


def reference_splits(numbers: Mapping[Split, int]) -> tuple[Split, ...]:
    """Whose items a model's reference is made of.

    The test's, as its items resemble those to come most; where they are few those of validation too, and then those of
    training: facts are of items, not of answers, so it does no harm that the model has learned from them.

    Args:
        numbers: items by split.
    """
    chosen: list[Split] = []
    for split in (Split.TEST, Split.VALIDATION, Split.TRAIN):
        if sum(numbers[each] for each in chosen) < FEWEST_ITEMS and numbers.get(split, 0):
            chosen.append(split)
    return tuple(chosen)


def evenly_spaced(number: int) -> list[int]:
    """Places of at most ``MOST_ITEMS`` of so many items, evenly spaced."""
    return np.unique(np.linspace(0, number - 1, min(number, MOST_ITEMS)).astype(np.int64)).tolist() if number else []


def reference_write(folder: Path, manifest: ArtefactManifest, judged: JudgedContents, cache_dir: Path | None) -> None:
    """Writes ``reference.json``, by the runtime that will read callers' items.

    Args:
        folder: of the artefact, with the files that reading needs.
        manifest: of the artefact.
        judged: the items.
        cache_dir: of the host: trials that read alike need their items read once.
    """
    decode = manifest.decode.model_dump(mode="json")
    kind = items_kind(decode["kind"])
    kept = None
    if cache_dir is not None:
        files = {name: file_sha256(folder / name) for name in kind.files(decode)}
        key = json.dumps([EDITION, judged.version, judged.splits, decode, files], sort_keys=True)
        kept = cache_dir / "references" / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
        if kept.exists():
            (folder / REFERENCE_FILE).write_bytes(kept.read_bytes())
            return
    items = kind(decode, [each.name for each in manifest.inputs], folder)
    found = []
    for content in judged.contents:
        try:
            found.append(items.facts(items.decode(content)))
        except RuntimeFault:  # nor would it answer such an item
            continue
    reference = reference_of(found, judged.splits)
    reference.write(folder / REFERENCE_FILE)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        reference.write(kept)


def reference_of(items: Sequence[Sequence[Fact]], splits: tuple[Split, ...]) -> InputReference:
    """The bins of each fact, and how many of the items that did not choose them fall into each."""
    facts = [_fact(column) for column in zip(*items, strict=True)]
    num_choosing = len(items[::CHOOSING])
    return InputReference(splits=splits, num_items=len(items) - num_choosing, facts=tuple(facts))


def _fact(column: Sequence[Fact]) -> FactReference:
    """One fact of all items."""
    name, kind = column[0].name, column[0].kind
    edges: tuple[float, ...] = ()
    values: tuple[str, ...] = ()
    median = None
    choosing = column[::CHOOSING]
    counted = [each for place, each in enumerate(column) if place % CHOOSING]
    if kind == "numeric":
        numbers = _numbers(counted)
        edges, median = _edges(_numbers(choosing)), float(np.median(numbers)) if len(numbers) else None
        if (_numbers(column) >= 0).all():
            edges = _from_zero(edges)
    else:
        common = Counter(str(each.value) for each in choosing if each.value is not None)
        values = tuple(value for value, _ in common.most_common(MOST_VALUES))
    bins = FactBins(kind, edges=edges, values=values)
    counts = Counter(bins.bin_of(each.value) for each in counted)
    return FactReference(
        name=name,
        kind=kind,
        edges=edges,
        values=values,
        counts=tuple(counts[place] for place in range(bins.number)),
        median=median,
    )


def _from_zero(edges: Sequence[float]) -> tuple[float, ...]:
    """The edges of numbers of which none is negative, like counts: a bin that began below would promise some that are.

    Negative numbers that come later have the bin below the first edge to themselves.
    """
    return tuple(dict.fromkeys(max(0.0, edge) for edge in edges))


def _numbers(facts: Sequence[Fact]) -> np.ndarray:
    """The values that are known and finite."""
    numbers = np.array([each.value for each in facts if each.value is not None], dtype=np.float64)
    return numbers[np.isfinite(numbers)]


def _edges(numbers: np.ndarray) -> tuple[float, ...]:
    """Between tenths, and some beyond them; of few different numbers between each two, and beyond the least and the largest."""
    if not len(numbers):
        return ()
    different = np.unique(numbers)
    if len(different) <= FEW_VALUES:
        gaps = np.diff(different)
        margin = float(gaps.min()) / 2 if len(gaps) else max(0.05 * abs(float(different[0])), 1e-6)
        edges = [different[0] - margin, *(different[:-1] + gaps / 2), different[-1] + margin]
    else:
        tenths = np.quantile(numbers, np.arange(1, 10) / 10)
        below, above = tenths[4] - tenths[0], tenths[-1] - tenths[4]
        edges = [*tenths, *(tenths[0] - below * np.array(BEYOND)), *(tenths[-1] + above * np.array(BEYOND))]
    return tuple(float(edge) for edge in np.unique(edges))

"""A part of a version, as a version of its own: the hardest items of it, or a fair sample.

Items are chosen by what the shards say of them, whatever they are made of, so that no item is opened for the choice: a million
rows take a second. Shapes: N items.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, zip_longest
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from automl.contracts.dataset import Split, VersionManifest
from engine.data.version import DatasetVersion, VersionDamagedError
from engine.errors import raise_if_scarce

SHARD = "items-00000.parquet"
OF_LABEL = 2
"""Items of each label that a part should have to learn from, and one to judge by."""
MOST_FOR_LABELS = 400
"""Items that a part is given besides, so that each label occurs."""
_LABEL = re.compile(r'"label": ?"((?:[^"\\]|\\.)*)"')
_SIDES = ("width", "height")
_MEASURES = ("size_bytes", "num_characters", "num_cells")


@dataclass(frozen=True)
class VersionItems:
    """The items of a version as its shards tell of them."""

    version: DatasetVersion
    table: pa.Table

    @classmethod
    def read(cls, version: DatasetVersion) -> VersionItems:
        """All items.

        Raises:
            VersionDamagedError: a shard cannot be read.
        """
        try:
            tables = [pq.read_table(version.shard_path(name)) for name in version.manifest.shards]
            table = pa.concat_tables(tables, promote_options="default")
            table.column("annotations")
        except (OSError, pa.ArrowException, KeyError) as error:
            raise_if_scarce(error)
            raise VersionDamagedError(f"The shards of the dataset version cannot be read: {error}") from error
        return cls(version, table)

    def __len__(self) -> int:
        return int(self.table.num_rows)

    @cached_property
    def ids(self) -> list[str]:
        """Of all items, in order."""
        return list(self.table["item"].to_pylist())

    def places(self, split: Split, without: frozenset[str] = frozenset()) -> NDArray[np.intp]:
        """Where the items of a split stand, those named left out."""
        mask = pc.equal(self.table["split"], split.value)
        if without:
            mask = pc.and_(mask, pc.invert(pc.is_in(self.table["item"], value_set=pa.array(sorted(without)))))
        return np.flatnonzero(mask.to_numpy())

    @cached_property
    def measures(self) -> list[NDArray[np.float64]]:
        """What can be unusual of an item, ``_N`` each: pixels, shape, bytes, characters, cells, annotations, a rare format."""
        names = set(self.table.column_names)
        found = [self._numbers(name) for name in _MEASURES if name in names]
        if names.issuperset(_SIDES):
            width_N, height_N = (self._numbers(name) for name in _SIDES)
            found += [width_N * height_N, np.maximum(width_N, height_N) / np.maximum(1.0, np.minimum(width_N, height_N))]
        found.append(pc.utf8_length(self.table["annotations"]).to_numpy().astype(np.float64))
        codes = pc.dictionary_encode(self.table["format"]).combine_chunks().indices.to_numpy()
        found.append(-np.bincount(codes)[codes].astype(np.float64))
        return [measure_N for measure_N in found if len(measure_N) and measure_N.min() < measure_N.max()]

    def unusual(self, places: NDArray[np.intp]) -> Iterator[int]:
        """These places, the most unusual first: in turns the largest and the smallest of each measure."""
        ranks = []
        for measure_N in self.measures:
            order = places[np.argsort(measure_N[places], kind="stable")]
            ranks += [order[::-1], order]
        seen: set[int] = set()
        turns = zip_longest(*(rank.tolist() for rank in ranks)) if ranks else [places.tolist()]
        for place in chain.from_iterable(turns):
            if place is not None and place not in seen:
                seen.add(place)
                yield place

    def labels_of(self, place: int) -> set[str]:
        """Labels that the annotations of an item name, as JSON spells them."""
        return set(_LABEL.findall(self.table["annotations"][place].as_py()))

    def _numbers(self, name: str) -> NDArray[np.float64]:
        return np.asarray(self.table[name].fill_null(0).to_numpy(), dtype=np.float64)


@dataclass(frozen=True)
class Part:
    """Items of a version: places by split."""

    items: VersionItems
    places: Mapping[Split, Sequence[int]]

    def num(self, *splits: Split) -> int:
        """Items in these splits; in all without any."""
        return sum(len(self.places[split]) for split in splits or Split)

    def write(self, folder: Path, version_id: str) -> None:
        """Leaves the part below ``folder`` as a version whose blobs are those of the whole."""
        folder.mkdir(parents=True)
        whole = self.items.version
        chosen = np.sort(np.concatenate([np.array(each, dtype=np.int64) for each in self.places.values()]))
        pq.write_table(self.items.table.take(pa.array(chosen)), folder / SHARD)
        manifest: VersionManifest = whole.manifest.model_copy(
            update={
                "id": version_id,
                "num_items": len(chosen),
                "num_items_by_split": {split: len(places) for split, places in self.places.items()},
                "shards": (SHARD,),
            }
        )
        manifest.write(folder / "version.json")
        blobs = whole.data_dir / "blobs"
        if blobs.exists():
            (folder / "blobs").symlink_to(blobs.resolve(), target_is_directory=True)


def hardest(items: VersionItems, sizes: Mapping[Split, int], *, without: frozenset[str], seed: int) -> Part:
    """Of each split as many of the most unusual items as drawn by chance, and of each label a few.

    Unusual ones alone may all be of one label, of which no model learns anything.

    Args:
        items: of the version.
        sizes: how many of each split, if there are as many.
        without: ids of items that are left out.
        seed: of the draw.
    """
    draw = np.random.default_rng(seed)
    orders = {}
    for split, size in sizes.items():
        places = items.places(split, without)
        unusual = list(islice(items.unusual(places), (size + 1) // 2))
        orders[split] = [*unusual, *draw.permutation(np.setdiff1d(places, unusual)).tolist()]
    return _part(items, sizes, orders)


def sample(items: VersionItems, sizes: Mapping[Split, int], *, without: frozenset[str], seed: int) -> Part:
    """Items of each split drawn by chance, and of each label a few."""
    draw = np.random.default_rng(seed)
    return _part(items, sizes, {split: draw.permutation(items.places(split, without)).tolist() for split in sizes})


def _part(items: VersionItems, sizes: Mapping[Split, int], order: Mapping[Split, list[int]]) -> Part:
    places = {}
    for split, size in sizes.items():
        first = order[split][:size]
        if len(first) < len(order[split]):
            of_label = OF_LABEL if split is Split.TRAIN else 1
            first = _with_labels(items, first, order[split][size:], of_label)
        places[split] = first
    return Part(items, places)


def _with_labels(items: VersionItems, first: list[int], others: list[int], of_label: int) -> list[int]:
    """The first, and of the others so many that each label of the label set occurs often enough."""
    missing: dict[str, int] = defaultdict(int)
    for name in items.version.manifest.label_set.names:
        missing[_spelled(name)] = of_label
    for place in first:
        for label in items.labels_of(place):
            missing[label] -= 1
    found = list(first)
    for place in others:
        if len(found) - len(first) >= MOST_FOR_LABELS or all(number <= 0 for number in missing.values()):
            break
        labels = items.labels_of(place)
        if any(missing[label] > 0 for label in labels):
            found.append(place)
            for label in labels:
                missing[label] -= 1
    return found


def _spelled(name: str) -> str:
    """A label as its JSON has it, without the quotes."""
    return name.replace("\\", "\\\\").replace('"', '\\"')

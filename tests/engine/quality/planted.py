"""A set of pictures with planted faults: which item has which fault is known, so a quality report can be judged.

The clean pictures are objects laid over backgrounds. In the full set both are real: stamps of the ``tuxpaint_stamps`` card and
photographs; in the small one of the test suite both are drawn.
"""

from __future__ import annotations

import hashlib
import io
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from automl.contracts.dataset import Label, LabelSet, Split, blob_path
from automl.contracts.quality import ITEMS_FILE, LABELS_FILE, FindingKind, QualityItem, items_to_columns
from tests.engine.quality.planted_pictures import COPIES, SPOILED, Cutout, Rng, foreign, jpeg, png, scene


@dataclass
class Planted:
    """What was written, and the truth."""

    items: list[QualityItem] = field(default_factory=list)
    truth: dict[FindingKind, set[str]] = field(default_factory=lambda: defaultdict(set))
    pairs: set[frozenset[str]] = field(default_factory=set)
    """Copies and their originals."""
    true_labels: dict[str, str] = field(default_factory=dict)


def plant(
    folder: Path,
    *,
    cutouts: Sequence[Cutout],
    backgrounds: Sequence[Image.Image],
    num_clean: int,
    num_faults: int,
    seed: int,
    wrong_fraction: float = 0.05,
) -> Planted:
    """Writes ``items.parquet`` and ``blobs`` below ``folder``: clean pictures and about ``num_faults`` of each fault."""
    rng = np.random.default_rng(seed)
    made = _Writer(folder, rng)
    scenes: list[tuple[str, bytes]] = []
    for index in range(num_clean):
        label, cutout = cutouts[index % len(cutouts)]
        picture = scene(cutout, backgrounds[int(rng.integers(len(backgrounds)))], rng)
        data = jpeg(picture)
        scenes.append((made.add(data, label), data))
    order = iter(rng.permutation(num_clean))
    for copy in COPIES.values():
        for _ in range(num_faults):
            original, data = scenes[int(next(order))]
            made.copy(original, copy(Image.open(io.BytesIO(data)), rng), FindingKind.NEAR_DUPLICATE)
    for _ in range(num_faults):
        original, _ = scenes[int(next(order))]
        made.copy(original, made.same_pixels(original), FindingKind.EXACT_DUPLICATE)
    for kind, spoil in SPOILED.items():
        for _ in range(max(4, num_faults // 2)):
            label, cutout = cutouts[int(rng.integers(len(cutouts)))]
            picture = spoil(scene(cutout, backgrounds[int(rng.integers(len(backgrounds)))], rng), rng)
            made.truth(made.add(jpeg(picture, 90), label, is_labelled=False), kind)
    for index in range(max(4, num_faults // 6)):
        item = made.add(jpeg(foreign(rng, index)), "", is_labelled=False)
        made.truth(item, FindingKind.OUTLIER)
        if index % 6 == 0:  # the page is black on white
            made.truth(item, FindingKind.ODD_COLOUR)
    made.flip_labels([item for item, _ in scenes], wrong_fraction)
    return made.finish()


class _Writer:
    def __init__(self, folder: Path, rng: Rng):
        self._folder = folder
        self._rng = rng
        self._planted = Planted()
        self._rows: dict[str, QualityItem] = {}

    def add(self, data: bytes, label: str, *, is_labelled: bool = True, split: Split | None = None) -> str:
        blob = hashlib.sha256(data).hexdigest()
        path = self._folder / blob_path(blob)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        with Image.open(io.BytesIO(data)) as picture:
            width, height = picture.size
        item = f"itm_{len(self._rows):08d}"
        self._rows[item] = QualityItem(
            item=item,
            name=f"{item}.jpg",
            blob=blob,
            width=width,
            height=height,
            size_bytes=len(data),
            split=split or (Split.TRAIN, Split.VALIDATION, Split.TEST)[int(self._rng.choice(3, p=[0.7, 0.15, 0.15]))],
            group=blob,
            is_annotated=is_labelled,
            labels=(label,) if is_labelled else (),
        )
        self._planted.true_labels[item] = label
        return item

    def truth(self, item: str, kind: FindingKind) -> None:
        self._planted.truth[kind].add(item)

    def copy(self, original: str, data: bytes, kind: FindingKind) -> None:
        item = self.add(data, self._planted.true_labels[original])
        self._planted.pairs.add(frozenset((original, item)))
        for one in (original, item):
            self.truth(one, kind)
            if self._rows[original].split != self._rows[item].split:
                self.truth(one, FindingKind.LEAK)

    def same_pixels(self, item: str) -> bytes:
        data = (self._folder / blob_path(self._rows[item].blob)).read_bytes()
        if self._rng.random() < 0.5:  # other bytes, same coefficients: a comment behind the start of the file
            return data[:2] + b"\xff\xfe\x00\x08planted"[:10] + data[2:]
        with Image.open(io.BytesIO(data)) as picture:
            return png(picture.convert("RGB"), int(self._rng.integers(1, 9)))

    def flip_labels(self, items: Sequence[str], fraction: float) -> None:
        labels = sorted(set(self._planted.true_labels.values()) - {""})
        copied = {item for pair in self._planted.pairs for item in pair}
        free = [item for item in items if item not in copied]
        for item in self._rng.choice(free, int(len(items) * fraction), replace=False):
            others = [label for label in labels if label != self._planted.true_labels[str(item)]]
            wrong = others[int(self._rng.integers(len(others)))]
            self._rows[str(item)] = self._rows[str(item)].model_copy(update={"labels": (wrong,)})
            self.truth(str(item), FindingKind.WRONG_LABEL)

    def finish(self) -> Planted:
        self._planted.items = list(self._rows.values())
        names = sorted(set(self._planted.true_labels.values()) - {""})
        LabelSet(labels=tuple(Label(name=name) for name in names)).write(self._folder / LABELS_FILE)
        pq.write_table(pa.table(items_to_columns(self._planted.items)), self._folder / ITEMS_FILE)
        return self._planted

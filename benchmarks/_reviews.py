"""Chinese reviews as dataset versions: real texts, noisy labels, balanced."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import numpy as np

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import MediaFacts, Split, VersionManifest
from benchmarks._digits import ASSETS_DIR
from benchmarks.harness import SkippedError
from engine.assets.fetch import AssetMissingError
from engine.assets.texts import texts
from engine.data.generated import GeneratedItem, Subject, write_version
from engine.tasks.text_classification.spec import TASK

LABELS = ("negative", "positive")
NUM_TEST = 1000
_LENGTHS = range(6, 201)
_TEST_SEED = 20_261_121


@cache
def reviews() -> dict[str, list[str]]:
    """Reviews of 6 to 200 characters by label, each once; what stands on both sides is left out.

    Raises:
        SkippedError: the package cannot be had.
    """
    try:
        files = {label: texts(f"chinese_reviews_{label}", ASSETS_DIR) for label in LABELS}
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
    lines = {label: file.read_text(encoding="utf-8").splitlines() for label, file in files.items()}
    both = set(lines["negative"]) & set(lines["positive"])
    return {label: [line for line in lines[label] if len(line) in _LENGTHS and line not in both] for label in LABELS}


def drawn(numbers: Mapping[Split, int], seed: int) -> Iterator[tuple[str, str, Split]]:
    """Texts with their labels and splits, half of each split of either label.

    Args:
        numbers: texts of each split, even.
        seed: draws those of train and validation; the texts of test are always the same.
    """
    for label, lines in reviews().items():
        order = np.random.default_rng(_TEST_SEED).permutation(len(lines))
        rest = np.random.default_rng(seed).permutation(order[NUM_TEST // 2 :])
        places = iter([*order[: NUM_TEST // 2], *rest])
        for split in (Split.TEST, Split.TRAIN, Split.VALIDATION):
            for _ in range(numbers[split] // 2):
                yield lines[next(places)], label, split


def version_written(folder: Path, numbers: Mapping[Split, int], *, seed: int) -> VersionManifest:
    """A version with balanced splits below ``folder``.

    Args:
        folder: becomes a job's ``data/``.
        numbers: texts of each split, even.
        seed: of ``drawn``.
    """
    items = [_item(*parts) for parts in drawn(numbers, seed)]
    # By their bytes: nothing may depend on which label was written first.
    return write_version(folder, sorted(items, key=lambda item: item.content), Subject(TASK, LABELS))


def _item(text: str, label: str, split: Split) -> GeneratedItem:
    content = text.encode()
    media = MediaFacts(format="txt", size_bytes=len(content), num_characters=len(text))
    name = f"{hashlib.sha256(content).hexdigest()[:8]}.txt"
    return GeneratedItem(name, content, media, split, (ClassLabel(label=label),))

"""Texts to begin with: real Chinese reviews of shops, hotels and books in one table, half of them contented. Always the same.

Some have no label, so that there is something to label and to try suggestions on. The labels come with the reviews and are not
always right, which is what the quality report is for.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from automl.contracts.words import Words
from engine.assets.fetch import Progress
from engine.assets.texts import texts

words = Words(__file__)

LABELS_FROM = "auto"
BACKBONE = "multilingual_e5_small"
"""Reads Chinese and English; frozen it makes a model of these texts in seconds."""
TABLE_FILE = "reviews.csv"
NUM_LABELLED = 200
NUM_UNLABELLED = 40
_CARDS = {"negative": "chinese_reviews_negative", "positive": "chinese_reviews_positive"}
LABEL_NAMES = {label: words(f"label.{label}") for label in _CARDS}
_LENGTHS = range(10, 161)
"""Characters: long enough to say something, short enough for a tile."""
_SEED = 7
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)


def write_zip(
    target: Path, assets_dir: Path, on_progress: Progress | None = None, *, names: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Writes the zip, whole or not at all: as many texts of either label, those without one among them.

    Raises:
        AssetMissingError: the reviews are not in the store and cannot be had.
    """
    rows = _drawn(_reviews(assets_dir, on_progress))
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["text", "label"])
    writer.writerows((text, names.get(label, label)) for text, label in rows)
    partial = target.with_name(target.name + ".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        # The mark makes spreadsheets read it right.
        archive.writestr(zipfile.ZipInfo(TABLE_FILE, _ZIP_TIME), out.getvalue().encode("utf-8-sig"))
    partial.replace(target)


def _reviews(assets_dir: Path, on_progress: Progress | None) -> dict[str, list[str]]:
    """Reviews by label, each once; what stands on both sides is left out."""
    lines: dict[str, list[str]] = {}
    for done, (label, card) in enumerate(_CARDS.items()):
        file = texts(card, assets_dir, None if on_progress is None else _part(on_progress, done))
        lines[label] = file.read_text(encoding="utf-8").splitlines()
        if on_progress is not None:
            on_progress((done + 1) / len(_CARDS))
    both = set.intersection(*(set(side) for side in lines.values()))
    return {label: [line for line in side if len(line) in _LENGTHS and line not in both] for label, side in lines.items()}


def _part(on_progress: Progress, done: int) -> Progress:
    return lambda part: on_progress((done + part) / len(_CARDS))


def _drawn(reviews: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Texts with their labels in a mixed order, the unlabelled ones last."""
    generator = np.random.default_rng(_SEED)
    labelled: list[tuple[str, str]] = []
    unlabelled: list[tuple[str, str]] = []
    for label, lines in reviews.items():
        each, rest = NUM_LABELLED // len(reviews), NUM_UNLABELLED // len(reviews)
        chosen = [lines[place] for place in generator.permutation(len(lines))[: each + rest]]
        labelled += [(line, label) for line in chosen[:each]]
        unlabelled += [(line, "") for line in chosen[each:]]
    return [side[place] for side in (labelled, unlabelled) for place in generator.permutation(len(side))]

"""A small dataset version made by code: patterned badges, each thing with a pattern of its own, seen a little differently.

Same arguments, same bytes.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import ItemRecord, LabelSet, MediaFacts, Split, VersionManifest
from engine.data.generated import GeneratedItem, Subject, write_version
from engine.tasks.image_similarity.spec import TASK
from engine.tasks.image_similarity.unseen import unseen_places

NUM_PATCHES = 5
_ROUND = 4
"""Of each label two pictures in a round are learned from, and two are held back: all for validation, or all for the test."""


def write(folder: Path, *, num_items: int = 60, num_labels: int = 10, side_px: int = 48, seed: int = 0) -> VersionManifest:
    """Writes a version below ``folder`` and returns its manifest.

    Args:
        folder: becomes the job's ``data/``; made when absent.
        num_items: spread evenly over labels.
        num_labels: things.
        side_px: of the pictures.
        seed: of the generator; things look the same with any.
    """
    labels = tuple(f"badge {number + 1}" for number in range(num_labels))
    generator = np.random.default_rng(seed)
    in_test = _in_test(labels)
    items = []
    for number in range(num_items):
        place, turn = number % num_labels, number // num_labels
        held_back = Split.TEST if place in in_test else Split.VALIDATION
        split = Split.TRAIN if turn % _ROUND < _ROUND // 2 else held_back
        content = png(badge(labels[place], generator, side_px=side_px))
        facts = MediaFacts(width=side_px, height=side_px, format="png", size_bytes=len(content))
        items.append(GeneratedItem(f"{labels[place]}-{turn}.png", content, facts, split, (ClassLabel(label=labels[place]),)))
    return write_version(folder, items, Subject(TASK, labels))


def _in_test(labels: Sequence[str]) -> set[int]:
    """Half of the labels, and half of those that are kept aside."""
    unseen = sorted(unseen_places(labels))
    seen = [place for place in range(len(labels)) if place not in unseen]
    return {*unseen[::2], *seen[::2]}


def badge(name: str, generator: np.random.Generator, *, side_px: int) -> Image.Image:
    """Draws a thing: its pattern follows from its name; place, turn, size and light from the generator."""
    own = np.random.default_rng(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]))
    large = 2 * side_px
    picture = Image.new("RGB", (large, large), tuple(int(value) for value in own.integers(40, 256, 3)))
    draw = ImageDraw.Draw(picture)
    for _ in range(NUM_PATCHES):
        left, top = own.uniform(0.0, 0.8, 2) * large
        width, height = own.uniform(0.15, 0.5, 2) * large
        color = tuple(int(value) for value in own.integers(0, 256, 3))
        (draw.ellipse if own.random() < 0.5 else draw.rectangle)((left, top, left + width, top + height), fill=color)
    turned = picture.rotate(generator.uniform(-15, 15), Image.Resampling.BILINEAR)
    edge = generator.uniform(0.04, 0.12, 4) * large
    cut = turned.crop((int(edge[0]), int(edge[1]), int(large - edge[2]), int(large - edge[3]))).resize((side_px, side_px))
    lit_HWC = np.asarray(cut, dtype=np.float64) * generator.uniform(0.8, 1.15) + generator.normal(0, 4, (side_px, side_px, 3))
    return Image.fromarray(np.clip(lit_HWC, 0, 255).astype(np.uint8))


def png(picture: Image.Image) -> bytes:
    """A picture's file."""
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG")
    return buffer.getvalue()


def answers(targets: np.ndarray, labels: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Directions ``_ND`` that are the same for one label, and some that are nearer to all other labels than to their own."""
    right_NL = np.eye(len(labels))[targets]
    is_same_NN = (targets[:, None] == targets[None]).astype(np.float64)
    apart_NN = np.eye(len(targets)) - is_same_NN / is_same_NN.sum(axis=1, keepdims=True)
    return right_NL, apart_NN / np.linalg.norm(apart_NN, axis=1, keepdims=True)


def faults(records: list[ItemRecord], label_set: LabelSet) -> dict[str, tuple[list[ItemRecord], LabelSet]]:
    """The example with one thing wrong at a time, by the code of the problem that the checker must find.

    Args:
        records: of the example.
        label_set: of the example.
    """
    first, rest = records[0], records[1:]
    one, other = (ClassLabel(label=name) for name in label_set.names[:2])
    unseen = {label_set.names[place] for place in unseen_places(label_set.names)}
    train = [record for record in records if record.split == Split.TRAIN]
    held_back = [record for record in records if record.split != Split.TRAIN]
    few = LabelSet(labels=label_set.labels[:5])
    return {
        "too_few_labels": (
            [record for record in records if record.annotations == (one,)],
            LabelSet(labels=label_set.labels[:1]),
        ),
        "label_unknown": ([first.model_copy(update={"annotations": (ClassLabel(label="nobody knows"),)}), *rest], label_set),
        "several_labels": ([first.model_copy(update={"annotations": (one, other)}), *rest], label_set),
        "label_missing": ([first.model_copy(update={"annotations": ()}), *rest], label_set),
        "pairs_to_learn_missing": (held_back, label_set),
        "pairs_to_judge_missing": (train, label_set),
        "labels_few": ([record for record in records if _names(record) <= set(few.names)], few),
        "unseen_pairs_missing": (
            [*train, *(record for record in held_back if not _names(record) & unseen)],
            label_set,
        ),
        "test_empty": ([record for record in records if record.split != Split.TEST], label_set),
        "test_few": (records, label_set),
    }


def _names(record: ItemRecord) -> set[str]:
    return {each.label for each in record.annotations if isinstance(each, ClassLabel)}

"""Real digits for rows about smaller models: a model learns to tell them apart, and the job ``compress`` makes it smaller."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from automl.contracts.annotation import ClassLabel
from automl.contracts.compression import Candidate, CompressionReport
from automl.contracts.dataset import MediaFacts, Split
from automl.contracts.job import CompressOrder, TrainConfig
from benchmarks._compressing import jobs_run
from benchmarks._digits import all_digits
from engine.compress import measure, methods, prune
from engine.data.generated import GeneratedItem, Subject, write_version
from engine.models import family_spec
from engine.models.shared.params import OWN_RESOLUTION
from engine.tasks.image_classification.spec import TASK


@dataclass(frozen=True)
class Size:
    """Pictures of one run."""

    num_train: int
    num_validation: int
    num_test: int
    side_px: int
    epochs: int


def search_briefly(method: str) -> None:
    """For rows at their smallest: channels are searched in two tries, no other way is tried, and two rounds are timed."""
    prune._NUM_TRIES = measure._ROUNDS = measure._LEAST_ROUNDS = 2
    methods.method_names = lambda: (method,)


def interval_text(candidate: Candidate) -> str:
    low, high = (100 * each for each in candidate.loss_interval)
    return f"95% interval {low:.1f} to {high:.1f}"


def compressed(
    train: TrainConfig, size: Size, folder: Path, *, trains: bool = False, cache_dir: Path | None = None
) -> CompressionReport:
    """Trains, then compresses; leaves the folders of both jobs, ``trained`` and ``compressed``.

    Without a ``cache_dir`` the host's cache is empty.
    """
    _version(folder / "trained" / "data", size)
    train = train.model_copy(update={"params": {**train.params, "resolution_px": _resolution(train, size)}})
    order = CompressOrder(parent="art_digits", trains=trains)
    return jobs_run(folder, TASK.name, train, order, cache_dir=cache_dir or folder / "cache")


def _resolution(train: TrainConfig, size: Size) -> int:
    """As the family takes it, which says 0 for the network's own."""
    own_px = family_spec(train.family).size(train.size).resolution_px
    return OWN_RESOLUTION if size.side_px == own_px else size.side_px


def _version(folder: Path, size: Size) -> None:
    """As many of each digit as of any other, all of them different pictures."""
    greys_NHW, labels = all_digits()
    digits_N = np.array([int(float(label)) for label in labels])
    shuffled = np.random.default_rng(0).permutation(len(labels))
    by_digit = [shuffled[digits_N[shuffled] == digit] for digit in range(10)]
    numbers = {Split.TRAIN: size.num_train, Split.VALIDATION: size.num_validation, Split.TEST: size.num_test}
    splits = [split for split, number in numbers.items() for _ in range(number)]
    items = [
        _item(greys_NHW[by_digit[number % 10][number // 10]], f"{number % 10}", split) for number, split in enumerate(splits)
    ]
    write_version(folder, items, Subject(TASK, [f"{digit}" for digit in range(10)]))


def _item(grey_HW: np.ndarray, label: str, split: Split) -> GeneratedItem:
    content = cv2.imencode(".png", grey_HW)[1].tobytes()
    media = MediaFacts(format="png", size_bytes=len(content), width=grey_HW.shape[1], height=grey_HW.shape[0])
    name = f"{hashlib.sha256(content).hexdigest()[:8]}.png"
    return GeneratedItem(name, content, media, split, (ClassLabel(label=label),))

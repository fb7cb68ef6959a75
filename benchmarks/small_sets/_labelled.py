"""What sets of pictures and of texts have in common: files in a folder a label, as a person would upload them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.small_sets._small_set import aligned, measures_of_classes
from runtime.predictor import Predictor

MOST_TEST = 300
"""Items that every model of a study answers one by one."""


@dataclass(frozen=True)
class Labelled:
    """A file and its label."""

    content: bytes
    label: str


@dataclass(frozen=True)
class LabelledSet:
    """Files with one label each."""

    name: str
    task: str
    ending: str
    training: Sequence[Labelled]
    test: Sequence[Labelled]
    by_hand: Callable[[LabelledSet], dict[str, NDArray]]
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        """In order."""
        return tuple(sorted({each.label for each in self.training}))

    @property
    def num_training(self) -> int:
        """Files to upload."""
        return len(self.training)

    @property
    def num_test(self) -> int:
        """Files that are asked."""
        return len(self.test)

    def targets(self, items: Sequence[Labelled]) -> NDArray[np.int64]:
        """Places of the labels."""
        known = {label: place for place, label in enumerate(self.labels)}
        return np.array([known[each.label] for each in items], dtype=np.int64)

    def upload(self, walk: Any, project: Mapping[str, Any]) -> None:
        """Uploads an archive with a folder for each label."""
        job = walk.upload(project["dataset"], _archive(self.training, self.ending), name=f"{self.name}.zip")
        assert job["state"] == "succeeded", job

    def ask(self, predictor: Predictor) -> NDArray:
        """Probabilities ``_NL``."""
        scores = np.stack([predictor.predict(predictor.decode(each.content)) for each in self.test])
        return aligned(scores.astype(np.float64), predictor.labels, self.labels)

    def baselines(self) -> dict[str, NDArray]:
        """What is made by hand of all training files."""
        return self.by_hand(self)

    def measures(self, answers: NDArray, places: NDArray[np.intp] | None = None) -> dict[str, float]:
        """Accuracy and log loss."""
        chosen = slice(None) if places is None else places
        return measures_of_classes(answers[chosen], self.targets(self.test)[chosen])


def _archive(items: Sequence[Labelled], ending: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number, each in enumerate(items):
            archive.writestr(f"{each.label}/{number:05d}.{ending}", each.content)
    return buffer.getvalue()


def drawn(
    items: Sequence[Labelled], counts: Mapping[str, int] | int, seed: int, *, most_test: int = MOST_TEST
) -> tuple[list[Labelled], list[Labelled]]:
    """Items to train on and others to ask; contents that occur twice are left out.

    Args:
        items: all there are.
        counts: to train on, of each label; or in all, each label as often as it occurs, but at least four times.
        seed: of the draw.
        most_test: to ask.
    """
    once = list({each.content: each for each in items}.values())
    random = np.random.default_rng(seed)
    mixed = [once[place] for place in random.permutation(len(once))]
    if isinstance(counts, int):
        counts = _shares(mixed, counts)
    left = dict(counts)
    training, test = [], []
    for each in mixed:
        if left.get(each.label, 0) > 0:
            left[each.label] -= 1
            training.append(each)
        elif each.label in counts:
            test.append(each)
    return training, test[:most_test]


def _shares(items: Sequence[Labelled], number: int) -> dict[str, int]:
    labels = [each.label for each in items]
    return {label: max(4, round(number * labels.count(label) / len(labels))) for label in sorted(set(labels))}


def logistic(train_NF: Any, targets_N: NDArray[np.int64], test_MF: Any, *, is_scaled: bool) -> NDArray:
    """Probabilities of scikit-learn's logistic regression, its strength by the log loss of four folds."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, StandardScaler

    head = LogisticRegression(max_iter=300)
    model = make_pipeline(StandardScaler() if is_scaled else FunctionTransformer(), head)
    strengths = np.geomspace(1e-4, 1e-1, 4) if is_scaled else np.geomspace(0.3, 1000.0, 5)
    num_folds = max(2, min(4, int(np.bincount(targets_N).min())))
    folds = StratifiedKFold(num_folds, shuffle=True, random_state=0)
    grid = {"logisticregression__C": strengths.tolist()}
    search = GridSearchCV(model, grid, scoring="neg_log_loss", cv=folds).fit(train_NF, targets_N)
    found: NDArray = search.predict_proba(test_MF)
    return found


def cached_file(folder: Path, name: str, make: Callable[[Path], None]) -> Path:
    """A file in the folder of the run, made where it is missing."""
    path = folder / name
    if not path.exists():
        partial = path.with_suffix(".partial")
        make(partial)
        partial.rename(path)
    return path

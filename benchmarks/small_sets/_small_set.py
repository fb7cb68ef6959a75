"""What a small set offers, and how answers are scored.

A module ``benchmarks/small_sets/KIND.py`` has

* ``NAMES``: its sets, ``QUICK``: the few of them that ``--quick`` takes, and ``SMOKE``: one that is over in a minute, or "";
* ``ASSETS``: cards of weights that the platform needs for its tasks (``engine/assets``), an empty tuple for none;
* ``load(name, seed, folder)``: the ``SmallSet``. ``folder`` is for what the set wants to keep between runs. Raises
  ``SkippedError`` where its data cannot be had.

A set is drawn with ``random.Random(seed)`` or numpy's generator: 200 to 800 training items, each label among them, the large
rest (at most ``MOST_TEST``) as test. Test items are never uploaded.

``upload`` is what a person does between "new project" and "new version". ``ask`` lets a shipped model answer all test items
through ``runtime.Predictor``, as every service does. ``baselines`` are what a person makes by hand of **all**
training items; it may be empty. Answers of both are arrays of the same shape with the test items in the same order: for classes
probabilities ``_NL`` in the order of ``labels`` (see ``aligned``), for numbers ``_N``, and what suits it for boxes.

``measures`` scores answers, of all test items or of those given by their places, repeated places counted as often (bootstrap).
The first of its values is in **points**, 0 to 100, larger is better: accuracy, 100 x R2, 100 x AP50. Others (log loss, RMSE)
are shown beside it.

Shapes: N test items, L labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from runtime.predictor import Predictor

MOST_TEST = 4_000
_LEAST = 1e-7


class SmallSet(Protocol):
    """A set with the answers to it."""

    name: str
    task: str
    options: Mapping[str, str]
    """Of the task."""
    num_training: int
    num_test: int

    def upload(self, walk: Any, project: Mapping[str, Any]) -> None:
        """Uploads the training items with their labels into a new project (``tests.journeys.walk.Walk``)."""

    def ask(self, predictor: Predictor) -> NDArray:
        """What a model answers of all test items."""

    def baselines(self) -> dict[str, NDArray]:
        """By name, what is made by hand of all training items answers."""

    def measures(self, answers: NDArray, places: NDArray[np.intp] | None = None) -> dict[str, float]:
        """Scores of answers: points first."""


def aligned(scores_NK: NDArray, known: Sequence[str], labels: Sequence[str]) -> NDArray[np.float64]:
    """Scores of a model's labels in the order of a set's; 0 for those that it does not know."""
    scores_NL = np.zeros((len(scores_NK), len(labels)))
    for place, label in enumerate(known):
        scores_NL[:, list(labels).index(label)] = scores_NK[:, place]
    return scores_NL


def measures_of_classes(scores_NL: NDArray, truth_N: NDArray[np.int64]) -> dict[str, float]:
    """Accuracy in points, and log loss."""
    right_N = scores_NL[np.arange(len(truth_N)), truth_N] / np.maximum(scores_NL.sum(axis=1), _LEAST)
    accuracy = 100 * float((scores_NL.argmax(axis=1) == truth_N).mean())
    return {"accuracy": accuracy, "log_loss": float(-np.log(np.clip(right_N, _LEAST, 1)).mean())}


def measures_of_numbers(predicted_N: NDArray, truth_N: NDArray[np.float64]) -> dict[str, float]:
    """R2 in points, not below 0, and RMSE."""
    error = float(np.square(predicted_N - truth_N).mean())
    return {"r2": 100 * max(0.0, 1 - error / max(float(truth_N.var()), 1e-12)), "rmse": error**0.5}

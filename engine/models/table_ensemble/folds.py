"""Parts of the training rows: each is held back once and predicted by a model that has not seen it.

Shapes: N rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDS_BY_ROWS = ((8, 1_500), (5, 20_000), (3, 20_000))
"""Folds, and the most rows that are cut into so many; the first that time allows."""
FOLDED_UNITS = 5.0
"""Members of size one that there must be time for in folds; with less, more members are worth more than folds."""
MIN_JUDGING = 20
"""Rows of validation by which models can be compared at all."""


def num_folds(chosen: int, *, num_rows: int, num_validation: int, unit_s: float, left_s: float) -> int:
    """Into how many parts the rows are cut; 1 judges on validation.

    Args:
        chosen: requested number, used if there are rows and time for one member; 0 chooses automatically.
        num_rows: to train on.
        num_validation: rows of validation.
        unit_s: seconds that a member of size one takes with all rows.
        left_s: seconds that are left.
    """
    choices = [(folds, FOLDED_UNITS) for folds, most in FOLDS_BY_ROWS if num_rows <= most] if chosen == 0 else [(chosen, 1.0)]
    for folds, units in choices:
        if folds > 1 and num_rows >= 2 * folds and folds * units * unit_s <= left_s:
            return folds
    return 2 if num_validation < MIN_JUDGING and num_rows >= 4 and left_s > 0.0 else 1


def fold_of_rows(targets_N: NDArray[Any], num_labels: int, num_folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each row, 0..num_folds-1.

    Rows of one label are spread evenly, and so are small and large numbers: rows are shuffled, sorted by
    their targets and dealt out in turn.

    Args:
        targets_N: indices of labels, or numbers.
        num_labels: L; 0 where a number is predicted.
        num_folds: at least 2, at most as many as rows.
        seed: of the shuffle.

    Raises:
        ValueError: there are fewer rows than folds.
    """
    if num_folds > len(targets_N):
        raise ValueError(f"{len(targets_N)} rows cannot be in {num_folds} folds")
    random = np.random.default_rng(seed)
    shuffled_N = random.permutation(len(targets_N))
    ordered_N = shuffled_N[np.argsort(targets_N[shuffled_N], kind="stable")]
    if num_labels == 0:
        # A hand of neighbouring numbers goes out in a random order, so that no fold always has the smallest.
        dealt = [random.permutation(num_folds) for _ in range(-(-len(targets_N) // num_folds))]
        hands_N = np.concatenate(dealt)[: len(targets_N)]
    else:
        hands_N = np.arange(len(targets_N)) % num_folds
    folds_N = np.empty(len(targets_N), dtype=np.int64)
    folds_N[ordered_N] = hands_N
    return folds_N

"""How well each column predicts the target, and how columns correlate, on a sample of rows.

Shapes: S rows of the sample, A columns of numbers, L classes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from automl.contracts.table import ColumnKind

LEAST_ROWS = 30
"""With fewer rows, an association would not hold for other rows."""
NUM_FOLDS = 3
_LEAVES = (4, 16, 64)
"""Few rows cannot fill many leaves, and a leak has many steps: the best number counts."""
_MOST_CLASSES = 20
"""Rarer classes are one class together."""
_PRIOR_ROWS = 0.5
"""So many rows of the average row stand in every leaf."""
_LARGEST = 1e38
"""Of float32, in which trees see numbers; moments are counted from the first one, or minutes could not be told apart."""
_NUM_WORDS = 200
_TEXT_ROWS = 5_000
_CHINESE = re.compile(r"[\u4e00-\u9fff]+")
_WORD = re.compile(r"[^\W\d_][\w'-]*")


@dataclass(frozen=True)
class SampledColumn:
    """One column in the rows of the sample."""

    name: str
    kind: ColumnKind
    numbers_S: NDArray[np.float64]
    """Of numbers and moments; NaN where missing. Empty of other kinds."""
    codes_S: NDArray[np.int64]
    """Equal cells have equal numbers from 0; -1 where missing."""
    words: Sequence[str] = ()
    """Of texts: the cells by their codes."""

    @property
    def is_numeric(self) -> bool:
        """Whether the column has an order."""
        return self.kind in {ColumnKind.NUMBER, ColumnKind.DATETIME}

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Where nothing is known."""
        return np.isnan(self.numbers_S) if self.is_numeric else self.codes_S < 0


@dataclass(frozen=True)
class Target:
    """What is to be predicted, in the rows of the sample."""

    classes_S: NDArray[np.int64] | None
    """From 0, -1 where unknown; None where a number is predicted."""
    values_S: NDArray[np.float64] | None
    """NaN where unknown; None where a class is predicted."""

    @property
    def known(self) -> NDArray[np.bool_]:
        """Where it is known."""
        if self.classes_S is not None:
            return self.classes_S >= 0
        assert self.values_S is not None
        return ~np.isnan(self.values_S)


def target_association(column: SampledColumn, target: Target, *, seed: int = 0) -> float | None:
    """How well a column alone predicts the target in rows that were not learned from.

    A tree of 4, 16 or 64 leaves, whichever predicts best, is grown on two thirds of the rows from a column of numbers or
    moments, or on which of the 200 commonest words a text has; of a category the average of its rows is taken, drawn
    towards that of all. Its predictions for the last third are measured, each third in turn. Of classes it is the share of
    their entropy that is gone, 1 - CE / H: a mutual information between 0 and 1 that is no greater for identifiers. Of
    numbers it is R2 of their ranks, so that a few large ones do not decide. A missing cell is a value like others.

    Args:
        column: of the same rows as the target.
        target: classes or numbers.
        seed: of the folds.

    Returns:
        0..1; None where fewer than ``LEAST_ROWS`` rows have a target, or all have the same.
    """
    rows_S = np.flatnonzero(target.known)
    if column.kind is ColumnKind.TEXT:
        rows_S = rows_S[:: max(1, -(-len(rows_S) // _TEXT_ROWS))]
    if len(rows_S) < LEAST_ROWS:
        return None
    folds_S = np.random.default_rng(seed).permutation(len(rows_S)) % NUM_FOLDS
    inputs_S, is_value = _inputs(column, rows_S)
    if target.classes_S is not None:
        onehot_SL = _onehot(target.classes_S[rows_S])
    else:
        assert target.values_S is not None
        onehot_SL = _ranks(target.values_S[rows_S])[:, None]
    if np.ptp(onehot_SL, axis=0).max() == 0:
        return None
    is_class = target.classes_S is not None
    sizes = (0,) if is_value else _LEAVES
    ours, plain = dict.fromkeys(sizes, 0.0), 0.0
    for fold in range(NUM_FOLDS):
        train_S, test_S = folds_S != fold, folds_S == fold
        prior_L = onehot_SL[train_S].mean(axis=0)
        priors_SL = np.broadcast_to(prior_L, (int(test_S.sum()), len(prior_L)))
        plain += _loss(priors_SL, onehot_SL[test_S], is_class=is_class)
        for size in sizes:
            leaves_S = inputs_S.astype(np.int64) if is_value else _leaves(inputs_S, onehot_SL, train_S, size, is_class=is_class)
            answers_SL = _means(leaves_S[train_S], onehot_SL[train_S], leaves_S[test_S], prior_L)
            ours[size] += _loss(answers_SL, onehot_SL[test_S], is_class=is_class)
    return float(np.clip(1 - min(ours.values()) / plain, 0.0, 1.0)) if plain > 0 else None


def words_in(text: str) -> list[str]:
    """The words of a text, lower case; of a run of Chinese every two characters that follow one another."""
    found = [match.group() for match in _WORD.finditer(_CHINESE.sub(" ", text.lower()))]
    for run in _CHINESE.findall(text):
        found += [run[place : place + 2] for place in range(max(1, len(run) - 1))]
    return found


def correlations(columns: Sequence[SampledColumn]) -> Iterator[tuple[str, str, float]]:
    """Correlation of every two columns of numbers, moments or categories: their names, and a strength of -1..1.

    Of two numbers the rank correlation (Spearman), the only one that can be negative, of two categories Cramer's V without
    bias (Bergsma 2013, "A bias-correction for Cramer's V and Tschuprow's T"), of one of each the correlation ratio, corrected
    for the number of categories as R2 is (Kelley 1935's epsilon squared). Rows where either is missing do not count; ranks are
    those of all rows.
    """
    ordered = [column for column in columns if column.is_numeric]
    named = [column for column in columns if column.kind is ColumnKind.CATEGORY]
    if ordered:
        yield from _of_numbers(ordered)
    coded = [(column.name, column.codes_S, int(column.codes_S.max(initial=-1)) + 1) for column in named]
    for place, (first, first_S, num_first) in enumerate(coded):
        for second, second_S, num_second in coded[place + 1 :]:
            yield first, second, _cramer(first_S, num_first, second_S, num_second)
        for number in ordered:
            yield first, number.name, _ratio(first_S, num_first, number.numbers_S)


def _inputs(column: SampledColumn, rows_S: NDArray[np.intp]) -> tuple[NDArray[np.float32 | np.int64], bool]:
    """Inputs of the association: the leaves themselves (a category's values), or features ``_SF`` for a tree."""
    if column.is_numeric:
        # Not ranks: a gap between two classes is to stay a gap, so that a threshold in its middle holds for other rows.
        numbers_S = column.numbers_S[rows_S]
        least = float(np.nanmin(numbers_S, initial=np.inf))
        shifted_S = numbers_S - least if column.kind is ColumnKind.DATETIME and np.isfinite(least) else numbers_S
        return np.clip(shifted_S, -_LARGEST, _LARGEST).astype(np.float32)[:, None], False
    if column.kind is ColumnKind.CATEGORY:
        return column.codes_S[rows_S] + 1, True
    return _bags([column.words[code] if code >= 0 else "" for code in column.codes_S[rows_S]]), False


def _bags(texts: Sequence[str]) -> NDArray[np.float32]:
    """Which of the commonest words each text has, and whether it has any."""
    bags = [set(words_in(text)) for text in texts]
    counts = Counter(word for bag in bags for word in bag)
    places = {word: place for place, (word, _) in enumerate(counts.most_common(_NUM_WORDS))}
    found_SF = np.zeros((len(texts), len(places) + 1), dtype=np.float32)
    for row, bag in enumerate(bags):
        found_SF[row, [places[word] for word in bag if word in places]] = 1
        found_SF[row, -1] = bool(bag)
    return found_SF


def _leaves(
    inputs_SF: NDArray[np.float32 | np.int64],
    targets_SL: NDArray[np.float64],
    train_S: NDArray[np.bool_],
    size: int,
    *,
    is_class: bool,
) -> NDArray[np.int64]:
    """The leaf of a tree that each row falls into."""
    least = max(5, int(train_S.sum()) // 1_000)
    if is_class:
        tree = DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=size, min_samples_leaf=least, random_state=0).fit(
            inputs_SF[train_S], targets_SL[train_S].argmax(axis=1)
        )
    else:
        tree = DecisionTreeRegressor(max_leaf_nodes=size, min_samples_leaf=least, random_state=0).fit(
            inputs_SF[train_S], targets_SL[train_S, 0]
        )
    leaves_S: NDArray[np.int64] = tree.apply(inputs_SF)
    return leaves_S


def _means(
    leaves_S: NDArray[np.int64], targets_SL: NDArray[np.float64], queries_S: NDArray[np.int64], prior_L: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The mean target of each leaf that is asked for, with a little of the prior in it."""
    num = int(max(leaves_S.max(initial=0), queries_S.max(initial=0))) + 1
    counts_K = np.bincount(leaves_S, minlength=num)
    sums_KL = np.stack([np.bincount(leaves_S, weights=column_S, minlength=num) for column_S in targets_SL.T], axis=1)
    means_KL = (sums_KL + _PRIOR_ROWS * prior_L) / (counts_K + _PRIOR_ROWS)[:, None]
    answers_SL: NDArray[np.float64] = means_KL[queries_S]
    return answers_SL


def _loss(answers_SL: NDArray[np.float64], targets_SL: NDArray[np.float64], *, is_class: bool) -> float:
    if is_class:
        return float(-np.log(np.maximum((answers_SL * targets_SL).sum(axis=1), 1e-12)).sum())
    return float(((answers_SL - targets_SL) ** 2).sum())


def _onehot(classes_S: NDArray[np.int64]) -> NDArray[np.float64]:
    found, places_S, counts = np.unique(classes_S, return_inverse=True, return_counts=True)
    commonest = np.argsort(-counts, kind="stable")[: _MOST_CLASSES - 1] if len(found) > _MOST_CLASSES else np.arange(len(found))
    rank = np.full(len(found), len(commonest))
    rank[commonest] = np.arange(len(commonest))
    return np.eye(min(len(found), len(commonest) + 1))[rank[places_S]]


def _ranks(values_S: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks between 0 and 1, equal values in the middle of theirs; NaN stays."""
    there_S = ~np.isnan(values_S)
    _, places, counts = np.unique(values_S[there_S], return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    ranks_S = np.full(len(values_S), np.nan)
    ranks_S[there_S] = middle[places] / max(1, len(places))
    return ranks_S


def _of_numbers(columns: Sequence[SampledColumn]) -> Iterator[tuple[str, str, float]]:
    ranks_SA = np.stack([_ranks(column.numbers_S) for column in columns], axis=1)
    there_SA = (~np.isnan(ranks_SA)).astype(np.float64)
    num_A = np.maximum(there_SA.sum(axis=0), 1)
    filled_SA = np.where(there_SA > 0, ranks_SA, 0.0)
    num_AA = there_SA.T @ there_SA
    with np.errstate(divide="ignore", invalid="ignore"):
        centred_SA = np.where(there_SA > 0, filled_SA - filled_SA.sum(axis=0) / num_A, 0.0)
        mean_AA = centred_SA.T @ there_SA / num_AA  # of the first column where the second is there
        square_AA = (centred_SA**2).T @ there_SA / num_AA - mean_AA**2
        together_AA = centred_SA.T @ centred_SA / num_AA - mean_AA * mean_AA.T
        strength_AA = together_AA / np.sqrt(square_AA * square_AA.T)
    for first in range(len(columns)):
        for second in range(first + 1, len(columns)):
            strength = strength_AA[first, second]
            is_known = num_AA[first, second] >= LEAST_ROWS and np.isfinite(strength)
            yield columns[first].name, columns[second].name, float(np.clip(strength, -1.0, 1.0)) if is_known else 0.0


def _cramer(first_S: NDArray[np.int64], num_first: int, second_S: NDArray[np.int64], num_second: int) -> float:
    both_S = (first_S >= 0) & (second_S >= 0)
    num = int(both_S.sum())
    if num < LEAST_ROWS:
        return 0.0
    joint = np.bincount(first_S[both_S] * num_second + second_S[both_S], minlength=num_first * num_second)
    table = joint.reshape(num_first, num_second).astype(np.float64)
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    rows, columns = table.shape
    if min(rows, columns) < 2:
        return 0.0
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / num
    phi2 = float((((table - expected) ** 2) / expected).sum()) / num
    phi2 = max(0.0, phi2 - (rows - 1) * (columns - 1) / (num - 1))
    fewer = min(rows - (rows - 1) ** 2 / (num - 1), columns - (columns - 1) ** 2 / (num - 1)) - 1
    return float(min(1.0, np.sqrt(phi2 / fewer))) if fewer > 0 else 0.0


def _ratio(codes_S: NDArray[np.int64], num_codes: int, numbers_S: NDArray[np.float64]) -> float:
    both_S = (codes_S >= 0) & ~np.isnan(numbers_S)
    codes_S, numbers_S = codes_S[both_S], numbers_S[both_S]
    counts = np.bincount(codes_S, minlength=num_codes)
    num, num_groups = len(codes_S), int((counts > 0).sum())
    spread = float(numbers_S.std()) if num else 0.0
    if num < max(LEAST_ROWS, num_groups + 1) or num_groups < 2 or not np.isfinite(spread) or spread == 0:
        return 0.0
    scaled_S = (numbers_S - numbers_S.mean()) / spread
    means = np.bincount(codes_S, weights=scaled_S, minlength=num_codes) / np.maximum(counts, 1)
    eta2 = float((counts * means**2).sum()) / num
    return float(np.sqrt(np.clip(1 - (1 - eta2) * (num - 1) / (num - num_groups), 0.0, 1.0)))

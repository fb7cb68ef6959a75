"""A linear head on frozen features: fitted in tenths of a second, read by every process. Pure.

Logistic regression with an L2 penalty on standardised features, multinomial where one label is right and one against the
rest where several are; scikit-learn solves it. Fewer items than dimensions are the rule, and then the solution lies in the
span of the items: they are turned into that span first, which loses nothing and makes the fit cheap. A neighbour vote was
decided against: it needs all features where this needs one vector a label. Shapes: M labelled items, N items, B items of the
background, D features, L labels, R rank.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MIN_LABELS = 2
MIN_ITEMS_PER_LABEL = 2
STRENGTH = 0.03
"""scikit-learn's ``C``, the inverse of the penalty; the same within noise from 0.01 to 0.1 on three sets of pictures."""
_FOLDS = 3
_CHECKED_ITEMS = 800
"""Most items for cross-validation; the fit takes all."""
_MIN_SPREAD = 1e-3
_MAX_ITERATIONS = 60
_TOLERANCE = 1e-3
_TEMPERATURES = np.geomspace(0.25, 4.0, 17)


@dataclass(frozen=True)
class Head:
    """A fitted head, for features as they come."""

    labels: tuple[str, ...]
    is_several: bool
    weights_DL: NDArray[np.float32]
    bias_L: NDArray[np.float32]

    def scores(self, features_ND: NDArray[np.float32]) -> NDArray[np.float32]:
        """Confidence ``_NL`` in each label, 0..1."""
        return self.scores_of(features_ND @ self.weights_DL)

    def scores_of(self, products_NL: NDArray[np.float32]) -> NDArray[np.float32]:
        """Confidences from the products of features and ``weights_DL``."""
        return _scores(products_NL + self.bias_L, self.is_several)

    def dump(self) -> bytes:
        """The head as bytes without pickles."""
        out = io.BytesIO()
        np.savez(
            out,
            labels=np.array(self.labels, dtype=str),
            is_several=np.array(self.is_several),
            weights=self.weights_DL.astype(np.float16),
            bias=self.bias_L,
        )
        return out.getvalue()

    @classmethod
    def load(cls, content: bytes) -> Head:
        """Reads what ``dump`` wrote."""
        with np.load(io.BytesIO(content)) as file:
            return cls(
                labels=tuple(str(label) for label in file["labels"]),
                is_several=bool(file["is_several"]),
                weights_DL=file["weights"].astype(np.float32),
                bias_L=file["bias"],
            )


def head_can_fit(counts: Sequence[int]) -> bool:
    """Whether enough labels have enough items, from the number of items of each label."""
    return sum(count >= MIN_ITEMS_PER_LABEL for count in counts) >= MIN_LABELS


def head_warm() -> None:
    """Imports the solver, so that the first fit does not wait for it. The web process never fits."""
    import sklearn.linear_model  # noqa: F401, PLC0415 - a second


def head_fit(
    *,
    features_MD: NDArray[np.float32],
    is_label_ML: NDArray[np.bool_],
    labels: Sequence[str],
    is_several: bool,
    background_BD: NDArray[np.float32],
    is_judged: bool = True,
) -> tuple[Head, float | None]:
    """Fits a head and measures how often it is right on items that it was not fitted to (None with too few items).

    Its confidence is scaled by one temperature (Guo et al. 2017, "On Calibration of Modern Neural Networks"), found on the same
    items. With several labels, right means that a label is rightly predicted or not.

    Args:
        features_MD: of labelled items.
        is_label_ML: which labels they carry; each label is carried by some item.
        labels: names of the columns.
        is_several: whether an item may carry several.
        background_BD: of any items of the set, for the scale of each feature; may be empty.
        is_judged: False skips the judgement, and with it the temperature.
    """
    both = np.concatenate([features_MD, background_BD]) if len(background_BD) else features_MD
    mean_D, spread_D = both.mean(axis=0), np.maximum(both.std(axis=0), _MIN_SPREAD)
    standard_MD = (features_MD - mean_D) / spread_D
    basis_DR = _span(standard_MD)
    reduced_MR = standard_MD if basis_DR is None else standard_MD @ basis_DR
    weights_RL, bias_L = _solve(reduced_MR, is_label_ML, is_several)
    weights_DL = (weights_RL if basis_DR is None else basis_DR @ weights_RL) / spread_D[:, None]
    logits_ML = _left_out(reduced_MR, is_label_ML, is_several) if is_judged else None
    accuracy, temperature = (None, 1.0) if logits_ML is None else _judged(*logits_ML, is_several)
    head = Head(
        labels=tuple(labels),
        is_several=is_several,
        weights_DL=(weights_DL / temperature).astype(np.float32),
        bias_L=((bias_L - mean_D @ weights_DL) / temperature).astype(np.float32),
    )
    return head, accuracy


def _span(standard_MD: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """An orthonormal basis ``_DR`` of the items; None when they span (nearly) everything."""
    if len(standard_MD) >= standard_MD.shape[1]:
        return None
    return np.linalg.qr(standard_MD.T)[0]


def _solve(
    features_MR: NDArray[np.float32], is_label_ML: NDArray[np.bool_], is_several: bool
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - a second; the web process never fits

    def fitted(targets_M: NDArray[np.generic]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        model = LogisticRegression(C=STRENGTH, max_iter=_MAX_ITERATIONS, tol=_TOLERANCE)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a fit that is not at its end is good enough until the next label
            model.fit(features_MR, targets_M)
        return model.coef_.T, model.intercept_

    if is_several:
        # A label that all items carry, or none in this fold, cannot be told apart: its share is all that is known.
        columns = [
            fitted(is_M) if 0 < is_M.sum() < len(is_M) else (np.zeros((features_MR.shape[1], 1)), [8.0 if is_M.all() else -8.0])
            for is_M in is_label_ML.T
        ]
        return np.concatenate([column for column, _ in columns], axis=1), np.concatenate([bias for _, bias in columns])
    weights_RL, bias_L = fitted(is_label_ML.argmax(axis=1))
    if is_label_ML.shape[1] == 2:
        return np.concatenate([-weights_RL / 2, weights_RL / 2], axis=1), np.concatenate([-bias_L / 2, bias_L / 2])
    return weights_RL, bias_L


def _left_out(
    features_MR: NDArray[np.float32], is_label_ML: NDArray[np.bool_], is_several: bool
) -> tuple[NDArray[np.float32], NDArray[np.bool_]] | None:
    """Logits of items by heads that have not seen them, and their labels; None when some label has too few items."""
    rows_M = np.random.default_rng(0).permutation(len(features_MR))[:_CHECKED_ITEMS]
    features, labels = features_MR[rows_M], is_label_ML[rows_M]
    if labels.sum(axis=0).min() < _FOLDS:
        return None
    fold = np.empty(len(labels), dtype=np.int64)
    first = labels.argmax(axis=1)
    for label in range(labels.shape[1]):
        inside = np.flatnonzero(first == label)
        fold[inside] = np.arange(len(inside)) % _FOLDS
    logits = np.empty(labels.shape, dtype=np.float32)
    for number in range(_FOLDS):
        is_out = fold == number
        seen = labels[~is_out]
        if not is_several and (seen.sum(axis=0) == 0).any():
            return None
        weights, bias = _solve(features[~is_out], seen, is_several)
        logits[is_out] = features[is_out] @ weights + bias
    return logits, labels


def _judged(logits_ML: NDArray[np.float32], is_label_ML: NDArray[np.bool_], is_several: bool) -> tuple[float, float]:
    """The fraction that is right and the temperature under which the labels are most likely."""
    if is_several:
        accuracy = float(((logits_ML > 0) == is_label_ML).mean())
    else:
        accuracy = float((logits_ML.argmax(axis=1) == is_label_ML.argmax(axis=1)).mean())

    def surprise(temperature: float) -> float:
        scores_ML = np.clip(_scores(logits_ML / temperature, is_several), 1e-6, 1 - 1e-6)
        yes = -np.log(scores_ML[is_label_ML]).sum()
        return float(yes - np.log(1 - scores_ML[~is_label_ML]).sum()) if is_several else float(yes)

    return accuracy, float(min(_TEMPERATURES, key=surprise))


def _scores(logits_NL: NDArray[np.float32], is_several: bool) -> NDArray[np.float32]:
    if is_several:
        return np.asarray(0.5 * (1 + np.tanh(0.5 * logits_NL)), dtype=np.float32)
    shifted_NL = np.exp(logits_NL - logits_NL.max(axis=1, keepdims=True))
    return np.asarray(shifted_NL / shifted_NL.sum(axis=1, keepdims=True), dtype=np.float32)

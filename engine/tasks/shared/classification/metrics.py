"""How well the answers fit the truth, in numpy alone. Shapes: N items, L labels, R bootstrap rounds.

The truth and the answers are compared as membership tables ``_NL`` of zeros and ones, so that one label and several labels
share every count. Macro averages run over labels that occur in the split: a label that nobody carries has no recall.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import ClassMetrics, JudgedItem, SplitReport
from engine.tasks.shared.classification import ranking
from engine.tasks.shared.classification.thresholds import DEFAULT_THRESHOLD
from engine.tasks.shared.outcomes import Outcomes, right_or_wrong
from engine.tasks.shared.shares import honest, wilson

BOOTSTRAP_ROUNDS = 500
_BOOTSTRAP_CELLS = 50_000_000
"""Rounds times items at most: keeps the intervals of a large split within a second or two."""
GROUPED_FROM = 20_000
"""Items from which on the cells of the confusion are drawn instead of them."""
FEW_LOSSES = 5
_RANKED = "average_precision_macro"
_SHARES = ("f1_macro", "precision_macro", "recall_macro", _RANKED)
_TINY = 1e-7
_SHOWN_LABELS = 5


@dataclass(frozen=True)
class Answers:
    """What a model predicted for a split, beside the truth."""

    scores_NL: np.ndarray
    truth_NL: np.ndarray
    """Zeros and ones."""
    predicted_NL: np.ndarray
    """Zeros and ones: the best label, or those that reach their threshold."""
    is_several: bool

    @classmethod
    def of(cls, scores_NL: np.ndarray, targets: np.ndarray, thresholds_L: np.ndarray | None = None) -> Answers:
        """Compares scores with targets.

        Args:
            scores_NL: 0..1.
            targets: ``_N`` indices (one label) or ``_NL`` zeros and ones (several), as in ``targets.targets``.
            thresholds_L: one a label. For one label, the one that is furthest above its threshold wins, None takes the one
                with the highest score; for several, None takes one half.
        """
        num_labels = scores_NL.shape[1]
        if targets.ndim == 2:
            limits_L = np.full(num_labels, DEFAULT_THRESHOLD) if thresholds_L is None else thresholds_L
            return cls(scores_NL, targets.astype(np.int64), (scores_NL >= limits_L).astype(np.int64), is_several=True)
        eye_LL = np.eye(num_labels, dtype=np.int64)
        above_NL = scores_NL if thresholds_L is None else scores_NL / thresholds_L
        return cls(scores_NL, eye_LL[targets], eye_LL[above_NL.argmax(axis=1)], is_several=False)

    def item_losses(self) -> np.ndarray:
        """Log loss of each item; with several labels the mean of the labels' binary losses."""
        scores_NL = np.clip(self.scores_NL.astype(np.float64), _TINY, 1.0 - _TINY)
        if not self.is_several:
            return -np.log((scores_NL * self.truth_NL).sum(axis=1))
        return -np.where(self.truth_NL == 1, np.log(scores_NL), np.log1p(-scores_NL)).mean(axis=1)

    def is_right(self) -> np.ndarray:
        """Whether each item is answered exactly right."""
        return (self.predicted_NL == self.truth_NL).all(axis=1)

    def predictions(self, row: int, labels: Sequence[str]) -> tuple[ClassLabel, ...]:
        """The best labels of one item with their scores, best first, at most five; where one label is predicted, it first."""
        order = np.argsort(-self.scores_NL[row], kind="stable")
        if not self.is_several:
            order = order[np.argsort(-self.predicted_NL[row][order], kind="stable")]
        scores_K = np.clip(self.scores_NL[row][order[:_SHOWN_LABELS]], 0.0, 1.0)
        return tuple(ClassLabel(label=labels[i], score=float(score)) for i, score in zip(order, scores_K, strict=False))

    def confusion(self) -> np.ndarray:
        """Rows are truth, columns are answers; only for one label."""
        assert not self.is_several
        num_labels = self.truth_NL.shape[1]
        cells_N = self.truth_NL.argmax(axis=1) * num_labels + self.predicted_NL.argmax(axis=1)
        return np.bincount(cells_N, minlength=num_labels**2).reshape(num_labels, num_labels)


def metrics(scores_NL: np.ndarray, targets: np.ndarray, labels: Sequence[str]) -> dict[str, float]:
    """The task's metrics by name, with one half as the threshold where several labels may be predicted.

    Args:
        scores_NL: 0..1.
        targets: as in ``targets.targets``.
        labels: names in the order of the scores.

    Raises:
        ValueError: there are no items.
    """
    return metrics_of(Answers.of(scores_NL, targets))


def metrics_of(answers: Answers) -> dict[str, float]:
    """The task's metrics by name.

    Raises:
        ValueError: there are no items.
    """
    if len(answers.scores_NL) == 0:
        raise ValueError("a split without items has no metrics")
    weights_1N = np.ones((1, len(answers.scores_NL)))
    found = {name: float(values[0]) for name, values in _weighted(answers, weights_1N).items()}
    return found | {_RANKED: ranking.mean_precision(answers.scores_NL, answers.truth_NL)}


def intervals(answers: Answers, *, seed: int = 0) -> dict[str, tuple[float, float]]:
    """95% intervals of the metrics: the spread if the same number of items were drawn again.

    Accuracy is a share, so its interval is Wilson's (1927), which stays honest where few items all agree; there a bootstrap
    would claim certainty. The others are bootstrapped; of very many items, each with one label, by the cells of the
    confusion, which is the same, and the log loss, which is a mean, by its standard error. Of fewer than ``FEW_ITEMS``, and
    where no drawing differs, those that are shares are at least as wide as Wilson's, and fewer than ``FEW_LOSSES`` say nothing
    of a mean loss.
    """
    num_items = len(answers.scores_NL)
    ranked = {_RANKED: ranking.mean_precision_interval(answers.scores_NL, answers.truth_NL, seed=seed)}
    rounds = max(50, min(BOOTSTRAP_ROUNDS, _BOOTSTRAP_CELLS // max(num_items, 1)))
    generator = np.random.default_rng(seed)
    if num_items > GROUPED_FROM and not answers.is_several:
        return ranked | _grouped_intervals(answers, generator)
    weights_RN = generator.multinomial(num_items, np.full(num_items, 1.0 / num_items), size=rounds).astype(np.float64)
    found = ranked
    for name, values_R in _weighted(answers, weights_RN).items():
        low, high = np.quantile(values_R, (0.025, 0.975))
        found[name] = (float(low), float(high))
    values = metrics_of(answers)
    found["accuracy"] = wilson(values["accuracy"], num_items)
    for name in _SHARES:
        found[name] = honest(found[name], values[name], num_items)
    if num_items < FEW_LOSSES:
        del found["log_loss"]
    return found


def _grouped_intervals(answers: Answers, generator: np.random.Generator) -> dict[str, tuple[float, float]]:
    """As ``intervals``, with memory that does not grow with rounds times items."""
    num_items, num_labels = answers.scores_NL.shape
    truth_N, predicted_N = answers.truth_NL.argmax(axis=1), answers.predicted_NL.argmax(axis=1)
    cells_K, counts_K = np.unique(truth_N * num_labels + predicted_N, return_counts=True)
    eye_LL = np.eye(num_labels, dtype=np.int64)
    truth_KL, predicted_KL = eye_LL[cells_K // num_labels], eye_LL[cells_K % num_labels]
    cells = Answers(truth_KL.astype(np.float64), truth_KL, predicted_KL, is_several=False)
    weights_RK = generator.multinomial(num_items, counts_K / num_items, size=BOOTSTRAP_ROUNDS).astype(np.float64)
    found = {}
    for name, values_R in _weighted(cells, weights_RK).items():
        low, high = np.quantile(values_R, (0.025, 0.975))
        found[name] = (float(low), float(high))
    losses_N = answers.item_losses()
    reach = 1.959964 * float(losses_N.std()) / float(np.sqrt(num_items))
    loss, accuracy = float(losses_N.mean()), float(answers.is_right().mean())
    return found | {"accuracy": wilson(accuracy, num_items), "log_loss": (max(0.0, loss - reach), loss + reach)}


def per_class(answers: Answers, labels: Sequence[str]) -> tuple[ClassMetrics, ...]:
    """Precision, recall, F1 and average precision of each label, in the label set's order."""
    precision_L, recall_L, f1_L, support_L = (
        values_1L[0] for values_1L in _by_label(answers, np.ones((1, len(answers.scores_NL))))
    )
    rows = zip(labels, precision_L, recall_L, f1_L, support_L, answers.scores_NL.T, answers.truth_NL.T, strict=True)
    return tuple(
        ClassMetrics(
            label=label,
            precision=float(precision),
            recall=float(recall),
            f1=float(f1),
            support=int(support),
            average_precision=ranking.average_precision(scores_N, truth_N),
        )
        for label, precision, recall, f1, support, scores_N, truth_N in rows
    )


def split_report(
    split: Split,
    records: Sequence[ItemRecord],
    scores_NL: np.ndarray,
    targets: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> SplitReport:
    """Everything that a report shows of one split.

    Args:
        split: which one.
        records: its items, in the order of the scores.
        scores_NL: 0..1.
        targets: as in ``targets.targets``.
        labels: names in the order of the scores.
        thresholds: as ``recommended_thresholds`` gave them.
    """
    answers = Answers.of(scores_NL, targets, limits(thresholds, labels))
    roc, precision_recall, calibration = ranking.curves(scores_NL, answers.truth_NL, labels)
    return SplitReport(
        split=split,
        num_items=len(records),
        metrics=metrics_of(answers),
        intervals=intervals(answers),
        per_class=per_class(answers, labels),
        confusion=() if answers.is_several else tuple(tuple(row) for row in answers.confusion().tolist()),
        precision_recall=precision_recall,
        roc=roc,
        calibration=calibration,
        items=tuple(
            JudgedItem(
                item=record.item, truth=record.annotations, prediction=answers.predictions(row, labels), loss=float(loss)
            )
            for row, (record, loss) in enumerate(zip(records, answers.item_losses(), strict=True))
        ),
    )


def outcomes(
    report: SplitReport,
    scores_NL: np.ndarray,
    targets: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> Outcomes:
    """Whether each item is answered exactly right; arguments as of ``split_report``, and what it gave."""
    del report
    return right_or_wrong(Answers.of(scores_NL, targets, limits(thresholds, labels)).is_right())


def limits(thresholds: Mapping[str, float], labels: Sequence[str]) -> np.ndarray | None:
    """Thresholds ``_L`` in the order of the labels; None where there are none."""
    return np.array([thresholds[label] for label in labels]) if thresholds else None


def _weighted(answers: Answers, weights_RN: np.ndarray) -> dict[str, np.ndarray]:
    """The metrics for each row of item weights, ``_R`` each."""
    precision_RL, recall_RL, f1_RL, support_RL = _by_label(answers, weights_RN)
    total_R = weights_RN.sum(axis=1)
    has_label_RL = support_RL > 0
    num_present_R = np.maximum(has_label_RL.sum(axis=1), 1)

    def macro(values_RL: np.ndarray) -> np.ndarray:
        return np.where(has_label_RL, values_RL, 0.0).sum(axis=1) / num_present_R

    return {
        "accuracy": weights_RN @ answers.is_right() / total_R,
        "f1_macro": macro(f1_RL),
        "precision_macro": macro(precision_RL),
        "recall_macro": macro(recall_RL),
        "log_loss": weights_RN @ answers.item_losses() / total_R,
    }


def _by_label(answers: Answers, weights_RN: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Precision, recall, F1 and support ``_RL`` for each row of item weights."""
    hits_RL = weights_RN @ (answers.truth_NL * answers.predicted_NL)
    predicted_RL = weights_RN @ answers.predicted_NL
    support_RL = weights_RN @ answers.truth_NL
    precision_RL = hits_RL / np.maximum(predicted_RL, 1.0)
    recall_RL = hits_RL / np.maximum(support_RL, 1.0)
    f1_RL = 2.0 * hits_RL / np.maximum(predicted_RL + support_RL, 1.0)
    return precision_RL, recall_RL, f1_RL, support_RL

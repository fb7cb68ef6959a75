"""How well lines of text are found and read, in numpy and shapely.

A line is found where a truth and an answer overlap by half. It is right where the text is the same, spaces at its ends aside.
Lines that nobody can read count nowhere, nor do answers on them. Shapes: N items, R lines, D numbers of a line, K counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from automl.contracts.annotation import AttributeValue, Polygon
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import ConfusedCharacter, JudgedItem, SplitReport, TextLinesReport, WrongLine
from engine.tasks.shared.edits import confusions, num_edits
from engine.tasks.shared.outcomes import Outcomes
from engine.tasks.shared.shares import honest
from engine.tasks.shared.text_lines import plain_of
from runtime.answers.quads import CORNERS, SURE, TEXT, text_of

OVERLAP = 0.5
LIMITS = tuple(round(0.05 * step, 2) for step in range(1, 20))
"""Scores among which the recommended one is looked for."""
_NUM_CONFUSED, _NUM_WRONG = 20, 40
_NUM_DRAWN = 500
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class _Line:
    """A line of truth, or of an answer."""

    place: int
    """Among the rows of its item."""
    corners_42: Floats
    score: float
    text: str


@dataclass(frozen=True)
class _Pair:
    """A line and what was read there; one of them may be missing."""

    truth: _Line | None
    given: _Line | None

    @property
    def is_right(self) -> bool:
        """Whether it was found and read without a fault."""
        return self.truth is not None and self.given is not None and self.truth.text == self.given.text

    @property
    def texts(self) -> tuple[str, str]:
        """Truth and answer; empty where there is none."""
        return (self.truth.text if self.truth else "", self.given.text if self.given else "")


def metrics(answers_NRD: np.ndarray, targets_NRD: np.ndarray, labels: Sequence[str]) -> dict[str, float]:
    """The task's metrics by name, of lines that a model is rather sure of.

    Args:
        answers_NRD: as the model answers.
        targets_NRD: as in ``data.targets``.
        labels: names; there is one.

    Raises:
        ValueError: there are no items.
    """
    del labels
    return _measured(_counts(_matched(answers_NRD, targets_NRD, SURE)).sum(axis=0))


def recommended_thresholds(
    answers_NRD: np.ndarray, targets_NRD: np.ndarray, labels: Sequence[str], *, objective: str = ""
) -> Mapping[str, float]:
    """The score from which lines are kept: that with the best objective, of equal ones the lowest.

    Arguments and errors as of ``metrics``, and the name of the metric to improve.
    """
    name = objective or "end_to_end_f1"
    values = [_measured(_counts(_matched(answers_NRD, targets_NRD, limit)).sum(axis=0))[name] for limit in LIMITS]
    return {labels[0]: LIMITS[int(np.argmax(values))]}


def split_report(
    split: Split,
    records: Sequence[ItemRecord],
    answers_NRD: np.ndarray,
    targets_NRD: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> SplitReport:
    """Everything that a report shows of one split.

    Args:
        split: which one.
        records: its items, in the order of the answers.
        answers_NRD: as in ``metrics``.
        targets_NRD: as in ``metrics``.
        labels: names.
        thresholds: lowest score by label.
    """
    matched = _matched(answers_NRD, targets_NRD, thresholds.get(labels[0], SURE))
    counts_NK = _counts(matched)
    return SplitReport(
        split=split,
        num_items=len(records),
        metrics=_measured(counts_NK.sum(axis=0)),
        intervals=_intervals(counts_NK),
        per_class=(),
        text_lines=_lines_report(matched, records),
        items=tuple(
            _judged(record, pairs, label=labels[0], counts_K=counts_K)
            for record, pairs, counts_K in zip(records, matched, counts_NK, strict=True)
        ),
    )


def outcomes(
    report: SplitReport,
    answers_NRD: np.ndarray,
    targets_NRD: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> Outcomes:
    """The F1 of the lines of each item. Arguments as of ``split_report``, and what it gave."""
    del report
    counts_NK = _counts(_matched(answers_NRD, targets_NRD, thresholds.get(labels[0], SURE)))
    return Outcomes("f1", np.array([_measured(counts_K)["end_to_end_f1"] for counts_K in counts_NK]))


def _matched(answers_NRD: np.ndarray, targets_NRD: np.ndarray, limit: float) -> list[list[_Pair]]:
    """The pairs of each item: lines of truth in their order, then what was read where there is none."""
    if not len(answers_NRD):
        raise ValueError("a split without items has no metrics")
    return [
        _pairs(_lines(truth_RD, 0.5), _lines(rows_RD, limit))
        for rows_RD, truth_RD in zip(answers_NRD, targets_NRD, strict=True)
    ]


def _lines(rows_RD: Floats, limit: float) -> list[_Line]:
    return [
        _Line(place, row_D[:CORNERS].reshape(4, 2), float(row_D[CORNERS]), plain_of(text_of(row_D)))
        for place, row_D in enumerate(rows_RD)
        if row_D[CORNERS] > 0 and row_D[CORNERS] >= limit
    ]


def _pairs(truth: list[_Line], given: list[_Line]) -> list[_Pair]:
    overlaps = _overlaps(truth, given)
    partners: dict[int, int] = {}
    for flat in np.argsort(-overlaps, axis=None, kind="stable"):
        row, column = divmod(int(flat), max(1, len(given)))
        if overlaps[row, column] < OVERLAP:
            break
        if row not in partners and column not in partners.values():
            partners[row] = column
    found = [_Pair(line, given[partners[row]] if row in partners else None) for row, line in enumerate(truth) if line.text]
    more = [_Pair(None, line) for column, line in enumerate(given) if column not in partners.values()]
    return [*found, *more]


def _overlaps(truth: list[_Line], given: list[_Line]) -> NDArray[np.float64]:
    """Intersection over union of each with each; fractions of the picture's sides do as well as pixels."""
    if not truth or not given:
        return np.zeros((len(truth), len(given)))
    ones, others = (
        shapely.convex_hull(shapely.polygons(np.stack([line.corners_42 for line in lines]))) for lines in (truth, given)
    )
    shared = shapely.area(shapely.intersection(ones[:, None], others[None]))
    whole = shapely.area(ones)[:, None] + shapely.area(others)[None] - shared
    overlaps: NDArray[np.float64] = shared / np.maximum(whole, 1e-12)
    return overlaps


def _counts(matched: list[list[_Pair]]) -> NDArray[np.float64]:
    """Of each item: lines of truth, of the answer, found, right; characters of truth, edits."""
    return np.array(
        [
            [
                sum(pair.truth is not None for pair in pairs),
                sum(pair.given is not None for pair in pairs),
                sum(pair.truth is not None and pair.given is not None for pair in pairs),
                sum(pair.is_right for pair in pairs),
                sum(len(pair.texts[0]) for pair in pairs),
                sum(num_edits(*pair.texts) for pair in pairs),
            ]
            for pairs in matched
        ],
        dtype=np.float64,
    )


def _measured(counts_K: NDArray[np.float64]) -> dict[str, float]:
    """The metrics of summed counts; 1 where nothing is there and nothing was read."""
    num_truth, num_given, num_found, num_right, num_characters, edits = counts_K.tolist()
    num_lines = num_truth + num_given
    return {
        "end_to_end_f1": 2 * num_right / num_lines if num_lines else 1.0,
        "character_accuracy": max(0.0, 1.0 - edits / num_characters) if num_characters else float(edits == 0),
        "detection_f1": 2 * num_found / num_lines if num_lines else 1.0,
    }


def _intervals(counts_NK: NDArray[np.float64]) -> dict[str, tuple[float, float]]:
    """95%, by drawing items again (Efron 1979); of few as wide as Wilson's."""
    generator, number, measured = np.random.default_rng(0), len(counts_NK), _measured(counts_NK.sum(axis=0))
    drawn = [_measured(counts_NK[generator.integers(0, number, number)].sum(axis=0)) for _ in range(_NUM_DRAWN)]
    return {
        name: honest((float(low), float(high)), value, number)
        for name, value in measured.items()
        for low, high in [np.quantile([each[name] for each in drawn], (0.025, 0.975))]
    }


def _lines_report(matched: list[list[_Pair]], records: Sequence[ItemRecord]) -> TextLinesReport:
    confused: Counter[tuple[str, str]] = Counter()
    wrong = []
    for record, pairs in zip(records, matched, strict=True):
        for pair in pairs:
            if pair.truth is not None and pair.given is not None and not pair.is_right:
                confused.update(confusions(*pair.texts))
            if not pair.is_right:
                wrong.append(
                    WrongLine(item=record.item, truth=pair.texts[0], given=pair.texts[1], num_edits=num_edits(*pair.texts))
                )
    num_truth, num_given, num_found, num_right, num_characters, edits = (int(each) for each in _counts(matched).sum(axis=0))
    return TextLinesReport(
        num_lines=num_truth,
        num_given=num_given,
        num_found=num_found,
        num_right=num_right,
        num_true_characters=num_characters,
        num_edits=edits,
        confused=tuple(
            ConfusedCharacter(truth=truth, given=given, count=count)
            for (truth, given), count in confused.most_common(_NUM_CONFUSED)
        ),
        wrong=tuple(sorted(wrong, key=lambda line: -line.num_edits)[:_NUM_WRONG]),
    )


def _judged(record: ItemRecord, pairs: list[_Pair], *, label: str, counts_K: NDArray[np.float64]) -> JudgedItem:
    """An item with its lines; the loss is the share of characters that are wrong."""
    drawn = [place for place, each in enumerate(record.annotations) if isinstance(each, Polygon)]
    given = sorted((pair for pair in pairs if pair.given is not None), key=lambda pair: pair.given.place if pair.given else 0)
    sides = np.array([record.media.width, record.media.height])
    prediction = []
    matches = []
    for number, pair in enumerate(given):
        assert pair.given is not None
        prediction.append(
            Polygon(
                label=label,
                points=tuple((float(x), float(y)) for x, y in np.round(pair.given.corners_42 * sides, 2)),
                attributes=(AttributeValue(name=TEXT, value=pair.given.text),),
                score=min(1.0, round(pair.given.score, 6)),
            )
        )
        if pair.truth is not None:
            matches.append((drawn[pair.truth.place], number))
    return JudgedItem(
        item=record.item,
        truth=record.annotations,
        prediction=tuple(prediction),
        loss=float(counts_K[5] / max(1.0, counts_K[4])),
        matches=tuple(matches),
    )

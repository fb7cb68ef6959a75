"""Lines of text: the four corners of each, a score and the text, in the order in which they are read.

A row has x and y of the corners as fractions of the picture, from where the text begins, then the score, then the characters as
Unicode numbers. Rows without a line have the score 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from ..annotations import SCORE_DIGITS, TextLineAnnotation, border_nearness
from ..errors import AnswerInvalidError, NotExplainedError
from ..schemas import SCORE, object_of
from ..tensors import BYTES, Tensor, TensorSpec
from .kind import HasSize, Item, Subject, Thresholds

MAX_LINES = 256
MAX_CHARACTERS = 128
"""Of a line; what is behind them is left out."""
CORNERS = 8
ROW_LENGTH = CORNERS + 1 + MAX_CHARACTERS
PIXEL_DIGITS = 2
TEXT: Final = "text"
"""Attribute of a line that holds its text."""
SURE = 0.5
"""Golden lines below are not compared: which of two unlikely symbols is read is a matter of rounding."""
_MISSING = 1.0
Floats = NDArray[np.float32]


class Quads:
    """Lines of text in pixels of the picture as it was sent."""

    default_top: ClassVar[int] = MAX_LINES
    is_averaged: ClassVar[bool] = False
    has_uncertainty: ClassVar[bool] = True

    def __init__(self, labels: Sequence[str]) -> None:
        self.label = labels[0] if labels else TEXT

    def check(self, answer: Floats) -> None:
        """See ``Answers``."""
        if answer.ndim != 2 or answer.shape[1] <= CORNERS + 1:
            raise ValueError(f"the model answers in shape {answer.shape}, not with lines of text")

    def encode(
        self, answer: Floats, item: HasSize, *, top: int, threshold: float | None, thresholds: Thresholds
    ) -> list[TextLineAnnotation]:
        """See ``Answers``: in the order in which they are read."""
        least = thresholds.get(self.label, 0.0) if threshold is None else threshold
        if not np.isfinite(answer).all():
            raise AnswerInvalidError("the model answers with what is no number")
        rows = answer[(answer[:, CORNERS] > 0) & (answer[:, CORNERS] >= least)]
        sides = np.array([item.width_px, item.height_px], dtype=np.float64)
        found: list[TextLineAnnotation] = []
        for row in rows[:top]:
            corners = np.round(row[:CORNERS].astype(np.float64).reshape(4, 2) * sides, PIXEL_DIGITS)
            found.append(
                {
                    "kind": "polygon",
                    "label": self.label,
                    "points": [(x, y) for x, y in corners.tolist()],
                    "attributes": [{"name": TEXT, "value": text_of(row)}],
                    "score": min(1.0, round(float(row[CORNERS]), SCORE_DIGITS)),
                }
            )
        return found

    def best(self, answer: Floats, thresholds: Thresholds) -> dict[str, object] | None:
        """The line with the highest score; None when there is none."""
        del thresholds
        row = answer[int(answer[:, CORNERS].argmax())]
        score = float(row[CORNERS])
        return {"label": self.label, "score": min(1.0, round(score, SCORE_DIGITS))} if score > 0 else None

    def subject(self, answer: Floats, item: Item, **choice: object) -> Subject:
        """See ``Answers``."""
        raise NotExplainedError

    def uncertainty(self, answer: Floats, thresholds: Thresholds) -> float:
        """How near the nearest line comes to the threshold."""
        scores = answer[answer[:, CORNERS] > 0, CORNERS].tolist()
        return border_nearness(((self.label, score) for score in scores), thresholds)

    def passing(self, answer: Floats, item: HasSize, thresholds: Thresholds) -> list[TextLineAnnotation]:
        """All lines that pass the threshold."""
        return self.encode(answer, item, top=self.default_top, threshold=None, thresholds=thresholds)

    @staticmethod
    def tensor_specs(shape: Sequence[int]) -> Sequence[TensorSpec]:
        """See ``Answers``: lines that reach the threshold, in the order in which they are read, then rows of zeros.

        ``quads`` are x and y of four corners as fractions of the picture.
        """
        rows = (shape[0], shape[1])
        specs = (("quads", "FP32", (*rows, 4, 2)), ("line_scores", "FP32", rows), ("texts", BYTES, rows))
        return [TensorSpec(*spec) for spec in specs]

    def tensors(self, answers: Floats, thresholds: Thresholds) -> Mapping[str, Tensor]:
        """See ``Answers``."""
        kept = np.zeros_like(answers)
        texts = np.full(answers.shape[:2], "", dtype=np.object_)
        least = thresholds.get(self.label, 0.0)
        for own, names, answer in zip(kept, texts, answers, strict=True):
            passed = answer[(answer[:, CORNERS] > 0) & (answer[:, CORNERS] >= least)]
            own[: len(passed)] = passed
            names[: len(passed)] = [text_of(row) for row in passed]
        quads = kept[..., :CORNERS].reshape(*answers.shape[:2], 4, 2)
        return {"quads": quads, "line_scores": kept[..., CORNERS], "texts": texts}

    @staticmethod
    def disagreement(mine: Sequence[TextLineAnnotation], other: Sequence[TextLineAnnotation]) -> float:
        """The fraction of the lines whose text the other model does not read near the same place."""
        free = list(other)
        for line in mine:
            same = [each for each in free if _text(each) == _text(line) and _is_near(line, each)]
            if same:
                free.remove(same[0])
        num_matched = len(other) - len(free)
        return 1.0 - 2 * num_matched / (len(mine) + len(other)) if mine or other else 0.0

    def difference(self, expected: Mapping[str, Any], answer: Floats, item: HasSize) -> float:
        """See ``Answers``: of lines with the same text, the largest difference of a corner or the score."""
        del item
        given = [(row[: CORNERS + 1].astype(np.float64), text_of(row)) for row in answer if row[CORNERS] >= SURE]
        golden = [(np.array([*line["corners"], line["score"]]), line["text"]) for line in expected.get("quads", ())]
        golden = [(numbers, text) for numbers, text in golden if numbers[CORNERS] >= SURE]
        return max(_farthest(golden, given), _farthest(given, golden))

    @staticmethod
    def easydl(annotation: TextLineAnnotation) -> dict[str, object]:
        """See ``Answers``; the location is in whole pixels."""
        left, upper, right, lower = (round(side) for side in _bounds(annotation))
        location = {"left": left, "top": upper, "width": right - left, "height": lower - upper}
        return {"words": _text(annotation), "score": annotation["score"], "location": location}

    @staticmethod
    def easydl_cells(annotation: TextLineAnnotation, target: str) -> dict[str, object]:
        """See ``Answers``."""
        return {"score": annotation["score"], target: _text(annotation)}

    @staticmethod
    def schema(label: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Answers``."""
        point = {
            "type": "array",
            "items": {"type": "number"},
            "minItems": 2,
            "maxItems": 2,
            "description": "x and y in pixels of the picture as it was sent, from the top left.",
        }
        points = {"type": "array", "items": point, "minItems": 4, "maxItems": 4}
        text = object_of({"name": {"const": TEXT}, "value": {"type": "string"}})
        attributes = {"type": "array", "items": text, "description": "What the line says."}
        return object_of(
            {"kind": {"const": "polygon"}, "label": label, "points": points, "attributes": attributes, "score": SCORE}
        )


def text_of(row: Floats) -> str:
    """The text of a row.

    Raises:
        AnswerInvalidError: a number stands for no character.
    """
    numbers = row[CORNERS + 1 :].astype(np.int64)
    try:
        return "".join(map(chr, numbers[numbers > 0].tolist()))
    except ValueError as error:
        raise AnswerInvalidError(f"the model answers with what is no character: {error}") from error


def _text(line: TextLineAnnotation) -> str:
    return next((each["value"] for each in line["attributes"] if each["name"] == TEXT), "")


def _bounds(line: TextLineAnnotation) -> tuple[float, float, float, float]:
    """Left, upper, right and lower side of the upright rectangle around a line."""
    xs, ys = zip(*line["points"], strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_near(one: TextLineAnnotation, other: TextLineAnnotation) -> bool:
    """Whether the middle of a line lies within the bounds of the other."""
    left, upper, right, lower = _bounds(other)
    x, y = np.mean(one["points"], axis=0)
    return bool(left <= x <= right and upper <= y <= lower)


def _farthest(expected: Sequence[tuple[NDArray[np.float64], str]], there: Sequence[tuple[NDArray[np.float64], str]]) -> float:
    """How far the worst line is from the nearest one with the same text."""
    worst = 0.0
    for numbers, text in expected:
        apart = [float(np.nan_to_num(np.abs(numbers - other), nan=_MISSING).max()) for other, own in there if own == text]
        worst = max(worst, min(apart, default=_MISSING))
    return worst


KIND = Quads

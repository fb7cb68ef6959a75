"""Whether a picture is like those that were learned from, and where it is not: one plane of anomaly scores, 0..1.

The planes have a size of the graph's own, and the score of the picture is the largest of its plane. One of the project's two
labels is the normal one; the other is answered from its threshold on, one half where there is none.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..annotations import NEUTRAL_SCORE, SCORE_DIGITS, ClassAnnotation, HeatMap, HeatMapAnnotation, border_nearness
from ..errors import AnswerInvalidError
from ..schemas import SCORE, object_of
from ..tensors import BYTES, Tensor, TensorSpec
from .kind import Item, Thresholds

NORMAL_NAMES = frozenset({"normal", "good", "ok", "正常", "良品", "合格"})
"""By any of these, in any case, the normal label is known."""
LEVELS = 255
"""Steps of a value in an answer's heat map."""
NUM_AXES = 2
Floats = NDArray[np.float32]


def normal_index(labels: Sequence[str]) -> int:
    """Place of the normal label: the first with a name for it, else the first."""
    return next((place for place, name in enumerate(labels) if name.strip().casefold() in NORMAL_NAMES), 0)


class HeatMaps:
    """The picture's label, its score and the heat map."""

    default_top: ClassVar[int] = 1
    is_averaged: ClassVar[bool] = False
    has_uncertainty: ClassVar[bool] = True

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = tuple(labels)
        self._normal = normal_index(self.labels)
        self.normal = self.labels[self._normal]
        self.defect = next((name for name in self.labels if name != self.normal), "defect")

    def check(self, answer: Floats) -> None:
        """See ``Answers``."""
        if answer.ndim != NUM_AXES or not answer.size:
            raise ValueError(f"the model answers in shape {answer.shape}, not with a plane")

    def encode(
        self, answer: Floats, item: Item, *, top: int, threshold: float | None, thresholds: Thresholds
    ) -> list[HeatMapAnnotation]:
        """See ``Answers``: one label, unless its score is below ``threshold``. ``thresholds`` decide which label it is.

        Raises:
            AnswerInvalidError: a place is infinite or no number.
        """
        del item, top
        anomaly = self._anomaly(answer)
        predicted = self._label(anomaly, self._limit(thresholds))
        if threshold is not None and predicted["score"] < threshold:
            return []
        return [{**predicted, "heat_map": heat_map_of(answer, anomaly)}]

    def best(self, answer: Floats, thresholds: Thresholds) -> dict[str, object]:
        """The label that is predicted."""
        predicted = self._label(self._anomaly(answer), self._limit(thresholds))
        return {"label": predicted["label"], "score": predicted["score"]}

    def label_scores(self, answer: Floats) -> Floats:
        """See ``Scores``: the anomaly score of the defect, and what is left of one for the normal label."""
        anomaly = np.float32(answer.max())
        return np.array([1 - anomaly if place == self._normal else anomaly for place in range(len(self.labels))], np.float32)

    def uncertainty(self, answer: Floats, thresholds: Thresholds) -> float:
        """How near the score comes to the threshold: 1 on it."""
        return border_nearness([(self.defect, float(answer.max()))], {self.defect: self._limit(thresholds)})

    def passing(self, answer: Floats, item: Item, thresholds: Thresholds) -> list[ClassAnnotation]:
        """The predicted label, without its heat map, as it is stored with every call."""
        del item
        return [self._label(self._anomaly(answer), self._limit(thresholds))]

    @staticmethod
    def tensor_specs(shape: Sequence[int]) -> Sequence[TensorSpec]:
        """See ``Answers``: the predicted label, and the anomaly score."""
        return (TensorSpec("label", BYTES, (shape[0], 1)), TensorSpec("anomaly_score", "FP32", (shape[0], 1)))

    def tensors(self, answers: Floats, thresholds: Thresholds) -> Mapping[str, Tensor]:
        """See ``Answers``."""
        labels = [[self.passing(answer, None, thresholds)[0]["label"]] for answer in answers]
        scores = answers.reshape(len(answers), -1).max(axis=1, keepdims=True)
        return {"label": np.array(labels, dtype=np.object_), "anomaly_score": scores.astype(np.float32)}

    @staticmethod
    def disagreement(mine: Sequence[ClassAnnotation], other: Sequence[ClassAnnotation]) -> float:
        """1 where the labels differ."""
        ours, theirs = ([each["label"] for each in side] for side in (mine, other))
        return 0.0 if ours == theirs else 1.0

    def difference(self, expected: Mapping[str, Any], answer: Floats, item: Item) -> float:
        """See ``Answers``: the largest difference of a place."""
        del item
        golden = expected["heat_map"]
        golden_plane = np.array(golden["values"], dtype=np.float64).reshape(golden["height"], golden["width"])
        if golden_plane.shape != answer.shape:
            raise ValueError(f"the plane has the shape {answer.shape}, that of the golden sample {golden_plane.shape}")
        return float(np.nan_to_num(np.abs(answer - golden_plane), nan=1.0).max())

    @staticmethod
    def easydl(annotation: HeatMapAnnotation) -> dict[str, object]:
        """See ``Answers``."""
        return {"name": annotation["label"], "score": annotation["score"], "heat_map": annotation["heat_map"]}

    @staticmethod
    def easydl_cells(annotation: ClassAnnotation, target: str) -> dict[str, object]:
        """See ``Answers``."""
        return {"score": annotation["score"], target: annotation["label"]}

    @staticmethod
    def schema(label: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Answers``."""
        side = {"type": "integer", "minimum": 1, "description": "Cells; the map lies over the whole picture."}
        values = {
            "type": "string",
            "contentEncoding": "base64",
            "description": "A byte a cell, row by row from the top left: 0 is like the normal pictures, 255 unlike all.",
        }
        score = {
            **SCORE,
            "description": "Of the picture: the largest of its map. From the label's threshold on it is a defect.",
        }
        heat_map = object_of({"score": score, "width": side, "height": side, "values": values})
        return object_of({"kind": {"const": "class"}, "label": label, "score": SCORE, "heat_map": heat_map})

    def _limit(self, thresholds: Thresholds) -> float:
        return thresholds.get(self.defect, NEUTRAL_SCORE)

    def _label(self, anomaly: float, limit: float) -> ClassAnnotation:
        """The label with the score of it: what is left of one where it is the normal one."""
        if anomaly >= limit:
            return {"kind": "class", "label": self.defect, "score": anomaly}
        return {"kind": "class", "label": self.normal, "score": round(1.0 - anomaly, SCORE_DIGITS)}

    @staticmethod
    def _anomaly(answer: Floats) -> float:
        if not np.isfinite(answer).all():
            raise AnswerInvalidError("the model answers with a place that is no number")
        return round(float(np.clip(answer.max(), 0.0, 1.0)), SCORE_DIGITS)


def heat_map_of(answer: Floats, anomaly: float) -> HeatMap:
    """A plane of anomaly scores in short: a byte a place."""
    levels = np.rint(np.clip(answer.astype(np.float32), 0.0, 1.0) * LEVELS).astype(np.uint8)
    height, width = levels.shape
    return {"score": anomaly, "width": width, "height": height, "values": base64.b64encode(levels.tobytes()).decode("ascii")}


KIND = HeatMaps

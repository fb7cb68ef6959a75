"""A label for each pixel of a picture, or none: two planes, the index of the label (-1: none) and how sure the model is, 0..1.

The planes have a size of the graph's own. A pixel of the picture has the label of the plane's pixel in which its centre lies,
so an annotation holds as much of the picture as its label holds of the planes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..annotations import SCORE_DIGITS, MaskAnnotation
from ..errors import AnswerInvalidError, NotExplainedError
from ..run_lengths import pixels_of, runs_bounds, runs_unpack, stretches_of, stretches_pack
from ..schemas import SCORE, object_of
from ..tensors import Tensor, TensorSpec
from .kind import HasSize, Item, Subject, Thresholds

DEFAULT_TOP = 100
NUM_PLANES = 2
NONE = -1
"""Index of a pixel that has no label."""
SURE = 0.75
"""A pixel is doubtful below: the next best label comes to a third of the best at least."""
EVEN = 0.501
"""Up to here two labels of a pixel may be even, and which of them a graph says is a matter of rounding."""
EVEN_SHARE = 0.001
"""Such pixels that may have another label than in a golden sample, of all."""
UNCERTAINTY_DIGITS = 4
Labels = NDArray[np.int64]
Floats = NDArray[np.float32]


class Mask:
    """One mask for each label that holds a pixel, in pixels of the picture as it was sent; the largest first."""

    default_top: ClassVar[int] = DEFAULT_TOP
    is_averaged: ClassVar[bool] = False
    has_uncertainty: ClassVar[bool] = True

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = tuple(labels)

    def check(self, answer: Floats) -> None:
        """See ``Answers``."""
        if answer.ndim != NUM_PLANES + 1 or len(answer) != NUM_PLANES or not answer.size:
            raise ValueError(f"the model answers in shape {answer.shape}, not with {NUM_PLANES} planes")

    def encode(
        self, answer: Floats, item: HasSize, *, top: int, threshold: float | None, thresholds: Thresholds
    ) -> list[MaskAnnotation]:
        """See ``Answers``; pixels of which the model is less sure than their label's threshold have none.

        Raises:
            AnswerInvalidError: a pixel is infinite or no number.
        """
        if not np.isfinite(answer).all():
            raise AnswerInvalidError("the model answers with a pixel that is no number")
        floors = [thresholds.get(label, 0.0) if threshold is None else threshold for label in self.labels]
        labels_hw = _passed(answer, floors)
        width, height = item.width_px, item.height_px
        stretches = _stretches(labels_hw, width=width, height=height)
        found: list[MaskAnnotation] = []
        for index, score in _ranked(labels_hw, answer[1])[:top]:
            counts = stretches.counts(index, width * height)
            if counts:
                name = self.labels[index]
                found.append(
                    {"kind": "mask", "label": name, "width": width, "height": height, "counts": counts, "score": score}
                )
        return found

    def best(self, answer: Floats, thresholds: Thresholds) -> dict[str, object] | None:
        """The label of most pixels, and how sure the model is of them on average; None where no pixel has one."""
        del thresholds
        ranked = _ranked(_labels(answer), answer[1])
        return {"label": self.labels[ranked[0][0]], "score": ranked[0][1]} if ranked else None

    def subject(self, answer: Floats, item: Item, **choice: object) -> Subject:
        """See ``Answers``."""
        raise NotExplainedError

    def uncertainty(self, answer: Floats, thresholds: Thresholds) -> float:
        """The share of doubtful pixels among those that have a label or are doubtful; 0 where there are none."""
        del thresholds
        is_doubtful_hw = answer[1] < SURE
        num_looked_at = int(((_labels(answer) != NONE) | is_doubtful_hw).sum())
        return round(int(is_doubtful_hw.sum()) / num_looked_at, UNCERTAINTY_DIGITS) if num_looked_at else 0.0

    def passing(self, answer: Floats, item: HasSize, thresholds: Thresholds) -> list[MaskAnnotation]:
        """All masks of pixels that pass their labels' thresholds."""
        return self.encode(answer, item, top=self.default_top, threshold=None, thresholds=thresholds)

    @staticmethod
    def tensor_specs(shape: Sequence[int]) -> Sequence[TensorSpec]:
        """See ``Answers``: the index of each pixel's label, in the graph's own size; -1 where none reaches its threshold."""
        return (TensorSpec("label_index", "INT64", (shape[0], *shape[2:])),)

    def tensors(self, answers: Floats, thresholds: Thresholds) -> Mapping[str, Tensor]:
        """See ``Answers``."""
        floors = [thresholds.get(label, 0.0) for label in self.labels]
        return {"label_index": np.stack([_passed(answer, floors) for answer in answers])}

    @staticmethod
    def disagreement(mine: Sequence[MaskAnnotation], other: Sequence[MaskAnnotation]) -> float:
        """The share of pixels on which the two differ, among those that either gives a label."""
        sides = [[(each["label"], *stretches_of(each["counts"])) for each in side] for side in (mine, other)]
        names = sorted({name for side in sides for name, _, _ in side})
        edges = np.unique(np.concatenate([part for side in sides for _, *both in side for part in both] or [np.zeros(1, int)]))
        ours, theirs = (_labels_between(side, names, edges) for side in sides)
        lengths, is_marked = np.diff(edges), (ours != NONE) | (theirs != NONE)
        return float(lengths[ours != theirs].sum() / lengths[is_marked].sum()) if is_marked.any() else 0.0

    def difference(self, expected: Mapping[str, Any], answer: Floats, item: HasSize) -> float:
        """See ``Answers``: the share of pixels with another label, or the largest difference of a mean score.

        Means are of the pixels that a label holds in the sample, so a pixel between two labels counts as one pixel. A few
        pixels that may lie between two labels are let pass.
        """
        del item
        golden = expected["mask"]
        height, width = answer.shape[1:]
        if (golden["height"], golden["width"]) != (height, width):
            raise ValueError(f"the planes have {width} x {height} pixels, the golden sample other sides")
        expected_hw = np.full((height, width), NONE)
        apart = [0.0]
        for index, counts, score in golden["segments"]:
            is_labelled_hw = pixels_of(runs_unpack(counts), width=width, height=height) != 0
            expected_hw[is_labelled_hw] = index
            apart.append(abs(float(answer[1][is_labelled_hw].mean(dtype=np.float64)) - score))
        is_other_hw, is_even_hw = expected_hw != _labels(answer), answer[1] <= EVEN
        share = float((is_other_hw & ~is_even_hw).mean()) + max(0.0, float((is_other_hw & is_even_hw).mean()) - EVEN_SHARE)
        return float(np.nan_to_num(np.max([*apart, share]), nan=1.0))

    @staticmethod
    def easydl(annotation: MaskAnnotation) -> dict[str, object]:
        """See ``Answers``; the location is the box around the label's pixels."""
        bounds = runs_bounds(annotation["counts"], height=annotation["height"]) or (0, 0, 0, 0)
        location = dict(zip(("left", "top", "width", "height"), bounds, strict=True))
        return {
            "name": annotation["label"],
            "score": annotation["score"],
            "location": location,
            "mask": annotation["counts"],
        }

    @staticmethod
    def easydl_cells(annotation: MaskAnnotation, target: str) -> dict[str, object]:
        """See ``Answers``."""
        return {"score": annotation["score"], target: annotation["label"]}

    @staticmethod
    def schema(label: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Answers``."""
        side = {"type": "integer", "minimum": 1, "description": "Pixels of the picture as it was sent."}
        counts = {"type": "string", "description": "The label's pixels: COCO's compressed run lengths, column by column."}
        sides = dict.fromkeys(("width", "height"), side)
        return object_of({"kind": {"const": "mask"}, "label": label, **sides, "counts": counts, "score": SCORE})


class _Stretches(NamedTuple):
    """Pixels of one label that follow one another in a column of the picture."""

    starts: NDArray[np.int64]
    """Place of the first, counted down the columns."""
    ends: NDArray[np.int64]
    labels: Labels

    def counts(self, index: int, num_pixels: int) -> str:
        """The pixels of a label as run lengths; empty where there are none."""
        is_own = self.labels == index
        starts, ends = self.starts[is_own], self.ends[is_own]
        if not starts.size:
            return ""
        return stretches_pack(starts, ends, num_pixels)


def _stretches(labels_hw: Labels, *, width: int, height: int) -> _Stretches:
    """Cuts each column of the picture where the label changes. Columns that show one column of the planes are cut once."""
    rows, columns = _pixel_indices(height, labels_hw.shape[0]), _pixel_indices(width, labels_hw.shape[1])
    shown, place_W = np.unique(columns, return_inverse=True)  # noqa: N806 - the suffix is the shape
    cut_DH = labels_hw[:, shown][rows].T  # noqa: N806 - as above
    is_first_DH = np.ones(cut_DH.shape, dtype=bool)  # noqa: N806 - as above
    is_first_DH[:, 1:] = cut_DH[:, 1:] != cut_DH[:, :-1]
    of_shown, first_rows = np.nonzero(is_first_DH)
    num_D = is_first_DH.sum(axis=1)  # noqa: N806 - as above
    num_W = num_D[place_W]  # noqa: N806 - as above
    begin_W = np.cumsum(num_W) - num_W  # noqa: N806 - as above
    places = np.repeat((np.cumsum(num_D) - num_D)[place_W] - begin_W, num_W) + np.arange(num_W.sum())
    starts = np.repeat(np.arange(width) * height, num_W) + first_rows[places]
    return _Stretches(starts, np.append(starts[1:], width * height), cut_DH[of_shown, first_rows][places])


def _pixel_indices(num_there: int, num_here: int) -> NDArray[np.int64]:
    """For each pixel of a side of the picture, the planes' pixel in which its centre lies."""
    return (2 * np.arange(num_there) + 1) * num_here // (2 * num_there)


def _labels(answer: Floats) -> Labels:
    """Index of each pixel's label."""
    return np.asarray(np.rint(answer[0]), dtype=np.int64)


def _passed(answer: Floats, floors: Sequence[float]) -> Labels:
    """The same, but none where the model is less sure than the label's floor."""
    labels_hw = _labels(answer)
    labels_hw[answer[1] < np.array([*floors, 0.0])[labels_hw]] = NONE  # the last is that of none
    return labels_hw


def _ranked(labels_hw: Labels, sure_hw: Floats) -> list[tuple[int, float]]:
    """Labels that hold a pixel, by how many, and how sure the model is of them on average."""
    is_labelled = labels_hw != NONE
    indices, nums = np.unique(labels_hw[is_labelled], return_counts=True)
    sums = np.bincount(labels_hw[is_labelled], weights=sure_hw[is_labelled])
    order = np.argsort(-nums, kind="stable")
    return [(int(indices[at]), round(float(np.clip(sums[indices[at]] / nums[at], 0, 1)), SCORE_DIGITS)) for at in order]


def _labels_between(
    side: Sequence[tuple[str, NDArray[np.int64], NDArray[np.int64]]], names: Sequence[str], edges: NDArray[np.int64]
) -> Labels:
    """Index in ``names`` of what a side says between two edges each, among which are all of its own."""
    indices = np.full(max(len(edges) - 1, 0), NONE)
    for name, starts, ends in side:
        depth = np.zeros(len(edges), dtype=np.int64)
        depth[np.searchsorted(edges, starts)] += 1
        depth[np.searchsorted(edges, ends)] -= 1
        indices[np.cumsum(depth)[:-1] > 0] = names.index(name)
    return indices


KIND = Mask

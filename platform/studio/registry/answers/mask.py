"""A label for each pixel: every pixel of another label counts, so an answer is off by more or less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.annotation import IGNORED_LABEL, Annotation, Mask, Polygon
from automl.contracts.report import JudgedItem
from runtime.run_lengths import GeometryError, pixels_of, runs_unpack
from studio.registry.answers import Side
from studio.registry.document.markup import joined
from studio.registry.labelled import labelled

GRID = 160
"""Pixels of the longer side of a mask that is drawn."""


class Masks:
    """See ``JudgedAnswers``."""

    is_amount = True
    are_compared = False
    are_lines = False
    are_boxes = False

    def predicted(self, prediction: Sequence[Annotation], thresholds: Mapping[str, float]) -> list[str]:
        """Labels that hold a pixel; pixels below their thresholds were left out when the model was judged."""
        del thresholds
        return [each.label for each in labelled(prediction)]

    def is_error(self, item: JudgedItem, truth: list[str], predicted: list[str]) -> bool:
        """Some pixels have another label."""
        del truth, predicted
        return item.loss > 0

    def thresholds_fit(self, labels: Sequence[str], thresholds: Mapping[str, float]) -> bool:
        """Any."""
        del labels, thresholds
        return True

    def svg(self, annotations: Sequence[Annotation], side: Side) -> SafeString:
        """Areas, half translucent."""
        return areas_drawn(annotations, side)


def areas_drawn(annotations: Sequence[Annotation], side: Side) -> SafeString:
    """SVG paths of masks and polygons; the class of each is the side that says it."""
    paths = [(_looks(each, side), path) for each in annotations if (path := _path(each))]
    return joined(format_html('<path class="area {}" fill-rule="evenodd" d="{}"/>', looks, path) for looks, path in paths)


def _looks(annotation: Annotation, side: Side) -> str:
    """The side, or that the area does not count."""
    return "ignored" if getattr(annotation, "label", None) == IGNORED_LABEL else str(side)


def _path(annotation: Annotation) -> str:
    """What is inside, as an SVG path in pixels of the picture."""
    if isinstance(annotation, Polygon):
        rings = (annotation.points, *annotation.holes)
        return "".join("M" + "L".join(f"{x:g} {y:g}" for x, y in ring) + "z" for ring in rings)
    return _mask_path(annotation) if isinstance(annotation, Mask) else ""


def _mask_path(mask: Mask) -> str:
    """Bars of neighbouring pixels, on a coarse grid."""
    try:
        pixels_HW = pixels_of(runs_unpack(mask.counts), width=mask.width, height=mask.height)  # noqa: N806 - its shape
    except GeometryError:
        return ""
    step = -(-max(mask.width, mask.height) // GRID)
    coarse_HW = np.pad(pixels_HW[step // 2 :: step, step // 2 :: step], ((0, 0), (1, 1)))  # noqa: N806 - as above
    edges = np.diff(coarse_HW.astype(np.int8), axis=1)
    (rows, starts), (_, ends) = np.nonzero(edges == 1), np.nonzero(edges == -1)
    bars = zip(rows * step, starts * step, (ends - starts) * step, strict=True)
    return "".join(f"M{left} {top}h{length}v{step}h-{length}z" for top, left, length in bars)


KIND = Masks()

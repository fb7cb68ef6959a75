"""A label of two with the heat map that it stands on."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import numpy as np
from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.annotation import Annotation, ClassLabel, HeatMap
from studio.registry.answers import Side
from studio.registry.answers.class_scores import ClassScores
from studio.registry.document.markup import EMPTY, joined

SHOWN_FROM = 64
"""Of 255: what is less unlike the normal pictures is left out."""


class HeatMaps(ClassScores):
    """See ``JudgedAnswers``."""

    def svg(self, annotations: Sequence[Annotation], side: Side) -> SafeString:
        """The cells that are unlike the normal pictures, over the whole picture; people say nothing of places."""
        if side == "truth":
            return EMPTY
        return joined(_drawn(each.heat_map) for each in annotations if isinstance(each, ClassLabel) and each.heat_map)


def _drawn(heat_map: HeatMap) -> SafeString:
    try:
        levels = np.frombuffer(base64.b64decode(heat_map.values, validate=True), np.uint8)
        cells = levels.reshape(heat_map.height, heat_map.width)
    except ValueError:
        return EMPTY
    rows, columns = np.nonzero(cells >= SHOWN_FROM)
    shown = (
        format_html(
            '<rect x="{}" y="{}" width="1" height="1" fill-opacity="{}"/>', column, row, f"{cells[row, column] / 400:.2f}"
        )
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    )
    return format_html(
        '<svg width="100%" height="100%" viewBox="0 0 {} {}" preserveAspectRatio="none" fill="#e03131">{}</svg>',
        heat_map.width,
        heat_map.height,
        joined(shown),
    )


KIND = HeatMaps()

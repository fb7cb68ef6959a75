"""Annotations with a label, of whatever kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from automl.contracts.annotation import IGNORED_LABEL, Annotation, Labelled, has_label

ALWAYS_COUNTS = 0.5
"""Score from which a label counts when the model recommends none."""


def labelled(annotations: Sequence[Annotation]) -> list[Labelled]:
    """Those of some annotations that have a label; an area that does not count has none."""
    found = [each for each in annotations if has_label(each)]
    return [each for each in found if each.label != IGNORED_LABEL or not each.can_be_ignored]


def above_thresholds(prediction: Sequence[Annotation], thresholds: Mapping[str, float]) -> list[str]:
    """Labels whose scores pass their thresholds."""
    return [each.label for each in labelled(prediction) if (each.score or 0.0) >= thresholds.get(each.label, ALWAYS_COUNTS)]

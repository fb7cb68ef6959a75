"""How a report's items are filtered: a module for each kind of answers, found by the name in the manifest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol, cast

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from automl.contracts.annotation import (
    Annotation,
    Box,
    Cell,
    ClassLabel,
    Keypoints,
    Mask,
    Polygon,
    Polyline,
    Region,
    Relation,
    RotatedBox,
    Span,
    TextValue,
    Track,
    Value,
)
from automl.contracts.artefact import ArtefactManifest
from automl.contracts.report import JudgedItem
from runtime.listing import kind_of, modules_in

NAMES = modules_in(__path__)
ALWAYS_COUNTS = 0.5
"""Score from which a label counts when the model recommends none."""
Labelled = ClassLabel | Box | RotatedBox | Polygon | Polyline | Mask | Keypoints | Span | Relation | Region | Track
Side = Literal["truth", "answer"]
NOTHING_DRAWN = SafeString("")


class JudgedAnswers(Protocol):
    """What each module calls ``KIND``."""

    is_amount: bool
    """An answer is off by more or less, and never simply right."""

    def predicted(self, prediction: Sequence[Annotation], thresholds: Mapping[str, float]) -> list[str]:
        """Labels that the model gave an item, one of them as often as it was given.

        Args:
            prediction: annotations with their scores, best first.
            thresholds: the lowest score by label.
        """

    def is_error(self, item: JudgedItem, truth: list[str], predicted: list[str]) -> bool:
        """Whether the model's answer differs from a person's.

        Args:
            item: as it was judged.
            truth: labels that a person gave.
            predicted: labels that the model gave.
        """

    def thresholds_fit(self, labels: Sequence[str], thresholds: Mapping[str, float]) -> bool:
        """Whether a model of these labels can answer from these scores on; all are labels of its own."""

    def drawn(self, said: Sequence[Annotation], side: Side) -> SafeString:
        """SVG of what lies somewhere on a picture, in its pixels; the class of each shape is the side that says it."""


def judged_answers(manifest: ArtefactManifest) -> JudgedAnswers:
    """The kind of what a model answers; ValueError where there is none such."""
    return cast("JudgedAnswers", kind_of(__name__, NAMES, manifest.output.value, of="answers"))


def labelled(annotations: Sequence[Annotation]) -> list[Labelled]:
    """Those of some annotations that have a label."""
    return [each for each in annotations if not isinstance(each, TextValue | Value | Cell)]


def above_thresholds(prediction: Sequence[Annotation], thresholds: Mapping[str, float]) -> list[str]:
    """Labels whose scores pass their thresholds."""
    return [each.label for each in labelled(prediction) if (each.score or 0.0) >= thresholds.get(each.label, ALWAYS_COUNTS)]


def joined(shapes: Iterable[SafeString]) -> SafeString:
    """One shape behind the other."""
    return format_html_join("", "{}", ((shape,) for shape in shapes))

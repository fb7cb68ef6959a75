"""How a report's items are filtered and drawn: a module for each kind of answers, found by the name in the manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, cast

from django.utils.safestring import SafeString

from automl.contracts.annotation import Annotation
from automl.contracts.artefact import ArtefactManifest
from automl.contracts.report import JudgedItem
from runtime.listing import kind_of, modules_in

NAMES = modules_in(__path__)
Side = Literal["truth", "answer"]


class JudgedAnswers(Protocol):
    """What each module calls ``KIND``."""

    is_amount: bool
    """An answer is off by more or less, and never simply right."""
    are_compared: bool
    """Answers to two items say together whether these show the same thing."""
    are_lines: bool
    """Answers are lines of text, of which templates make fields."""
    are_boxes: bool
    """Answers are boxes around single things, each of which can be looked at by itself."""

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

    def svg(self, annotations: Sequence[Annotation], side: Side) -> SafeString:
        """SVG of what lies somewhere on a picture, in its pixels; the class of each shape is the side that says it."""


def judged_answers(manifest: ArtefactManifest) -> JudgedAnswers:
    """The kind of what a model answers; ValueError where there is none such."""
    return cast("JudgedAnswers", kind_of(__name__, NAMES, manifest.output.value, of="answers"))

"""A vector: in a report the label of the picture that is nearest to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from automl.contracts.annotation import Annotation, ClassLabel
from automl.contracts.report import JudgedItem
from studio.registry.answers.class_scores import ClassScores


class Vectors(ClassScores):
    """See ``JudgedAnswers``."""

    are_compared = True
    are_lines = False

    def predicted(self, prediction: Sequence[Annotation], thresholds: Mapping[str, float]) -> list[str]:
        """The label of the nearest picture, which has no threshold."""
        del thresholds
        return [each.label for each in prediction[:1] if isinstance(each, ClassLabel)]

    def is_error(self, item: JudgedItem, truth: list[str], predicted: list[str]) -> bool:
        """Not where there was no other picture of the same thing to be found."""
        return bool(predicted) and super().is_error(item, truth, predicted)

    def thresholds_fit(self, labels: Sequence[str], thresholds: Mapping[str, float]) -> bool:
        """They are those of the model: a limit of similarity is chosen where pictures are compared."""
        del labels
        return not thresholds


KIND = Vectors()

"""Whether an item of a task may have these annotations. Pure; all complaints come at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from automl.contracts.annotation import Annotation, class_labels, item_numbers, label_of
from automl.contracts.base import Text
from automl.contracts.task import AnnotationSchema
from automl.contracts.words import Words
from labeling.geometry import is_whole

words = Words(__file__)


def annotation_complaints(
    annotations: Sequence[Annotation],
    *,
    schema: AnnotationSchema,
    labels: Collection[str],
    takes_several: bool,
    known_scores: Collection[float] = (),
    known_masks: Collection[str] = (),
    sides: tuple[int, int] | None = None,
) -> list[Text]:
    """What is wrong, one sentence each; empty when all is well.

    Args:
        annotations: what a person says. Nothing at all is legal: looked at, and nothing is there.
        schema: what the task allows.
        labels: the project's label set.
        takes_several: whether an item may carry several class labels.
        known_scores: those that the item bears already, as an import brought them: what a person leaves as it is keeps its own.
        known_masks: run lengths that the item bears already; as above.
        sides: width and height of the picture that is spoken of, where it is one.
    """
    complaints = []
    for index, one in enumerate(annotations):
        if one.kind not in schema.kinds:
            complaints.append(words("annotation.kind", number=index + 1, known=", ".join(schema.kinds), kind=one.kind))
            continue
        label = label_of(one)
        if schema.needs_label_set and label is not None and label not in labels and not schema.is_ignored(label, labels):
            complaints.append(words("annotation.label", number=index + 1, label=label))
        if one.score is not None and one.score not in known_scores:
            complaints.append(words("annotation.score", number=index + 1))
        if not is_whole(one, sides, known_masks):
            complaints.append(words("annotation.mask", number=index + 1))
    return [*complaints, *_complaints_of_whole(annotations, takes_several=takes_several)]


def _complaints_of_whole(annotations: Sequence[Annotation], *, takes_several: bool) -> list[Text]:
    """Of the annotations of the item as a whole."""
    complaints = []
    classes = class_labels(annotations)
    if len(set(classes)) != len(classes):
        complaints.append(words("annotation.twice"))
    if len(item_numbers(annotations)) > 1:
        complaints.append(words("annotation.values"))
    if len(classes) > 1 and not takes_several:
        complaints.append(words("annotation.labels"))
    return complaints


def usable(annotations: Iterable[Annotation], *, schema: AnnotationSchema, labels: Collection[str]) -> list[Annotation]:
    """What of a model's answer people may be offered: what the task takes, without labels that the project does not have.

    Args:
        annotations: the answer.
        schema: what the task allows.
        labels: the project's label set.
    """
    known = {*labels, None}
    return [one for one in annotations if one.kind in schema.kinds and label_of(one) in known]

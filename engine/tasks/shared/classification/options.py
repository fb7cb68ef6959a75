"""The one option of every classification: one label an item, or several. Standard library and contracts only."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.base import Text
from automl.contracts.task import OutputKind, TaskChoice, TaskOption
from automl.contracts.words import Words

words = Words(__file__)

LABELS_OPTION = "labels"
ONE = "one"
SEVERAL = "several"


def labels_option(*, title: Text, explanation: Text) -> TaskOption:
    """The option, in the words of a task.

    Args:
        title: names what carries the labels.
        explanation: of the two choices.
    """
    return TaskOption(
        name=LABELS_OPTION,
        title=title,
        help=explanation,
        choices=(
            TaskChoice(value=ONE, title=words("labels.one")),
            TaskChoice(value=SEVERAL, title=words("labels.several")),
        ),
        default=ONE,
    )


def has_several_labels(options: Mapping[str, str]) -> bool:
    """Whether an item may carry any number of labels; an absent option means the default."""
    return options.get(LABELS_OPTION, ONE) == SEVERAL


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What the scores mean."""
    return OutputKind.LABEL_SCORES if has_several_labels(options) else OutputKind.CLASS_SCORES

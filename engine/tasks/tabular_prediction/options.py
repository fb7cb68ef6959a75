"""The one option of tables: what is predicted. Standard library and contracts only."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.task import AnnotationSchema, OutputKind, TaskChoice, TaskOption
from automl.contracts.words import Words

words = Words(__file__)

PREDICTS_OPTION = "predicts"
CATEGORY = "category"
NUMBER = "number"

PREDICTS = TaskOption(
    name=PREDICTS_OPTION,
    title=words("predicts.title"),
    help=words("predicts.help"),
    choices=(
        TaskChoice(
            value=CATEGORY,
            title=words("predicts.category"),
            annotation=AnnotationSchema(kinds=("class",), needs_label_set=True, min_labels=2),
        ),
        TaskChoice(
            value=NUMBER,
            title=words("predicts.number"),
            annotation=AnnotationSchema(kinds=("value",), needs_label_set=False),
        ),
    ),
    default=CATEGORY,
)


def predicts_number(options: Mapping[str, str]) -> bool:
    """Whether a number is predicted rather than a category; an absent option means the default."""
    return options.get(PREDICTS_OPTION, CATEGORY) == NUMBER


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What a model answers."""
    return OutputKind.NUMBER if predicts_number(options) else OutputKind.CLASS_SCORES

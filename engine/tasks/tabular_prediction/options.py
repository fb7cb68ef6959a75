"""The one choice that tables leave: what is predicted. Standard library and contracts only."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.base import Text
from automl.contracts.task import OutputKind, TaskChoice, TaskOption

PREDICTS_OPTION = "predicts"
CATEGORY = "category"
NUMBER = "number"

PREDICTS = TaskOption(
    name=PREDICTS_OPTION,
    title=Text(en="What is predicted", zh="预测内容"),
    help=Text(
        en="Category: one of few values, such as yes and no (classification). Number: an amount, such as a price (regression).",
        zh="类别：少数几个值之一，例如“是”或“否”（分类）。数值：一个量，例如价格（回归）。",
    ),
    choices=(
        TaskChoice(value=CATEGORY, title=Text(en="A category", zh="类别")),
        TaskChoice(value=NUMBER, title=Text(en="A number", zh="数值")),
    ),
    default=CATEGORY,
)


def predicts_number(options: Mapping[str, str]) -> bool:
    """Whether a number is predicted rather than a category; an absent option means the default."""
    return options.get(PREDICTS_OPTION, CATEGORY) == NUMBER


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What a model answers."""
    return OutputKind.NUMBER if predicts_number(options) else OutputKind.CLASS_SCORES

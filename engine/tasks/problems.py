"""Problems of a dataset that several tasks have in common, in the words of what they count.

The web process imports this file: the standard library and the contracts only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.task import Problem, Severity

FEW_TEST_ITEMS = 30
"""With fewer, single items decide what a report says."""


@dataclass(frozen=True)
class Noun:
    """What is counted: items, or what is drawn on them."""

    en: str
    en_plural: str
    zh: str
    zh_counter: str
    """Measure word, e.g. 张."""

    def zh_counted(self, number: int) -> str:
        """So many of them in Chinese."""
        return f"{number} {self.zh_counter}{self.zh}"


@dataclass(frozen=True)
class LabelCounts:
    """How often each label is there."""

    train: Counter[str]
    everywhere: Counter[str]


def blocking(code: str, message: Text, remedy: Text, *, item: str | None = None, field: str | None = None) -> Problem:
    """A problem that refuses training."""
    return Problem(code=code, severity=Severity.BLOCKING, item=item, field=field, message=message, remedy=remedy)


def advisory(code: str, message: Text, remedy: Text, *, item: str | None = None, field: str | None = None) -> Problem:
    """A problem that is only told."""
    return Problem(code=code, severity=Severity.ADVISORY, item=item, field=field, message=message, remedy=remedy)


def blocking_first(found: Iterable[Problem]) -> list[Problem]:
    """The same, in their order otherwise."""
    return sorted(found, key=lambda problem: problem.severity != Severity.BLOCKING)


def too_few_labels(label_set: LabelSet, *, at_least: int) -> list[Problem]:
    """The label set is too small for the task."""
    number = len(label_set.labels)
    if number >= at_least:
        return []
    message = Text(en=f"Labels needed: {at_least}; there: {number}.", zh=f"至少需要 {at_least} 个标签，目前有 {number} 个。")
    return [blocking("too_few_labels", message, Text(en="Add a label to the project.", zh="请为项目添加标签。"))]


def unknown_labels(record: ItemRecord, labels: set[str], noun: Noun) -> list[Problem]:
    """Labels of an item that are not in the label set."""
    remedy = Text(
        en=f"Add the label to the project or label the {noun.en} anew.", zh=f"请把该标签加入项目，或重新标注该{noun.zh}。"
    )
    return [
        blocking(
            "label_unknown",
            Text(
                en=f"{record.name} carries {label!r}, which is not in the label set.",
                zh=f"{record.name} 的标签“{label}”不在标签集中。",
            ),
            remedy,
            item=record.item,
            field=label,
        )
        for label in sorted(labels)
    ]


def rare_labels(
    counts: LabelCounts, label_set: LabelSet, noun: Noun, *, none_code: str, few_code: str, at_least: int, good_start: int
) -> list[Problem]:
    """Labels that occur nowhere, or too seldom to train on.

    Args:
        counts: of the labels.
        label_set: the project's.
        noun: what carries a label.
        none_code: of the problem that there is none.
        few_code: of the problem that there are few.
        at_least: to train on.
        good_start: what a remedy asks for.
    """
    found = []
    for label in label_set.names:
        number = counts.train[label]
        if counts.everywhere[label] == 0:
            message = Text(en=f"No {noun.en} carries {label!r}.", zh=f"没有{noun.zh}带有标签“{label}”。")
            remedy = Text(
                en=f"Label some {noun.en_plural} with it or remove the label.",
                zh=f"请用该标签标注{noun.zh}，或删除该标签。",
            )
            found.append(blocking(none_code, message, remedy, field=label))
        elif number < at_least:
            message = Text(
                en=f"To train on, {number} {noun.en if number == 1 else noun.en_plural} with {label!r}: too few.",
                zh=f"训练集中只有 {noun.zh_counted(number)}带有标签“{label}”。",
            )
            remedy = Text(
                en=f"Label more {noun.en_plural} with it; {good_start} or more are a good start.",
                zh=f"请再标注一些{noun.zh}，建议至少 {good_start} {noun.zh_counter}。",
            )
            found.append(blocking(few_code, message, remedy, field=label))
    return found


def imbalance(train: Counter[str], noun: Noun, *, most_to_rarest: int, remedy: Text) -> list[Problem]:
    """The rarest label has too little beside the most frequent one."""
    if not train:
        return []
    most, rarest = train.most_common(1)[0], train.most_common()[-1]
    if rarest[1] * most_to_rarest >= most[1]:
        return []
    message = Text(
        en=f"{most[0]!r} has {most[1]} {noun.en_plural} to train on, {rarest[0]!r} only {rarest[1]}.",
        zh=f"训练集中“{most[0]}”有 {noun.zh_counted(most[1])}，而“{rarest[0]}”只有 {rarest[1]} {noun.zh_counter}。",
    )
    return [advisory("imbalance", message, remedy, field=rarest[0])]


def validation_empty(noun: Noun) -> Problem:
    """Nothing is held back to compare models by."""
    message = Text(
        en=f"No {noun.en} is left for validation, so nothing can be compared.", zh=f"没有用于验证的{noun.zh}，无法比较模型。"
    )
    remedy = Text(
        en=f"Label more {noun.en_plural} or raise the validation share.", zh=f"请标注更多{noun.zh}，或提高验证集比例。"
    )
    return blocking("validation_empty", message, remedy)


def final_test_few(noun: Noun, number: int) -> Problem:
    """Something is held back for the final test, but too little to say how good a model is."""
    counted = noun.en if number == 1 else noun.en_plural
    message = Text(
        en=f"Only {number} {counted} for the final test: too few to say how good a model is.",
        zh=f"最终测试只有 {noun.zh_counted(number)}，不足以说明模型的好坏。",
    )
    remedy = Text(
        en=f"Label more {noun.en_plural}: {FEW_TEST_ITEMS} or more should be left for the test.",
        zh=f"请标注更多{noun.zh}，使测试集至少有 {FEW_TEST_ITEMS} {noun.zh_counter}。",
    )
    return advisory("test_few", message, remedy)


def final_test_empty(noun: Noun) -> Problem:
    """Nothing is held back for the final test."""
    message = Text(en=f"No {noun.en} is left for the final test.", zh=f"没有用于最终测试的{noun.zh}。")
    remedy = Text(en=f"Label more {noun.en_plural} or raise the test share.", zh=f"请标注更多{noun.zh}，或提高测试集比例。")
    return advisory("test_empty", message, remedy)

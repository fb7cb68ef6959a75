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
from automl.contracts.words import Words

words = Words(__file__)

FEW_TEST_ITEMS = 30
"""With fewer, single items decide the figures of a report."""


@dataclass(frozen=True)
class Noun:
    """What is counted: items, or what is drawn on them."""

    words: Words
    """Of the task: ``<key>.one``, ``<key>.many`` and ``<key>.counted`` with its ``count``."""
    key: str = "noun"

    @property
    def one(self) -> Text:
        """One of them, e.g. picture."""
        return self.words(f"{self.key}.one")

    @property
    def many(self) -> Text:
        """Several of them, e.g. pictures."""
        return self.words(f"{self.key}.many")

    def counted(self, count: int) -> Text:
        """So many of them, e.g. 3 pictures."""
        return self.words(f"{self.key}.counted", count=count)


@dataclass(frozen=True)
class LabelCounts:
    """How often each label is there."""

    train: Counter[str]
    everywhere: Counter[str]


def blocking(code: str, message: Text, remedy: Text, *, item: str | None = None, field: str | None = None) -> Problem:
    """A problem that refuses training."""
    return Problem(code=code, severity=Severity.BLOCKING, item=item, field=field, message=message, remedy=remedy)


def advisory(code: str, message: Text, remedy: Text, *, item: str | None = None, field: str | None = None) -> Problem:
    """A problem that is only shown."""
    return Problem(code=code, severity=Severity.ADVISORY, item=item, field=field, message=message, remedy=remedy)


def blocking_first(problems: Iterable[Problem]) -> list[Problem]:
    """The same, in their order otherwise."""
    return sorted(problems, key=lambda problem: problem.severity != Severity.BLOCKING)


def too_few_labels(label_set: LabelSet, *, at_least: int) -> list[Problem]:
    """The label set is too small for the task."""
    number = len(label_set.labels)
    if number >= at_least:
        return []
    message = words("too_few_labels", least=at_least, number=number)
    return [blocking("too_few_labels", message, words("too_few_labels.remedy"))]


def unknown_labels(record: ItemRecord, labels: set[str], noun: Noun) -> list[Problem]:
    """Labels of an item that are not in the label set."""
    return [
        blocking(
            "label_unknown",
            words("label_unknown", name=record.name, label=label),
            words("label_unknown.remedy", noun=noun.one),
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
        good_start: the number that a remedy recommends.
    """
    found = []
    for label in label_set.names:
        number = counts.train[label]
        if counts.everywhere[label] == 0:
            message = words("label_without", noun=noun.one, label=label)
            found.append(blocking(none_code, message, words("label_without.remedy", nouns=noun.many), field=label))
        elif number < at_least:
            message = words("label_with_few", counted=noun.counted(number), label=label)
            remedy = words("label_with_few.remedy", good_start=noun.counted(good_start))
            found.append(blocking(few_code, message, remedy, field=label))
    return found


def imbalance(train: Counter[str], noun: Noun, *, most_to_rarest: int, remedy: Text) -> list[Problem]:
    """The rarest label has too little beside the most frequent one."""
    if not train:
        return []
    (most, num_most), (rarest, num_rarest) = train.most_common(1)[0], train.most_common()[-1]
    if num_rarest * most_to_rarest >= num_most:
        return []
    message = words("imbalance", most=most, num_most=noun.counted(num_most), rarest=rarest, num_rarest=num_rarest)
    return [advisory("imbalance", message, remedy, field=rarest)]


def validation_empty(noun: Noun) -> Problem:
    """No items are held back to compare models by."""
    remedy = words("validation_empty.remedy", nouns=noun.many)
    return blocking("validation_empty", words("validation_empty", noun=noun.one), remedy)


def final_test_few(noun: Noun, number: int) -> Problem:
    """Items are held back for the final test, but too few to measure how good a model is."""
    remedy = words("test_few.remedy", nouns=noun.many, least=FEW_TEST_ITEMS)
    return advisory("test_few", words("test_few", counted=noun.counted(number)), remedy)


def final_test_empty(noun: Noun) -> Problem:
    """Nothing is held back for the final test."""
    return advisory("test_empty", words("test_empty", noun=noun.one), words("test_empty.remedy", nouns=noun.many))

"""Problems that every classification has in common, in the words of its items: each with its item or label and a remedy.

Blocking problems are those that make training impossible or its numbers meaningless; everything else is advice. The web
process imports this file: the standard library and the contracts only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.task import Problem
from automl.contracts.words import Words
from engine.tasks.shared import problems as common
from engine.tasks.shared.classification.options import has_several_labels
from engine.tasks.shared.problems import Noun

words = Words(__file__)

MIN_TRAIN_ITEMS = 2
"""Of each label: a single item could be told from others by anything."""
MAX_IMBALANCE = 20
"""The rarest label should have more than one item for this many of the most frequent one."""
MIN_LABELS = 2


@dataclass
class _Counts:
    """What one walk over the items finds out."""

    train: Counter[str] = field(default_factory=Counter)
    everywhere: Counter[str] = field(default_factory=Counter)
    by_split: Counter[Split] = field(default_factory=Counter)


def problems(
    records: Iterable[ItemRecord],
    label_set: LabelSet,
    options: Mapping[str, str],
    *,
    noun: Noun,
    of_media: Callable[[ItemRecord], list[Problem]],
) -> list[Problem]:
    """Lists the problems of items that are annotated, blocking ones first; walks over the items once.

    Args:
        records: the annotated items with their splits.
        label_set: the project's labels.
        options: the task's options as the project chose them.
        noun: what an item is called.
        of_media: the problems of one item's file, whatever its labels are.
    """
    is_several = has_several_labels(options)
    known = set(label_set.names)
    counts, of_items, of_files = _Counts(), [], []
    of_splits: list[Problem] = []
    for record in records:
        labels = {annotation.label for annotation in record.annotations if annotation.kind == "class"}
        counts.by_split[record.split] += 1
        for label in labels:  # ``Counter.update`` takes ten times as long for one label
            counts.everywhere[label] += 1
            if record.split == Split.TRAIN:
                counts.train[label] += 1
        if len(labels) != 1 or not labels <= known:
            of_items += _item_problems(record, labels, known, noun, is_several=is_several)
        of_files += of_media(record)
    if counts.by_split[Split.VALIDATION] == 0:
        of_splits.append(common.validation_empty(noun))
    if counts.by_split[Split.TEST] == 0:
        of_splits.append(common.final_test_empty(noun))
    elif counts.by_split[Split.TEST] < common.FEW_TEST_ITEMS:
        of_splits.append(common.final_test_few(noun, counts.by_split[Split.TEST]))
    return common.blocking_first(
        [
            *common.too_few_labels(label_set, at_least=MIN_LABELS),
            *of_items,
            *_count_problems(common.LabelCounts(counts.train, counts.everywhere), label_set, noun),
            *of_splits,
            *of_files,
        ]
    )


def _item_problems(record: ItemRecord, labels: set[str], known: set[str], noun: Noun, *, is_several: bool) -> list[Problem]:
    found = common.unknown_labels(record, labels - known, noun)
    if is_several:
        return found
    if len(labels) > 1:
        message = words("several_labels", name=record.name, number=len(labels))
        remedy = words("several_labels.remedy", noun=noun.one)
        found.append(common.blocking("several_labels", message, remedy, item=record.item, field="annotations"))
    elif not labels:
        message = words("label_missing", name=record.name)
        remedy = words("label_missing.remedy", noun=noun.one)
        found.append(common.blocking("label_missing", message, remedy, item=record.item, field="annotations"))
    return found


def _count_problems(counts: common.LabelCounts, label_set: LabelSet, noun: Noun) -> list[Problem]:
    rare = common.rare_labels(
        counts,
        label_set,
        noun,
        none_code="label_without_items",
        few_code="label_with_few_items",
        at_least=MIN_TRAIN_ITEMS,
        good_start=10,
    )
    remedy = words("imbalance.remedy")
    return rare + common.imbalance(counts.train, noun, most_to_rarest=MAX_IMBALANCE, remedy=remedy)

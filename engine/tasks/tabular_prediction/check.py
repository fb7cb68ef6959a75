"""Problems of a table that a person should mend before training.

Blocking problems are those that make training impossible or its numbers meaningless; everything else is advice. A class with
few rows is advice here: classes come from a column's cells, and a rare one must not stand in the way of the others. The web
process imports this file: the standard library and the contracts only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.table import TableSchema
from automl.contracts.task import Problem
from automl.contracts.words import Words
from engine.tasks.shared import problems as common
from engine.tasks.shared.problems import Noun
from engine.tasks.tabular_prediction.options import predicts_number

words = Words(__file__)

MAX_LABELS = 1_000
MIN_LABELS = 2
MIN_TRAIN_ROWS = 10
FEW_TRAIN_ROWS = 30
MIN_ROWS_OF_LABEL = 2
"""To train on: a single row could be told from others by anything."""
MAX_IMBALANCE = 100
"""The rarest class should have more than one row for this many of the most frequent one; trees bear more than networks do."""
MAX_LISTED = 20
"""Rows that are listed one by one for a kind of problem."""
_NOUN = Noun(words)


@dataclass
class _Counts:
    """What one walk over the rows finds out."""

    by_split: Counter[Split] = field(default_factory=Counter)
    train: Counter[str] = field(default_factory=Counter)
    everywhere: Counter[str] = field(default_factory=Counter)
    lowest: float = float("inf")
    highest: float = float("-inf")
    """Least and largest number to train on."""
    of_rows: list[Problem] = field(default_factory=list)
    num_of_code: Counter[str] = field(default_factory=Counter)

    def add(self, problem: Problem) -> None:
        """Keeps a problem of one row, unless many rows have it already."""
        self.num_of_code[problem.code] += 1
        if self.num_of_code[problem.code] <= MAX_LISTED:
            self.of_rows.append(problem)


def problems(
    records: Iterable[ItemRecord], label_set: LabelSet, options: Mapping[str, str], *, columns: TableSchema | None = None
) -> list[Problem]:
    """Lists the problems of rows whose target is known, blocking ones first; walks over the rows once.

    Args:
        records: the rows with their splits.
        label_set: the project's labels; not looked at where a number is predicted.
        options: the task's options as the project chose them.
        columns: the table's schema; None while there is none.
    """
    is_number = predicts_number(options)
    counts = _Counts()
    known = set(label_set.names)
    for record in records:
        counts.by_split[record.split] += 1
        if record.media.num_cells is None:
            counts.add(_no_row(record))
        elif is_number:
            _count_value(record, counts)
        else:
            _count_label(record, known, counts)
    found = [*_of_columns(columns), *counts.of_rows, *_of_size(counts)]
    if is_number:
        found += _of_numbers(counts)
    else:
        found += _of_labels(label_set, counts)
    if counts.by_split[Split.VALIDATION] == 0:
        found.append(common.validation_empty(_NOUN))
    if counts.by_split[Split.TEST] == 0:
        found.append(common.final_test_empty(_NOUN))
    elif counts.by_split[Split.TEST] < common.FEW_TEST_ITEMS:
        found.append(common.final_test_few(_NOUN, counts.by_split[Split.TEST]))
    return common.blocking_first(found)


def _of_columns(columns: TableSchema | None) -> list[Problem]:
    found = []
    schema = columns or TableSchema()
    if schema.target is None:
        message = words("target_not_chosen")
        remedy = words("target_not_chosen.remedy")
        found.append(common.blocking("target_not_chosen", message, remedy, field="columns"))
    if not schema.features:
        message = words("no_features")
        remedy = words("no_features.remedy")
        found.append(common.blocking("no_features", message, remedy, field="columns"))
    return found


def _no_row(record: ItemRecord) -> Problem:
    message = words("item_no_row", name=record.name)
    remedy = words("item_no_row.remedy")
    return common.blocking("item_no_row", message, remedy, item=record.item, field="media")


def _count_value(record: ItemRecord, counts: _Counts) -> None:
    values = [each.value for each in record.annotations if each.kind == "value"]
    if len(values) != 1:
        counts.add(_target_missing(record))
    elif record.split == Split.TRAIN:
        counts.lowest, counts.highest = min(counts.lowest, values[0]), max(counts.highest, values[0])


def _count_label(record: ItemRecord, known: set[str], counts: _Counts) -> None:
    labels = {each.label for each in record.annotations if each.kind == "class"}
    for label in labels:
        counts.everywhere[label] += 1
        if record.split == Split.TRAIN:
            counts.train[label] += 1
    if not labels <= known:
        for problem in common.unknown_labels(record, labels - known, _NOUN):
            counts.add(problem)
    if len(labels) > 1:
        message = words("several_labels", name=record.name, number=len(labels))
        remedy = words("several_labels.remedy")
        counts.add(common.blocking("several_labels", message, remedy, item=record.item, field="annotations"))
    elif not labels:
        counts.add(_target_missing(record))


def _target_missing(record: ItemRecord) -> Problem:
    message = words("target_missing", name=record.name)
    remedy = words("target_missing.remedy")
    return common.blocking("target_missing", message, remedy, item=record.item, field="annotations")


def _of_size(counts: _Counts) -> list[Problem]:
    number = counts.by_split[Split.TRAIN]
    message = words("too_few_rows", number=number)
    remedy = words("too_few_rows.remedy")
    if number < MIN_TRAIN_ROWS:
        return [common.blocking("too_few_rows", message, remedy)]
    return [common.advisory("few_rows", message, remedy)] if number < FEW_TRAIN_ROWS else []


def _of_numbers(counts: _Counts) -> list[Problem]:
    if counts.lowest < counts.highest or counts.by_split[Split.TRAIN] == 0:
        return []
    message = words("target_constant")
    remedy = words("target_constant.remedy")
    return [common.blocking("target_constant", message, remedy, field="target")]


def _of_labels(label_set: LabelSet, counts: _Counts) -> list[Problem]:
    number = len(label_set.labels)
    if number > MAX_LABELS:
        message = words("too_many_labels", number=number)
        remedy = words("too_many_labels.remedy", most=MAX_LABELS)
        return [common.blocking("too_many_labels", message, remedy)]
    learnable = [label for label in label_set.names if counts.train[label] >= MIN_ROWS_OF_LABEL]
    found = common.too_few_labels(label_set, at_least=MIN_LABELS)
    if not found and len(learnable) < MIN_LABELS:
        message = words("too_few_classes", learnable=len(learnable), number=number, least=MIN_ROWS_OF_LABEL)
        remedy = words("too_few_classes.remedy")
        found = [common.blocking("too_few_classes", message, remedy)]
    rare = [label for label in label_set.names if counts.train[label] < MIN_ROWS_OF_LABEL]
    found += [_rare(label, counts) for label in rare[:MAX_LISTED]]
    remedy = words("imbalance.remedy")
    learned = Counter({label: counts.train[label] for label in learnable})
    return found + common.imbalance(learned, _NOUN, most_to_rarest=MAX_IMBALANCE, remedy=remedy)


def _rare(label: str, counts: _Counts) -> Problem:
    if counts.everywhere[label] == 0:
        message = words("label_without_items", label=label)
        remedy = words("label_without_items.remedy")
        return common.advisory("label_without_items", message, remedy, field=label)
    message = words("label_with_few_items", counted=_NOUN.counted(counts.train[label]), label=label)
    remedy = words("label_with_few_items.remedy")
    return common.advisory("label_with_few_items", message, remedy, field=label)

"""Problems of a table that a person should mend before training.

Blocking problems are those that make training impossible or its numbers meaningless; everything else is advice. A class with
few rows is advice here: classes come from a column's cells, and a rare one must not stand in the way of the others. The web
process imports this file: the standard library and the contracts only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.table import TableSchema
from automl.contracts.task import Problem
from engine.tasks import problems as common
from engine.tasks.problems import Noun
from engine.tasks.tabular_prediction.options import predicts_number

MAX_LABELS = 1_000
MIN_LABELS = 2
MIN_TRAIN_ROWS = 10
FEW_TRAIN_ROWS = 30
MIN_ROWS_OF_LABEL = 2
"""To train on: with a single row nothing tells the class from the row."""
MAX_IMBALANCE = 100
"""The rarest class should have more than one row for this many of the most frequent one; trees bear more than networks do."""
MAX_TOLD = 20
"""Rows that one kind of problem is told of one by one."""
_NOUN = Noun(en="row", en_plural="rows", zh="数据", zh_counter="行")


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
    told: Counter[str] = field(default_factory=Counter)

    def tell(self, problem: Problem) -> None:
        """Keeps a problem of one row, unless many rows have it already."""
        self.told[problem.code] += 1
        if self.told[problem.code] <= MAX_TOLD:
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
            counts.tell(_no_row(record))
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
        message = Text(en="Nobody has said which column is to be predicted.", zh="尚未选择要预测的列。")
        remedy = Text(en="Choose the target among the table's columns.", zh="请在表格的列中选择预测目标。")
        found.append(common.blocking("target_not_chosen", message, remedy, field="columns"))
    if not schema.features:
        message = Text(en="There is no column to learn from.", zh="没有可用于学习的列。")
        remedy = Text(
            en="Keep at least one other column; those that are ignored are not learned from.",
            zh="请至少保留一列作为特征，已忽略的列不参与学习。",
        )
        found.append(common.blocking("no_features", message, remedy, field="columns"))
    return found


def _no_row(record: ItemRecord) -> Problem:
    message = Text(en=f"{record.name} is no row of a table.", zh=f"{record.name} 不是表格中的一行。")
    remedy = Text(en="Remove the item; a project of tables holds nothing else.", zh="请删除该条目，表格项目只能包含表格行。")
    return common.blocking("item_no_row", message, remedy, item=record.item, field="media")


def _count_value(record: ItemRecord, counts: _Counts) -> None:
    values = [each.value for each in record.annotations if each.kind == "value"]
    if len(values) != 1:
        counts.tell(_target_missing(record))
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
            counts.tell(problem)
    if len(labels) > 1:
        message = Text(en=f"{record.name} belongs to {len(labels)} classes.", zh=f"{record.name} 属于 {len(labels)} 个类别。")
        remedy = Text(en="Keep one of them.", zh="请只保留一个类别。")
        counts.tell(common.blocking("several_labels", message, remedy, item=record.item, field="annotations"))
    elif not labels:
        counts.tell(_target_missing(record))


def _target_missing(record: ItemRecord) -> Problem:
    message = Text(en=f"{record.name} has no value of the target.", zh=f"{record.name} 没有目标值。")
    remedy = Text(en="Give it one or remove the row.", zh="请补上目标值，或删除该行。")
    return common.blocking("target_missing", message, remedy, item=record.item, field="annotations")


def _of_size(counts: _Counts) -> list[Problem]:
    number = counts.by_split[Split.TRAIN]
    message = Text(en=f"There are {number} rows to train on.", zh=f"训练集只有 {number} 行。")
    remedy = Text(
        en="Add rows whose target is known; a hundred are a start, a thousand make a useful model.",
        zh="请添加目标值已知的行：一百行可以先试，一千行较为可用。",
    )
    if number < MIN_TRAIN_ROWS:
        return [common.blocking("too_few_rows", message, remedy)]
    return [common.advisory("few_rows", message, remedy)] if number < FEW_TRAIN_ROWS else []


def _of_numbers(counts: _Counts) -> list[Problem]:
    if counts.lowest < counts.highest or counts.by_split[Split.TRAIN] == 0:
        return []
    message = Text(en="The target is the same number in all rows to train on.", zh="训练集中所有行的目标值都相同。")
    remedy = Text(en="Choose another target, or add rows that differ in it.", zh="请选择其他目标列，或添加目标值不同的行。")
    return [common.blocking("target_constant", message, remedy, field="target")]


def _of_labels(label_set: LabelSet, counts: _Counts) -> list[Problem]:
    number = len(label_set.labels)
    if number > MAX_LABELS:
        message = Text(en=f"The target has {number} classes.", zh=f"目标列有 {number} 个类别。")
        remedy = Text(
            en=f"Merge classes until there are at most {MAX_LABELS}, or predict a number.",
            zh=f"请合并类别，最多 {MAX_LABELS} 个；或改为预测数值。",
        )
        return [common.blocking("too_many_labels", message, remedy)]
    learnable = [label for label in label_set.names if counts.train[label] >= MIN_ROWS_OF_LABEL]
    found = common.too_few_labels(label_set, at_least=MIN_LABELS)
    if not found and len(learnable) < MIN_LABELS:
        message = Text(
            en=f"Only {len(learnable)} of {number} classes have at least {MIN_ROWS_OF_LABEL} rows to train on; two are needed.",
            zh=f"{number} 个类别中只有 {len(learnable)} 个在训练集中至少有 {MIN_ROWS_OF_LABEL} 行，至少需要两个。",
        )
        remedy = Text(en="Add rows of the other classes.", zh="请添加其他类别的行。")
        found = [common.blocking("too_few_classes", message, remedy)]
    rare = [label for label in label_set.names if counts.train[label] < MIN_ROWS_OF_LABEL]
    found += [_rare(label, counts) for label in rare[:MAX_TOLD]]
    remedy = Text(
        en="Add rows of the rare class, and judge models by ROC AUC or F1 rather than by accuracy.",
        zh="请补充少见类别的行，并优先参考 ROC AUC 或 F1，而不是准确率。",
    )
    learned = Counter({label: counts.train[label] for label in learnable})
    return found + common.imbalance(learned, _NOUN, most_to_rarest=MAX_IMBALANCE, remedy=remedy)


def _rare(label: str, counts: _Counts) -> Problem:
    number = counts.train[label]
    if counts.everywhere[label] == 0:
        message = Text(en=f"No row is of the class {label!r}.", zh=f"没有任何行属于类别“{label}”。")
        remedy = Text(en="Remove the label, or add rows of it.", zh="请删除该标签，或添加该类别的行。")
        return common.advisory("label_without_items", message, remedy, field=label)
    message = Text(
        en=f"To train on, {number} {'row' if number == 1 else 'rows'} of the class {label!r}: models will hardly ever say it.",
        zh=f"训练集中类别“{label}”只有 {number} 行，模型几乎不会预测它。",
    )
    remedy = Text(en="Add rows of it, or merge it with another class.", zh="请补充该类别的行，或与其他类别合并。")
    return common.advisory("label_with_few_items", message, remedy, field=label)

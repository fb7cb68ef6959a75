"""Problems of a dataset that a person should mend before training: each with its item or label and a remedy.

Blocking problems are those that make training impossible or its numbers meaningless; everything else is advice. The web
process imports this file: the standard library and the contracts only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.task import Problem, Severity
from engine.tasks.image_classification.spec import TASK, has_several_labels

MIN_TRAIN_ITEMS = 2
"""Of each label: with a single picture nothing tells the label from the picture."""
MAX_IMBALANCE = 20
"""The rarest label should have more than one picture for this many of the most frequent one."""
MIN_SIDE_PX = 32
"""Below this a picture is mostly enlargement."""


@dataclass
class _Counts:
    """What one walk over the items finds out."""

    train: Counter[str] = field(default_factory=Counter)
    everywhere: Counter[str] = field(default_factory=Counter)
    by_split: Counter[Split] = field(default_factory=Counter)


def problems(records: Iterable[ItemRecord], label_set: LabelSet, options: Mapping[str, str]) -> list[Problem]:
    """Lists the problems of items that are annotated, blocking ones first; walks over the items once.

    Args:
        records: the annotated items with their splits.
        label_set: the project's labels.
        options: the task's options as the project chose them.
    """
    is_several = has_several_labels(options)
    known = set(label_set.names)
    counts, of_items, small = _Counts(), [], []
    for record in records:
        labels = {annotation.label for annotation in record.annotations if annotation.kind == "class"}
        counts.by_split[record.split] += 1
        counts.everywhere.update(labels)
        if record.split == Split.TRAIN:
            counts.train.update(labels)
        if len(labels) != 1 or not labels <= known:
            of_items += _item_problems(record, labels, known, is_several=is_several)
        if min(record.media.width, record.media.height) < MIN_SIDE_PX:
            small.append(_small_picture(record))
    found = [
        *_label_set_problems(label_set),
        *of_items,
        *_count_problems(counts, label_set),
        *_split_problems(counts.by_split),
        *small,
    ]
    return sorted(found, key=lambda problem: problem.severity != Severity.BLOCKING)


def _label_set_problems(label_set: LabelSet) -> list[Problem]:
    if len(label_set.labels) >= TASK.annotation.min_labels:
        return []
    message = Text(
        en=f"There are {len(label_set.labels)} labels; telling apart needs at least two.",
        zh=f"目前只有 {len(label_set.labels)} 个标签，分类至少需要两个。",
    )
    remedy = Text(en="Add a label to the project.", zh="请为项目添加标签。")
    return [Problem(code="too_few_labels", severity=Severity.BLOCKING, message=message, remedy=remedy)]


def _item_problems(record: ItemRecord, labels: set[str], known: set[str], *, is_several: bool) -> list[Problem]:
    found = []
    for unknown in sorted(labels - known):
        message = Text(
            en=f"{record.name} carries {unknown!r}, which is not in the label set.",
            zh=f"{record.name} 的标签“{unknown}”不在标签集中。",
        )
        remedy = Text(en="Add the label to the project or label the picture anew.", zh="请把该标签加入项目，或重新标注图片。")
        found.append(_blocking("label_unknown", record.item, unknown, message, remedy))
    if is_several:
        return found
    if len(labels) > 1:
        message = Text(en=f"{record.name} carries {len(labels)} labels.", zh=f"{record.name} 有 {len(labels)} 个标签。")
        remedy = Text(
            en="Keep one label, or make a project where a picture may carry several.",
            zh="请只保留一个标签，或新建允许多标签的项目。",
        )
        found.append(_blocking("several_labels", record.item, "annotations", message, remedy))
    elif not labels:
        message = Text(en=f"{record.name} was looked at and carries no label.", zh=f"{record.name} 已查看但没有标签。")
        remedy = Text(en="Give it a label or remove the picture.", zh="请为其选择标签，或删除图片。")
        found.append(_blocking("label_missing", record.item, "annotations", message, remedy))
    return found


def _count_problems(counts: _Counts, label_set: LabelSet) -> list[Problem]:
    train, everywhere = counts.train, counts.everywhere
    found = []
    for label in label_set.names:
        if everywhere[label] == 0:
            message = Text(en=f"No picture carries {label!r}.", zh=f"没有图片带有标签“{label}”。")
            remedy = Text(en="Label some pictures with it or remove the label.", zh="请用该标签标注图片，或删除该标签。")
            found.append(_blocking("label_without_items", None, label, message, remedy))
        elif train[label] < MIN_TRAIN_ITEMS:
            message = Text(
                en=f"Only {train[label]} pictures to train on carry {label!r}.",
                zh=f"训练集中只有 {train[label]} 张图片带有标签“{label}”。",
            )
            remedy = Text(
                en="Label more pictures with it; ten or more are a good start.", zh="请再标注一些图片，建议至少十张。"
            )
            found.append(_blocking("label_with_few_items", None, label, message, remedy))
    return found + _imbalance(train)


def _imbalance(train: Counter[str]) -> list[Problem]:
    if not train:
        return []
    most, rarest = train.most_common(1)[0], train.most_common()[-1]
    if rarest[1] * MAX_IMBALANCE >= most[1]:
        return []
    message = Text(
        en=f"{most[0]!r} has {most[1]} pictures to train on, {rarest[0]!r} only {rarest[1]}.",
        zh=f"训练集中“{most[0]}”有 {most[1]} 张图片，而“{rarest[0]}”只有 {rarest[1]} 张。",
    )
    remedy = Text(
        en="Label more of the rare label, or turn on balancing when training.", zh="请多标注少见的标签，或训练时开启平衡。"
    )
    return [Problem(code="imbalance", severity=Severity.ADVISORY, field=rarest[0], message=message, remedy=remedy)]


def _split_problems(count: Counter[Split]) -> list[Problem]:
    found = []
    if count[Split.VALIDATION] == 0:
        message = Text(
            en="No picture is left for validation, so nothing can be compared.", zh="没有用于验证的图片，无法比较模型。"
        )
        remedy = Text(en="Label more pictures or raise the validation share.", zh="请标注更多图片，或提高验证集比例。")
        found.append(_blocking("validation_empty", None, None, message, remedy))
    if count[Split.TEST] == 0:
        message = Text(en="No picture is left for the final test.", zh="没有用于最终测试的图片。")
        remedy = Text(en="Label more pictures or raise the test share.", zh="请标注更多图片，或提高测试集比例。")
        found.append(Problem(code="test_empty", severity=Severity.ADVISORY, message=message, remedy=remedy))
    return found


def _small_picture(record: ItemRecord) -> Problem:
    return Problem(
        code="picture_tiny",
        severity=Severity.ADVISORY,
        item=record.item,
        field="media",
        message=Text(
            en=f"{record.name} is only {record.media.width} x {record.media.height} pixels.",
            zh=f"{record.name} 只有 {record.media.width} x {record.media.height} 像素。",
        ),
        remedy=Text(en="Use the original instead of a thumbnail, if there is one.", zh="如有原图，请使用原图而不是缩略图。"),
    )


def _blocking(code: str, item: str | None, field: str | None, message: Text, remedy: Text) -> Problem:
    return Problem(code=code, severity=Severity.BLOCKING, item=item, field=field, message=message, remedy=remedy)

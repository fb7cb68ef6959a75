"""Problems of a dataset that a person should mend before training: each with its item or label and a remedy.

Pictures without a box are fine: they teach what is nothing. Blocking problems are those that make training impossible or its
numbers meaningless; everything else is advice. The web process imports this file: the standard library and the contracts only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from automl.contracts.annotation import Box
from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.task import Problem
from automl.contracts.words import Words
from engine.tasks.object_detection.spec import TASK
from engine.tasks.shared import problems as common
from engine.tasks.shared.problems import Noun

words = Words(__file__)

MIN_TRAIN_BOXES = 2
"""Of each label: a single one teaches its own picture."""
MAX_IMBALANCE = 50
"""The rarest label should have more than one box for this many of the most frequent one."""
MIN_BOX_SIDE_PX = 3.0
"""Below this there is nothing to see."""
EDGE_SLACK_PX = 1.0
"""A box may reach so far over the edge: tools round differently."""
MAX_BOXES = 100
"""More on one picture than the model can answer."""
_PICTURE = Noun(words, "picture")
_BOX = Noun(words, "box")
_PICTURE_WITH_BOX = Noun(words, "picture_with_box")


@dataclass
class _Counts:
    """What one walk over the items finds out."""

    train: Counter[str] = field(default_factory=Counter)
    everywhere: Counter[str] = field(default_factory=Counter)
    by_split: Counter[Split] = field(default_factory=Counter)
    with_boxes: Counter[Split] = field(default_factory=Counter)


def problems(records: Iterable[ItemRecord], label_set: LabelSet, options: Mapping[str, str]) -> list[Problem]:
    """Lists the problems of items that are annotated, blocking ones first; walks over the items once.

    Args:
        records: the annotated items with their splits.
        label_set: the project's labels.
        options: the task's options; it has none.
    """
    known = set(label_set.names)
    counts, of_items = _Counts(), []
    for record in records:
        boxes = [annotation for annotation in record.annotations if isinstance(annotation, Box)]
        counts.by_split[record.split] += 1
        counts.with_boxes[record.split] += bool(boxes)
        labels = Counter(box.label for box in boxes)
        counts.everywhere.update(labels)
        if record.split == Split.TRAIN:
            counts.train.update(labels)
        of_items += _item_problems(record, boxes, known)
    return common.blocking_first(
        [
            *common.too_few_labels(label_set, at_least=TASK.annotation.min_labels),
            *of_items,
            *_count_problems(counts, label_set),
            *_split_problems(counts),
        ]
    )


def _item_problems(record: ItemRecord, boxes: list[Box], known: set[str]) -> list[Problem]:
    found = common.unknown_labels(record, {box.label for box in boxes} - known, _PICTURE)
    width, height = record.media.width, record.media.height
    for box in boxes:
        seen_w, seen_h = min(box.x + box.width, width) - max(box.x, 0.0), min(box.y + box.height, height) - max(box.y, 0.0)
        if seen_w <= 0 or seen_h <= 0:
            message = words("box_outside", label=box.label, name=record.name)
            remedy = words("box_outside.remedy")
            found.append(common.blocking("box_outside", message, remedy, item=record.item, field=box.label))
        elif min(seen_w, seen_h) < MIN_BOX_SIDE_PX:
            message = words("box_tiny", label=box.label, name=record.name, width=seen_w, height=seen_h)
            remedy = words("box_tiny.remedy")
            found.append(common.advisory("box_tiny", message, remedy, item=record.item, field=box.label))
        elif max(box.width - seen_w, box.height - seen_h) > EDGE_SLACK_PX:
            message = words("box_over_edge", label=box.label, name=record.name)
            remedy = words("box_over_edge.remedy")
            found.append(common.advisory("box_over_edge", message, remedy, item=record.item, field=box.label))
    return found + _crowd_problems(record, boxes)


def _crowd_problems(record: ItemRecord, boxes: list[Box]) -> list[Problem]:
    found = []
    places = Counter((box.label, box.x, box.y, box.width, box.height) for box in boxes)
    for (label, *_), number in places.items():
        if number > 1:
            message = words("box_twice", name=record.name, label=label, number=number)
            remedy = words("box_twice.remedy")
            found.append(common.advisory("box_twice", message, remedy, item=record.item, field=label))
    if len(boxes) > MAX_BOXES:
        message = words("boxes_too_many", name=record.name, number=len(boxes), most=MAX_BOXES)
        remedy = words("boxes_too_many.remedy")
        found.append(common.advisory("boxes_too_many", message, remedy, item=record.item))
    return found


def _count_problems(counts: _Counts, label_set: LabelSet) -> list[Problem]:
    if not counts.everywhere:
        message = words("boxes_missing")
        remedy = words("boxes_missing.remedy")
        return [common.blocking("boxes_missing", message, remedy)]
    rare = common.rare_labels(
        common.LabelCounts(counts.train, counts.everywhere),
        label_set,
        _BOX,
        none_code="label_without_boxes",
        few_code="label_with_few_boxes",
        at_least=MIN_TRAIN_BOXES,
        good_start=20,
    )
    remedy = words("imbalance.remedy")
    return rare + common.imbalance(counts.train, _BOX, most_to_rarest=MAX_IMBALANCE, remedy=remedy)


def _split_problems(counts: _Counts) -> list[Problem]:
    found = []
    if counts.with_boxes[Split.VALIDATION] == 0:
        found.append(common.validation_empty(_PICTURE_WITH_BOX))
    if counts.by_split[Split.TEST] == 0:
        found.append(common.final_test_empty(_PICTURE))
    elif counts.by_split[Split.TEST] < common.FEW_TEST_ITEMS:
        found.append(common.final_test_few(_PICTURE, counts.by_split[Split.TEST]))
    return found

"""Problems of a dataset that a person should mend before training: each with its item or label and a remedy.

Pictures without an object are fine: they teach what is nothing. Blocking problems are those that make training impossible or
its numbers meaningless; everything else is advice. The web process imports this file: no torch, and no pixel is drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.task import Problem
from automl.contracts.words import Words
from engine.tasks.instance_segmentation.spec import TASK
from engine.tasks.instance_segmentation.truth import objects_of
from engine.tasks.shared import problems as common
from engine.tasks.shared.problems import Noun
from engine.tasks.shared.shape_problems import shape_problems

words = Words(__file__)

MIN_TRAIN_OBJECTS = 2
"""Of each label: a single one teaches itself."""
MAX_IMBALANCE = 50
"""The rarest label should have more than one object for this many of the most frequent one."""
MAX_OBJECTS = 50
"""More on one picture than the model can answer."""
_PICTURE = Noun(words, "picture")
_OBJECT = Noun(words, "object")
_PICTURE_WITH_OBJECT = Noun(words, "picture_with_object")


@dataclass
class _Counts:
    """What one walk over the items finds out."""

    train: Counter[str] = field(default_factory=Counter)
    everywhere: Counter[str] = field(default_factory=Counter)
    by_split: Counter[Split] = field(default_factory=Counter)
    with_objects: Counter[Split] = field(default_factory=Counter)


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
        objects = objects_of(record.annotations)
        labels = Counter(shapes[0].label for shapes in objects)
        counts.by_split[record.split] += 1
        counts.with_objects[record.split] += bool(objects)
        counts.everywhere.update(labels)
        if record.split == Split.TRAIN:
            counts.train.update(labels)
        of_items += common.unknown_labels(record, set(labels) - known, _PICTURE)
        of_items += [problem for shapes in objects for shape in shapes for problem in shape_problems(record, shape)]
        of_items += _crowd_problems(record, len(objects))
    return common.blocking_first(
        [
            *common.too_few_labels(label_set, at_least=TASK.annotation.min_labels),
            *of_items,
            *_count_problems(counts, label_set),
            *_split_problems(counts),
        ]
    )


def _crowd_problems(record: ItemRecord, number: int) -> list[Problem]:
    if number <= MAX_OBJECTS:
        return []
    message = words("objects_too_many", name=record.name, number=number, most=MAX_OBJECTS)
    return [common.advisory("objects_too_many", message, words("objects_too_many.remedy"), item=record.item)]


def _count_problems(counts: _Counts, label_set: LabelSet) -> list[Problem]:
    if not counts.everywhere:
        return [common.blocking("shapes_missing", words("shapes_missing"), words("shapes_missing.remedy"))]
    rare = common.rare_labels(
        common.LabelCounts(counts.train, counts.everywhere),
        label_set,
        _OBJECT,
        none_code="label_without_objects",
        few_code="label_with_few_objects",
        at_least=MIN_TRAIN_OBJECTS,
        good_start=20,
    )
    remedy = words("imbalance.remedy")
    return rare + common.imbalance(counts.train, _OBJECT, most_to_rarest=MAX_IMBALANCE, remedy=remedy)


def _split_problems(counts: _Counts) -> list[Problem]:
    found = []
    if counts.with_objects[Split.VALIDATION] == 0:
        found.append(common.validation_empty(_PICTURE_WITH_OBJECT))
    if counts.by_split[Split.TEST] == 0:
        found.append(common.final_test_empty(_PICTURE))
    elif counts.by_split[Split.TEST] < common.FEW_TEST_ITEMS:
        found.append(common.final_test_few(_PICTURE, counts.by_split[Split.TEST]))
    return found

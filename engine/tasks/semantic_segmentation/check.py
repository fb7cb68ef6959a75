"""Problems of a dataset that a person should mend before training: each with its item or label and a remedy.

Pictures without any label are fine: they teach what is nothing. Blocking problems are those that make training impossible or
its numbers meaningless; everything else is advice. The web process imports this file: no torch, and no pixel is drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.task import Problem
from automl.contracts.words import Words
from engine.tasks.semantic_segmentation.spec import TASK
from engine.tasks.shared import problems as common
from engine.tasks.shared.problems import Noun
from engine.tasks.shared.raster import shapes_of
from engine.tasks.shared.shape_problems import shape_problems

words = Words(__file__)

MIN_TRAIN_PICTURES = 2
"""Of each label: a single one teaches itself."""
MAX_IMBALANCE = 50
"""The rarest label should be on more than one picture for this many of the most frequent one."""
_PICTURE = Noun(words, "picture")
_LABELLED = Noun(words, "labelled")


@dataclass
class _Counts:
    """What one walk over the items finds out: pictures that show a label."""

    train: Counter[str] = field(default_factory=Counter)
    everywhere: Counter[str] = field(default_factory=Counter)
    by_split: Counter[Split] = field(default_factory=Counter)
    labelled: Counter[Split] = field(default_factory=Counter)


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
        shapes = shapes_of(record.annotations)
        labels = {shape.label for shape in shapes if not TASK.annotation.is_ignored(shape.label, known)}
        counts.by_split[record.split] += 1
        counts.labelled[record.split] += bool(labels)
        counts.everywhere.update(labels)
        if record.split == Split.TRAIN:
            counts.train.update(labels)
        of_items += common.unknown_labels(record, labels - known, _PICTURE)
        for shape in shapes:
            of_items += shape_problems(record, shape)
    return common.blocking_first(
        [
            *common.too_few_labels(label_set, at_least=TASK.annotation.min_labels),
            *of_items,
            *_count_problems(counts, label_set),
            *_split_problems(counts),
        ]
    )


def _count_problems(counts: _Counts, label_set: LabelSet) -> list[Problem]:
    if not counts.everywhere:
        message = words("shapes_missing")
        remedy = words("shapes_missing.remedy")
        return [common.blocking("shapes_missing", message, remedy)]
    rare = common.rare_labels(
        common.LabelCounts(counts.train, counts.everywhere),
        label_set,
        _LABELLED,
        none_code="label_without_pictures",
        few_code="label_with_few_pictures",
        at_least=MIN_TRAIN_PICTURES,
        good_start=20,
    )
    remedy = words("imbalance.remedy")
    return rare + common.imbalance(counts.train, _LABELLED, most_to_rarest=MAX_IMBALANCE, remedy=remedy)


def _split_problems(counts: _Counts) -> list[Problem]:
    found = []
    if counts.labelled[Split.VALIDATION] == 0:
        found.append(common.validation_empty(_LABELLED))
    if counts.by_split[Split.TEST] == 0:
        found.append(common.final_test_empty(_PICTURE))
    elif counts.by_split[Split.TEST] < common.FEW_TEST_ITEMS:
        found.append(common.final_test_few(_PICTURE, counts.by_split[Split.TEST]))
    return found

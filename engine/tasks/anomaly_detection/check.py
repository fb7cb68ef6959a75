"""Problems of pictures of parts that a person should mend before training: each with its picture or label and a remedy.

Blocking problems are those that make training impossible or its numbers meaningless; everything else is advice. The web
process imports this file: the standard library and the contracts only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.task import Problem
from automl.contracts.words import Words
from engine.tasks.anomaly_detection.calibration import fewest_normal
from engine.tasks.anomaly_detection.options import false_alarm_rate, has_defects
from engine.tasks.shared import problems as common
from engine.tasks.shared.problems import Noun, advisory, blocking
from runtime.answers.heat_map import NORMAL_NAMES

words = Words(__file__)

FEWEST_NORMAL = 10
"""To learn from: with fewer, what varies between good parts is not seen."""
GOOD_START = 100
NUM_LABELS = 2
_NOUN = Noun(words)


@dataclass
class _Counts:
    """Pictures by split."""

    normal: Counter[Split] = field(default_factory=Counter)
    defect: Counter[Split] = field(default_factory=Counter)


def problems(records: Iterable[ItemRecord], label_set: LabelSet, options: Mapping[str, str]) -> list[Problem]:
    """Lists the problems of items that are annotated, blocking ones first; walks over the items once.

    Args:
        records: the annotated items with their splits.
        label_set: the project's labels.
        options: the task's options as the project chose them.
    """
    normal = next((name for name in label_set.names if name.strip().casefold() in NORMAL_NAMES), None)
    counts, of_items = _Counts(), []
    for record in records:
        labels = {annotation.label for annotation in record.annotations if annotation.kind == "class"}
        if len(labels) != 1 or not labels <= set(label_set.names):
            of_items += _item_problems(record, labels, set(label_set.names))
        else:
            (counts.normal if labels == {normal} else counts.defect)[record.split] += 1
    return common.blocking_first([*_of_labels(label_set, normal), *of_items, *_of_counts(counts, options)])


def _of_labels(label_set: LabelSet, normal: str | None) -> list[Problem]:
    found = common.too_few_labels(label_set, at_least=NUM_LABELS)
    if len(label_set.labels) > NUM_LABELS:
        message = words("too_many_labels", number=len(label_set.labels))
        found.append(blocking("too_many_labels", message, words("too_many_labels.remedy")))
    if normal is None:
        found.append(blocking("normal_label_unknown", words("normal_label_unknown"), words("normal_label_unknown.remedy")))
    return found


def _item_problems(record: ItemRecord, labels: set[str], known: set[str]) -> list[Problem]:
    found = common.unknown_labels(record, labels - known, _NOUN)
    if len(labels) > 1:
        message, remedy = words("several_labels", name=record.name), words("several_labels.remedy")
        found.append(blocking("several_labels", message, remedy, item=record.item, field="annotations"))
    elif not labels:
        message, remedy = words("label_missing", name=record.name), words("label_missing.remedy")
        found.append(blocking("label_missing", message, remedy, item=record.item, field="annotations"))
    return found


def _of_counts(counts: _Counts, options: Mapping[str, str]) -> list[Problem]:
    found = []
    if counts.defect.total() and not counts.normal.total():
        found.append(blocking("all_defects", words("all_defects"), words("all_defects.remedy")))
    if (number := counts.normal[Split.TRAIN]) < FEWEST_NORMAL:
        message = words("normal_few", counted=_NOUN.counted(number), least=FEWEST_NORMAL)
        found.append(blocking("normal_few", message, words("normal_few.remedy", number=GOOD_START)))
    found += _of_validation(counts, options)
    test = counts.normal[Split.TEST] + counts.defect[Split.TEST]
    if test == 0:
        found.append(common.final_test_empty(_NOUN))
    elif test < common.FEW_TEST_ITEMS:
        found.append(common.final_test_few(_NOUN, test))
    return found


def _of_validation(counts: _Counts, options: Mapping[str, str]) -> list[Problem]:
    found = []
    rate, number = false_alarm_rate(options), counts.normal[Split.VALIDATION]
    if number == 0:
        remedy = words("normal_validation_missing.remedy")
        found.append(blocking("normal_validation_missing", words("normal_validation_missing"), remedy))
    elif number < (least := fewest_normal(rate)):
        message = words("normal_validation_few", counted=_NOUN.counted(number), percent=round(100 * rate), least=least)
        found.append(advisory("normal_validation_few", message, words("normal_validation_few.remedy")))
    if has_defects(options) and counts.defect[Split.VALIDATION] == 0:
        found.append(blocking("defects_missing", words("defects_missing"), words("defects_missing.remedy")))
    return found

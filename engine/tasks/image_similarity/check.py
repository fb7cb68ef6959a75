"""Problems of pictures of things that a person should mend before training: each with its picture or label and a remedy.

Blocking problems are those that make training impossible or its numbers meaningless; everything else is advice. The web
process imports this file: the standard library and the contracts only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.task import Problem
from automl.contracts.words import Words
from engine.tasks.image_similarity.unseen import FEWEST_LABELS, unseen_places
from engine.tasks.shared import problems as common
from engine.tasks.shared.problems import Noun, advisory, blocking

words = Words(__file__)

NUM_LABELS = 2
_PAIR = 2
_NOUN = Noun(words)


def problems(records: Iterable[ItemRecord], label_set: LabelSet, options: Mapping[str, str]) -> list[Problem]:
    """Lists the problems of items that are annotated, blocking ones first; walks over the items once.

    Args:
        records: the annotated items with their splits.
        label_set: the project's labels.
        options: of the task; there are none.
    """
    del options
    counts: dict[Split, Counter[str]] = {split: Counter() for split in Split}
    of_items = []
    known = set(label_set.names)
    for record in records:
        labels = {annotation.label for annotation in record.annotations if annotation.kind == "class"}
        if len(labels) != 1 or not labels <= known:
            of_items += _item_problems(record, labels, known)
        else:
            counts[record.split].update(labels)
    found = [*common.too_few_labels(label_set, at_least=NUM_LABELS), *of_items, *_of_counts(counts, label_set)]
    return common.blocking_first(found)


def _item_problems(record: ItemRecord, labels: set[str], known: set[str]) -> list[Problem]:
    found = common.unknown_labels(record, labels - known, _NOUN)
    if len(labels) > 1:
        message, remedy = words("several_labels", name=record.name), words("several_labels.remedy")
        found.append(blocking("several_labels", message, remedy, item=record.item, field="annotations"))
    elif not labels:
        message, remedy = words("label_missing", name=record.name), words("label_missing.remedy")
        found.append(blocking("label_missing", message, remedy, item=record.item, field="annotations"))
    return found


def _of_counts(counts: Mapping[Split, Counter[str]], label_set: LabelSet) -> list[Problem]:
    found = []
    unseen = {label_set.names[place] for place in unseen_places(label_set.names)}
    if len(_with_pairs(counts[Split.TRAIN]) - unseen) < NUM_LABELS:
        found.append(
            blocking("pairs_to_learn_missing", words("pairs_to_learn_missing"), words("pairs_to_learn_missing.remedy"))
        )
    in_validation = _with_pairs(counts[Split.VALIDATION])
    if not in_validation or len(counts[Split.VALIDATION]) < NUM_LABELS:
        found.append(
            blocking("pairs_to_judge_missing", words("pairs_to_judge_missing"), words("pairs_to_judge_missing.remedy"))
        )
    if NUM_LABELS <= len(label_set.labels) < FEWEST_LABELS:
        message = words("labels_few", number=len(label_set.labels), least=FEWEST_LABELS)
        found.append(advisory("labels_few", message, words("labels_few.remedy")))
    elif unseen and in_validation and not in_validation & unseen:
        found.append(advisory("unseen_pairs_missing", words("unseen_pairs_missing"), words("unseen_pairs_missing.remedy")))
    test = counts[Split.TEST].total()
    if test == 0:
        found.append(common.final_test_empty(_NOUN))
    elif test < common.FEW_TEST_ITEMS:
        found.append(common.final_test_few(_NOUN, test))
    return found


def _with_pairs(counted: Counter[str]) -> set[str]:
    return {label for label, number in counted.items() if number >= _PAIR}

"""Problems of pictures with lines of text that a person should mend before training: each with its picture and a remedy.

The web process imports this file: the standard library, numpy and the contracts only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from automl.contracts.annotation import Polygon
from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.task import Problem
from automl.contracts.words import Words
from engine.tasks.ocr.spec import TASK
from engine.tasks.shared import problems as common
from engine.tasks.shared.problems import Noun, advisory, blocking
from engine.tasks.shared.text_lines import text_of
from runtime.answers.quads import MAX_CHARACTERS, MAX_LINES

words = Words(__file__)

_PICTURE = Noun(words, "picture")
_PICTURE_WITH_TEXT = Noun(words, "picture_with_text")


def problems(records: Iterable[ItemRecord], label_set: LabelSet, options: Mapping[str, str]) -> list[Problem]:
    """Lists the problems of items that are annotated, blocking ones first; walks over the items once.

    Args:
        records: the annotated items with their splits.
        label_set: the project's labels.
        options: of the task; there are none.
    """
    del options
    known = set(label_set.names)
    pictures: Counter[Split] = Counter()
    with_text: Counter[Split] = Counter()
    of_items: list[Problem] = []
    for record in records:
        lines = [each for each in record.annotations if isinstance(each, Polygon)]
        pictures[record.split] += 1
        with_text[record.split] += any(text_of(line) for line in lines)
        of_items += common.unknown_labels(record, {line.label for line in lines} - known, _PICTURE)
        of_items += _of_lines(record, lines)
    return common.blocking_first(
        [
            *common.too_few_labels(label_set, at_least=TASK.annotation.min_labels),
            *_too_many_labels(label_set),
            *of_items,
            *_of_splits(pictures, with_text),
        ]
    )


def _of_lines(record: ItemRecord, lines: list[Polygon]) -> list[Problem]:
    found = []
    without = sum(not each.attributes for each in lines)
    if without:
        message = words("text_missing", name=record.name, count=without)
        found.append(advisory("text_missing", message, words("text_missing.remedy"), item=record.item))
    if any(len(text_of(line)) > MAX_CHARACTERS for line in lines):
        message = words("text_long", name=record.name, most=MAX_CHARACTERS)
        found.append(advisory("text_long", message, words("text_long.remedy"), item=record.item))
    if len(lines) > MAX_LINES:
        message = words("lines_too_many", name=record.name, number=len(lines), most=MAX_LINES)
        found.append(advisory("lines_too_many", message, words("lines_too_many.remedy"), item=record.item))
    return found


def _too_many_labels(label_set: LabelSet) -> list[Problem]:
    if len(label_set.labels) <= 1:
        return []
    return [blocking("labels_many", words("labels_many"), words("labels_many.remedy"), field=label_set.names[1])]


def _of_splits(pictures: Mapping[Split, int], with_text: Mapping[Split, int]) -> list[Problem]:
    found = []
    if not with_text[Split.TRAIN]:
        found.append(blocking("lines_missing", words("lines_missing"), words("lines_missing.remedy")))
    if not with_text[Split.VALIDATION]:
        found.append(common.validation_empty(_PICTURE_WITH_TEXT))
    if not pictures[Split.TEST]:
        found.append(common.final_test_empty(_PICTURE))
    elif pictures[Split.TEST] < common.FEW_TEST_ITEMS:
        found.append(common.final_test_few(_PICTURE, pictures[Split.TEST]))
    return found

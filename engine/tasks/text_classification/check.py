"""Problems of a dataset of texts that a person should mend before training.

Blocking problems are those that make training impossible or its numbers meaningless; everything else is advice. The web
process imports this file: the standard library and the contracts only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.task import Problem, Severity
from automl.contracts.words import Words
from engine.tasks.shared.classification import check
from engine.tasks.shared.problems import Noun

words = Words(__file__)

MAX_CHARACTERS = 5000
"""Of a text: beyond, some family here reads parts of it only."""
_NOUN = Noun(words)


def problems(records: Iterable[ItemRecord], label_set: LabelSet, options: Mapping[str, str]) -> list[Problem]:
    """Lists the problems of items that are annotated, blocking ones first; walks over the items once.

    Args:
        records: the annotated items with their splits.
        label_set: the project's labels.
        options: the task's options as the project chose them.
    """
    return check.problems(records, label_set, options, noun=_NOUN, of_media=_of_media)


def _of_media(record: ItemRecord) -> list[Problem]:
    length = record.media.num_characters
    if length is None:
        message = words("item_no_text", name=record.name)
        remedy = words("item_no_text.remedy")
        return [_problem("item_no_text", Severity.BLOCKING, record, message, remedy)]
    if length == 0:
        message = words("text_blank", name=record.name)
        remedy = words("text_blank.remedy")
        return [_problem("text_blank", Severity.BLOCKING, record, message, remedy)]
    if length > MAX_CHARACTERS:
        message = words("text_long", name=record.name, length=length)
        remedy = words("text_long.remedy")
        return [_problem("text_long", Severity.ADVISORY, record, message, remedy)]
    return []


def _problem(code: str, severity: Severity, record: ItemRecord, message: Text, remedy: Text) -> Problem:
    return Problem(code=code, severity=severity, item=record.item, field="media", message=message, remedy=remedy)

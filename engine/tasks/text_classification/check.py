"""Problems of a dataset of texts that a person should mend before training.

Blocking problems are those that make training impossible or its numbers meaningless; everything else is advice. The web
process imports this file: the standard library and the contracts only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.task import Problem, Severity
from engine.tasks.classification import check
from engine.tasks.problems import Noun

MAX_CHARACTERS = 5000
"""Of a text: beyond, no family here reads more than its beginning."""
_NOUN = Noun(en="text", en_plural="texts", zh="文本", zh_counter="条")


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
        message = Text(en=f"{record.name} is no text.", zh=f"{record.name} 不是文本。")
        remedy = Text(en="Remove the item; a project of texts holds nothing else.", zh="请删除该条目，文本项目只能包含文本。")
        return [_problem("item_no_text", Severity.BLOCKING, record, message, remedy)]
    if length == 0:
        message = Text(en=f"{record.name} holds no characters.", zh=f"{record.name} 没有任何文字。")
        remedy = Text(en="Remove the empty text.", zh="请删除空文本。")
        return [_problem("text_blank", Severity.BLOCKING, record, message, remedy)]
    if length > MAX_CHARACTERS:
        message = Text(en=f"{record.name} has {length} characters.", zh=f"{record.name} 有 {length} 个字符。")
        remedy = Text(
            en="Split it, or put what matters first: models read the beginning of a text.",
            zh="请拆分文本，或把重要内容放在开头：模型只读取文本的开头部分。",
        )
        return [_problem("text_long", Severity.ADVISORY, record, message, remedy)]
    return []


def _problem(code: str, severity: Severity, record: ItemRecord, message: Text, remedy: Text) -> Problem:
    return Problem(code=code, severity=severity, item=record.item, field="media", message=message, remedy=remedy)

"""Problems of a dataset of pictures that a person should mend before training.

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

MIN_SIDE_PX = 32
"""Below this a picture is mostly enlargement."""
_NOUN = Noun(en="picture", en_plural="pictures", zh="图片", zh_counter="张")


def problems(records: Iterable[ItemRecord], label_set: LabelSet, options: Mapping[str, str]) -> list[Problem]:
    """Lists the problems of items that are annotated, blocking ones first; walks over the items once.

    Args:
        records: the annotated items with their splits.
        label_set: the project's labels.
        options: the task's options as the project chose them.
    """
    return check.problems(records, label_set, options, noun=_NOUN, of_media=_of_media)


def _of_media(record: ItemRecord) -> list[Problem]:
    if record.media.width >= MIN_SIDE_PX and record.media.height >= MIN_SIDE_PX:
        return []
    tiny = Problem(
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
    return [tiny]

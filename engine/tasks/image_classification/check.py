"""Problems of a dataset of pictures that a person should mend before training.

Blocking problems are those that make training impossible or its numbers meaningless; everything else is advice. The web
process imports this file: the standard library and the contracts only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.task import Problem
from engine.tasks.classification import check
from engine.tasks.problems import Noun, advisory

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
    tiny: list[ItemRecord] = []
    number = 0

    def look(record: ItemRecord) -> list[Problem]:
        nonlocal number
        if min(record.media.width, record.media.height) < MIN_SIDE_PX:
            number += 1
            if not tiny:
                tiny.append(record)
        return []

    found = check.problems(records, label_set, options, noun=_NOUN, of_media=look)
    return found + [_tiny(first, number) for first in tiny]


def _tiny(first: ItemRecord, number: int) -> Problem:
    """One problem for all of them, with the first as the example."""
    size = f"{first.media.width} x {first.media.height}"
    message = Text(en=f"{first.name} is only {size} pixels.", zh=f"{first.name} 只有 {size} 像素。")
    if number > 1:
        message = Text(
            en=f"{number} pictures have a side below {MIN_SIDE_PX} pixels; {first.name}, for one, is only {size}.",
            zh=f"{number} 张图片的边长不足 {MIN_SIDE_PX} 像素，例如 {first.name} 只有 {size}。",
        )
    remedy = Text(en="Use the originals instead of thumbnails, if there are any.", zh="如有原图，请使用原图而不是缩略图。")
    return advisory("picture_tiny", message, remedy, item=first.item, field="media")

"""Problems of a dataset of pictures that a person should mend before training.

Blocking problems are those that make training impossible or its numbers meaningless; everything else is advice. The web
process imports this file: the standard library and the contracts only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.task import Problem
from automl.contracts.words import Words
from engine.tasks.shared.classification import check
from engine.tasks.shared.problems import Noun, advisory

words = Words(__file__)

MIN_SIDE_PX = 32
"""Below this a picture is mostly enlargement."""
_NOUN = Noun(words)


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
    message = words("picture_tiny", name=first.name, size=size)
    if number > 1:
        message = words("pictures_tiny", number=number, least=MIN_SIDE_PX, name=first.name, size=size)
    remedy = words("picture_tiny.remedy")
    return advisory("picture_tiny", message, remedy, item=first.item, field="media")

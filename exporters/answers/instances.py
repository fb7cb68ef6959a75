"""Single objects with their pixels."""

from __future__ import annotations

from typing import ClassVar

from exporters.answers.boxes import Boxes


class Instances(Boxes):
    """See ``AnswerKind``: labels and scores are those of boxes; where the pixels lie is compared by the replay."""

    example: ClassVar[str] = (
        '[{"kind": "mask", "label": ..., "width": ..., "height": ..., "counts": ..., "score": ...,'
        ' "box": {...}, "polygons": [...]}, ...]'
    )
    easydl_word: ClassVar[str] = "ImageSegmentation"
    has_device_graph: ClassVar[bool] = False


KIND = Instances()

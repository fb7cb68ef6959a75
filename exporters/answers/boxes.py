"""Boxes around things."""

from __future__ import annotations

from typing import ClassVar


class Boxes:
    """See ``AnswerKind``."""

    example: ClassVar[str] = (
        '[{"kind": "box", "label": ..., "x": ..., "y": ..., "width": ..., "height": ..., "score": ...}, ...]'
    )
    fields: ClassVar[tuple[str, ...]] = ("label", "score")
    easydl_word: ClassVar[str] = "ObjectDetection"
    may_be_nothing: ClassVar[bool] = True


KIND = Boxes()

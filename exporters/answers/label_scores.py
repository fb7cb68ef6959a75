"""Scores of labels that stand by themselves."""

from __future__ import annotations

from typing import ClassVar


class LabelScores:
    """See ``AnswerKind``."""

    example: ClassVar[str] = '[{"kind": "class", "label": ..., "score": ...}, ...], best first'
    fields: ClassVar[tuple[str, ...]] = ("label", "score")
    easydl_word: ClassVar[str] = ""
    may_be_nothing: ClassVar[bool] = False


KIND = LabelScores()

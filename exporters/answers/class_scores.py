"""Scores of labels that exclude each other."""

from __future__ import annotations

from typing import ClassVar


class ClassScores:
    """See ``AnswerKind``."""

    example: ClassVar[str] = '[{"kind": "class", "label": ..., "score": ...}, ...], best first'
    fields: ClassVar[tuple[str, ...]] = ("label", "score")
    easydl_word: ClassVar[str] = ""
    may_be_nothing: ClassVar[bool] = False


KIND = ClassScores()

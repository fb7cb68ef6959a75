"""One number."""

from __future__ import annotations

from typing import ClassVar


class Number:
    """See ``AnswerKind``."""

    example: ClassVar[str] = '[{"kind": "value", "value": ...}]'
    fields: ClassVar[tuple[str, ...]] = ("value",)
    easydl_word: ClassVar[str] = ""
    may_be_nothing: ClassVar[bool] = False


KIND = Number()

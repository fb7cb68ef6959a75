"""What the try-out page sends and gets of texts."""

from __future__ import annotations

from typing import Annotated

from ninja import Schema
from pydantic import Field

MAX_TRIED_CHARACTERS = 100_000
"""Of a text on the try-out page: no model reads as far."""
MAX_EXPLAINED_CHARACTERS = 20_000
"""Of a text that the model is asked about some fifty times."""


class TryTextsIn(Schema):
    """Texts to try a deployment with."""

    texts: Annotated[list[Annotated[str, Field(min_length=1, max_length=MAX_TRIED_CHARACTERS)]], Field(min_length=1)]
    """The prediction server takes 64 at most."""


class ExplainTextIn(Schema):
    """A text, and what to find out about the model's answer to it."""

    text: Annotated[str, Field(min_length=1, max_length=MAX_EXPLAINED_CHARACTERS)]
    label: Annotated[str, Field(max_length=256)] | None = None
    """Whose score is explained; null takes the best."""


class SegmentOut(Schema):
    """A part of a text and what it counts."""

    start: int
    """In characters (Unicode code points), from 0."""
    end: int
    """The character after the last."""
    fall: float
    """By how much the score falls when the part is taken out, -1..1; negative where it rises."""
    weight: float
    """``fall`` in shares of the greatest one of the text, -1..1; 0 everywhere where nothing counts by itself."""


class ExplainedOut(Schema):
    """What an answer hangs on."""

    label: str
    score: float
    segments: list[SegmentOut]
    """They join back to the text, or to so much of its beginning as the model reads."""

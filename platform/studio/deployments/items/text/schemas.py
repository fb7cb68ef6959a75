"""What the try-out page sends and gets of texts."""

from __future__ import annotations

from typing import Annotated

from ninja import Schema
from pydantic import Field

MAX_TRIED_CHARACTERS = 100_000
"""Of a text on the try-out page: no model reads as far."""


class TryTextsIn(Schema):
    """Texts to try a deployment with."""

    texts: Annotated[list[Annotated[str, Field(min_length=1, max_length=MAX_TRIED_CHARACTERS)]], Field(min_length=1)]
    """The prediction server takes 64 at most."""


class ExplainTextIn(Schema):
    """A text, and what to find out about the model's answer to it."""

    text: Annotated[str, Field(min_length=1, max_length=MAX_TRIED_CHARACTERS)]
    label: Annotated[str, Field(max_length=256)] | None = None
    """Whose score is explained; null takes the best."""

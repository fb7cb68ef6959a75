"""What the endpoints of comments take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field, StringConstraints

from automl.contracts.dataset import MediaFacts
from automl.contracts.table import Row

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000, pattern=r"^[^\x00]*$")]


class CommentIn(Schema):
    """A new comment on an item."""

    item: str
    text: Words
    operation: Annotated[str, Field(min_length=1, max_length=64)]
    """The client's name for it: sending it twice says it once."""
    person: str | None = None
    """Who wrote it, where it waited in a browser: somebody else's session is refused."""


class CommentTextIn(Schema):
    """The corrected text of a comment."""

    text: Words


class CommentResolvedIn(Schema):
    """Whether it is settled."""

    is_resolved: bool


class CommentOut(Schema):
    """A comment on an item."""

    id: str
    item: str
    by: str
    by_name: str
    text: str
    operation: str
    at: datetime
    edited_at: datetime | None
    resolved_at: datetime | None
    resolved_by_name: str
    mentions: list[str]
    """Names of people that stand behind an ``@`` in the text."""
    unnotified: list[str]
    """Such names of people who do not see the project, and are told nothing of it."""


class MentionableOut(Schema):
    """Somebody who may read the comments of an item."""

    user: str
    name: str


class CommentedItemOut(Schema):
    """An item with a comment, as lists show it."""

    id: str
    name: str
    media: MediaFacts
    text: str | None
    row: Row | None
    picture_url: str
    thumbnail_url: str | None
    """None of kinds of items without thumbnails, e.g. texts and rows."""


class OpenCommentOut(Schema):
    """An open comment, with its item."""

    comment: CommentOut
    item: CommentedItemOut


class CommentCountsOut(Schema):
    """Open comments of items."""

    num_open: dict[str, int]
    """By item; those without any are left out."""

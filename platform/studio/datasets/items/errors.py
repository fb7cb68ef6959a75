"""What a caller can do wrong with items, each with its cure."""

from __future__ import annotations

from studio.common.errors import NotFoundError


class NoThumbnailError(NotFoundError):
    """Asked for a small picture of what is no picture."""

    code = "no_thumbnail"
    title = "A text has no thumbnail"

    def __init__(self) -> None:
        super().__init__(
            "A text has no thumbnail.", hint="Its beginning stands in the item's `text`, the whole at `picture_url`."
        )

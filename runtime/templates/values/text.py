"""What was read, as it is; rows are parted by line breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .kind import Reading


class Text:
    """See ``Reader``; there are no options."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        del options

    def read(self, rows: Sequence[str]) -> Reading:
        """See ``Reader``."""
        return Reading("\n".join(rows))


KIND = Text

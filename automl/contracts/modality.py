"""What an item is made of."""

from __future__ import annotations

from enum import StrEnum


class Modality(StrEnum):
    """What an item is made of."""

    IMAGE = "image"
    TEXT = "text"
    TABULAR = "tabular"
    AUDIO = "audio"
    VIDEO = "video"
    TIMESERIES = "timeseries"
    GRAPH = "graph"

    @property
    def items(self) -> str:
        """Name of the kind of such items, of its modules and of the ``decode`` of artefacts; a table has rows."""
        return _ITEMS.get(self, self.value)


_ITEMS = {Modality.TABULAR: "row"}

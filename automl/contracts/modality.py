"""What an item is made of."""

from __future__ import annotations

from enum import StrEnum


class Modality(StrEnum):
    """What an item is made of; the items of a table are its rows."""

    IMAGE = "image"
    TEXT = "text"
    TABULAR = "tabular"
    AUDIO = "audio"
    VIDEO = "video"
    TIMESERIES = "timeseries"
    GRAPH = "graph"

    @property
    def items(self) -> str:
        """Name of the kind of such items, after which its modules and the ``decode`` of its artefacts are called."""
        return _ITEMS.get(self, self.value)


_ITEMS = {Modality.TABULAR: "row"}

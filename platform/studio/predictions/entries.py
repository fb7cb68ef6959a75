"""What is predicted of, and what came out, one item each: shared by sources, kinds of items and parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Entry(NamedTuple):
    """An item that the model will be asked about."""

    name: str
    content: Any = None
    """In the form of its kind of items; None where it cannot be read."""
    code: str = ""
    """Why it cannot be read, a key of ``REASONS``."""
    item: str = ""
    """Id of the project's item that it is; empty of files."""


class Content(NamedTuple):
    """Bytes, or the blob that holds them."""

    data: bytes = b""
    blob: str = ""


@dataclass(slots=True)
class ItemPreview:
    """What a result keeps of its item, to be shown and downloaded with it."""

    text: str = ""
    """Of a text all of it, of a row its cells as JSON."""
    thumbnail: bytes | None = None
    """JPEG, of items that lie nowhere else."""
    width: int = 0
    """This and the next in pixels, of the whole item; 0 of what has no sides."""
    height: int = 0


@dataclass(slots=True)
class Result:
    """What came out for an item."""

    entry: Entry
    preview: ItemPreview
    annotations: str = ""
    """JSON: the annotations that the model gives it. Empty where there are none because ``code`` says why."""
    scores: list[float] | None = None
    """By label, in the model's order; None of kinds of answers without scores."""
    beside: Mapping[str, Any] = field(default_factory=dict)
    """What stands beside the annotations (``runtime.coverage``); empty where nothing was chosen for the model."""
    code: str = ""

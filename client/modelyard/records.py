"""Objects that the server returns, as frozen values; fields that this package does not know are left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Self

ENDED = frozenset({"succeeded", "failed", "cancelled", "stopped"})


class _Record:
    """Built from JSON by the names of its fields."""

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """The record of a JSON object."""
        known = {field.name: data[field.name] for field in fields(cls) if field.name in data}  # type: ignore[arg-type]
        for name in ("created_at", "ended_at"):
            if isinstance(known.get(name), str):
                known[name] = datetime.fromisoformat(known[name])
        return cls(**known)


@dataclass(frozen=True)
class Item(_Record):
    """One picture or text and its annotations."""

    id: str
    name: str
    blob: str
    """SHA-256 of the file."""
    media: dict[str, Any]
    """``width``, ``height``, ``format``, ``size_bytes``; of a text ``num_characters``, and no sides."""
    state: str
    """``unlabelled`` or ``annotated``."""
    annotations: list[dict[str, Any]]
    revision: int
    split: str
    created_at: datetime
    metadata: dict[str, Any] | None = None
    text: str | None = None
    """Of a text, the first 2,000 characters; ``Dataset.download_item`` saves the whole."""

    @property
    def labels(self) -> list[str]:
        """The names of the classes that the whole item carries."""
        return [one["label"] for one in self.annotations if one.get("kind") == "class"]


@dataclass(frozen=True)
class Version(_Record):
    """An immutable version of a dataset."""

    id: str
    number: int
    created_at: datetime
    note: str
    labels: list[str]
    num_items: int
    num_items_by_split: dict[str, int]
    parent: str | None = None


@dataclass(frozen=True)
class Job(_Record):
    """Work that the server does in the background."""

    id: str
    kind: str
    state: str
    stage: str
    progress_fraction: float
    remaining_s: float | None
    error: dict[str, Any] | None
    subject: str | None = None
    made: str | None = None
    """Id of what it made, of a job that says so."""

    @property
    def has_ended(self) -> bool:
        """Whether the job has ended, successfully or not."""
        return self.state in ENDED


@dataclass(frozen=True)
class RefusedFile:
    """A file or a part of one that was refused, with the reason; in ``UploadResult.notes`` a note on one that was accepted."""

    name: str
    code: str
    reason: str


@dataclass
class UploadResult:
    """The result of an upload."""

    num_files: int = 0
    num_new: int = 0
    num_duplicates: int = 0
    num_known: int = 0
    num_labelled: int = 0
    """Items whose labels came from archives and tables."""
    refused: list[RefusedFile] = field(default_factory=list)
    notes: list[RefusedFile] = field(default_factory=list)
    """What was left out or changed of accepted files: objects that the task does not support, outlines that became boxes,
    labels that were there already."""
    jobs: list[Job] = field(default_factory=list)
    """Jobs that read archives and large files."""

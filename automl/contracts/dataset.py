"""A dataset version: immutable, named by the hash of its canonical manifest, and the only training input there is.

On disk (in the blob store and in a job's ``data/`` folder)::

    version.json                 VersionManifest
    items-00000.parquet ...      ItemRecord rows, at most SHARD_ROWS in each, ordered by item id
    blobs/ab/cd/abcd...          content-addressed files by SHA-256, usually a link to the host's blob cache
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from automl.contracts.annotation import Annotation, AnnotationKind, Annotations, LabelName
from automl.contracts.base import Contract, left_out
from automl.contracts.table import TableSchema

SHARD_ROWS = 50_000


class Split(StrEnum):
    """What an item is used for. Recorded once, never changed."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"


class SplitShares(Contract):
    """Fractions of validation and test items; the rest trains."""

    validation_fraction: float = Field(default=0.15, ge=0.0, lt=1.0)
    test_fraction: float = Field(default=0.15, ge=0.0, lt=1.0)

    @model_validator(mode="after")
    def _leaves_something_to_train_on(self) -> SplitShares:
        if self.validation_fraction + self.test_fraction >= 1.0:
            raise ValueError("validation_fraction and test_fraction must leave something to train on")
        return self


class LabelAttribute(Contract):
    """A property that objects of a label may have."""

    name: Annotated[str, Field(min_length=1, max_length=64)]
    kind: Literal["text", "number", "switch", "choice"] = "switch"
    choices: tuple[str, ...] = ()
    """Of a ``choice``, in the order shown."""


class SkeletonEdge(Contract):
    """A line between two points of a skeleton, by their names."""

    start: str
    end: str


class Skeleton(Contract):
    """The points of an object and which of them are joined by a line."""

    points: tuple[str, ...] = Field(min_length=1)
    edges: tuple[SkeletonEdge, ...] = ()

    @model_validator(mode="after")
    def _edges_join_points(self) -> Skeleton:
        if len(set(self.points)) != len(self.points):
            raise ValueError("the points of a skeleton must have different names")
        if any(edge.start not in self.points or edge.end not in self.points for edge in self.edges):
            raise ValueError("an edge joins two points of the skeleton")
        return self


class Label(Contract):
    """One entry of a label set. Empty fields are left out of the JSON, so that ids of old versions stay."""

    name: LabelName
    color: str = Field(default="#4c6ef5", pattern=r"^#[0-9a-fA-F]{6}$")
    parent: LabelName | None = Field(default=None, exclude_if=lambda value: value is None)
    """The label above it; a model learns the labels themselves, the tree helps people to find and count them."""
    attributes: tuple[LabelAttribute, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    skeleton: Skeleton | None = Field(default=None, exclude_if=lambda value: value is None)


class LabelSet(Contract):
    """The labels of a project in their order; the order is the order of a model's outputs."""

    labels: tuple[Label, ...] = ()

    @model_validator(mode="after")
    def _names_are_unique(self) -> LabelSet:
        names = self.names
        if len(set(names)) != len(names):
            raise ValueError("label names must be unique")
        return self

    @model_validator(mode="after")
    def _is_a_forest(self) -> LabelSet:
        parents = {label.name: label.parent for label in self.labels}
        for name, parent in parents.items():
            seen, above = {name}, parent
            while above is not None:
                if above not in parents:
                    raise ValueError(f"the parent {above!r} is no label of the set")
                if above in seen:
                    raise ValueError(f"the label {name!r} stands above itself")
                seen.add(above)
                above = parents[above]
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(label.name for label in self.labels)


class MediaFacts(Contract):
    """What is known of an item without looking at it again: a picture's sides, a text's length, a row's cells."""

    width: int = Field(default=0, ge=0)
    """In pixels, after EXIF orientation; 0 of what is no picture."""
    height: int = Field(default=0, ge=0)
    format: str
    """``jpeg``, ``png``, ...; ``txt`` of a text, which is UTF-8; ``row`` of a row of a table, which is canonical JSON."""
    size_bytes: int = Field(ge=0)
    num_characters: int | None = Field(default=None, ge=0, exclude_if=lambda value: value is None)
    """Of a text, without the white space around it; None of what is no text. Left out of the JSON while None."""
    num_cells: int | None = Field(default=None, ge=0, exclude_if=lambda value: value is None)
    """Of a row, those that are not empty; None of what is no row. Left out of the JSON while None."""

    @model_validator(mode="after")
    def _is_of_one_kind(self) -> MediaFacts:
        """Other kinds of items have none of these numbers: their format and size are all that every item has."""
        if (self.width > 0) != (self.height > 0):
            raise ValueError("a picture has a width and a height")
        if [self.width > 0, self.num_characters is not None, self.num_cells is not None].count(True) > 1:
            raise ValueError("a picture has two sides, a text a number of characters, a row a number of cells")
        return self


class ItemRecord(Contract):
    """One row of a version."""

    item: str
    """Item id (``itm_...``)."""
    name: str
    """File name as the person knows it; of a line of a table, the file's name and the line's number."""
    blob: str = Field(pattern=r"^[0-9a-f]{64}$")
    """SHA-256 of the bytes."""
    media: MediaFacts
    split: Split
    group: str
    """Items of one group never stand on two sides of a split. The blob's hash when nothing better is known."""
    annotations: tuple[Annotation, ...]
    """Empty means: looked at, and nothing is there. Items that nobody looked at are not in a version."""
    provenance: str
    """Who annotated it: ``person:usr_...``, ``import:upl_...`` or ``model:art_...``."""
    row: str | None = Field(default=None, exclude_if=lambda value: value is None)
    """The canonical JSON of a row of a table (``automl.contracts.table.Row``), whose hash is ``blob``: a million small files
    would serve nobody, so rows stand in the version itself. None of what is no row."""


class VersionManifest(Contract):
    """``version.json``. The id is ``dsv_`` + 26 characters of the hash of all other fields."""

    schema_version: int = 1
    id: str
    parent: str | None
    """The version that this one follows."""
    project: str
    task: str
    task_options: Mapping[str, str] = {}
    """The task's options as the project chose them, e.g. ``{"labels": "several"}``."""
    label_set: LabelSet
    annotation_kinds: tuple[AnnotationKind, ...]
    num_items: int
    num_items_by_split: Mapping[Split, int]
    num_annotations_by_label: Mapping[str, int]
    shards: tuple[str, ...]
    columns: TableSchema | None = Field(default=None, exclude_if=lambda value: value is None)
    """Of a table: how its cells are read, and which column is predicted."""
    content_sha256: str
    """Hash over all item rows in order: see ``content_hash``."""


def split_position(group: str) -> float:
    """Where the hash of a group stands between 0 and 1."""
    digest = hashlib.sha256(b"modelyard-split\0" + group.encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def split_of_group(group: str, shares: SplitShares) -> Split:
    """Chooses the split of a group from its hash alone, so that adding data never moves an item."""
    position = split_position(group)
    if position < shares.test_fraction:
        return Split.TEST
    if position < shares.test_fraction + shares.validation_fraction:
        return Split.VALIDATION
    return Split.TRAIN


def content_hash(records: Iterable[ItemRecord]) -> str:
    """Hashes the rows in the order given; names of files do not count, since the bytes have their own hash, as rows have."""
    digest = hashlib.sha256()
    for record in records:
        row = record.model_dump(mode="json", exclude={"name", "row"})
        digest.update(json.dumps(row, sort_keys=True, separators=(",", ":")).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def version_id(manifest: VersionManifest) -> str:
    """The id that a manifest must carry: same state, same id. The parent does not count."""
    fields = manifest.model_dump(mode="json", exclude={"id", "parent", "shards"})
    digest = hashlib.sha256(json.dumps(fields, sort_keys=True, separators=(",", ":")).encode())
    return f"dsv_{digest.hexdigest()[:26]}"


def blob_path(sha256: str) -> str:
    """Where a blob lies below the version's folder, with forward slashes."""
    return f"blobs/{sha256[:2]}/{sha256[2:4]}/{sha256}"


def record_to_row(record: ItemRecord) -> dict[str, str | int]:
    """The columns of one Parquet row: flat, with the annotations as JSON text; media facts that say nothing have no column."""
    row = record.model_dump(mode="json", exclude={"media", "annotations"})
    annotations = Annotations.dump_json(record.annotations).decode()
    return row | record.media.model_dump(mode="json") | {"annotations": annotations}


def record_from_row(row: Mapping[str, str | int]) -> ItemRecord:
    """The inverse of ``record_to_row``.

    Raises:
        pydantic.ValidationError: the row is no item.
    """
    fields = dict(row)
    media = {name: fields.pop(name) for name in MediaFacts.model_fields if name in fields}
    annotations = Annotations.validate_json(str(fields.pop("annotations")))
    return ItemRecord.model_validate(fields | {"media": media, "annotations": annotations})

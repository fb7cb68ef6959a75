"""What the data endpoints take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import AfterValidator, BaseModel, Field

from automl.contracts.annotation import Annotation, LabelName
from automl.contracts.base import Text
from automl.contracts.dataset import MediaFacts, Split
from automl.contracts.table import Column, Row
from studio.accounts.schemas import ActorOut
from studio.common.paging import PageQuery
from studio.datasets.files.formats import label_is_valid
from studio.datasets.files.limits import LIMITS
from studio.datasets.items.filters import ItemFilter
from studio.datasets.models import ItemState, UploadKind, UploadState
from studio.datasets.uploads.label_files import label_sources
from studio.datasets.versions.split_rule import SplitRule


def _printable(text: str) -> str:
    if not label_is_valid(text.strip()):
        raise ValueError("a label has 1 to 256 characters that can be shown")
    return text.strip()


def _label_source(text: str) -> str:
    if text not in label_sources():
        raise ValueError(f"there is no {text!r}; there are: {', '.join(label_sources())}")
    return text


class ItemOut(BaseModel):
    """One item and what is said of it now."""

    id: str
    dataset: str
    name: str
    blob: str
    media: MediaFacts
    text: str | None
    """Of a text, its first 2,000 characters; the whole is served at ``picture_url``. None of what is no text."""
    row: Row | None
    """Of a row of a table, its cells by column; empty ones are left out. None of what is no row."""
    state: ItemState
    annotations: list[Annotation]
    """Empty while unlabelled, and also when somebody saw that nothing is there: ``state`` tells the two apart."""
    revision: int
    split: Split
    provenance: str
    metadata: dict[str, str | int | float]
    created_at: datetime
    deleted_at: datetime | None
    is_quarantined: bool
    thumbnail_url: str
    picture_url: str


class UploadIn(Schema):
    """A file that a client is about to send in parts."""

    name: Annotated[str, Field(min_length=1, max_length=LIMITS.max_name_chars)]
    size_bytes: Annotated[int, Field(ge=0, le=LIMITS.max_upload_bytes)]
    kind: Literal["file", "archive", "labels_csv", "batch"] = "file"
    relative_path: Annotated[str, Field(max_length=LIMITS.max_name_chars)] = ""
    label: Annotated[LabelName, AfterValidator(_printable)] | None = None
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None


class UploadOut(Schema):
    """How far an upload is and what became of it."""

    id: str
    dataset: str
    name: str
    kind: UploadKind
    state: UploadState
    size_bytes: int
    received_bytes: int
    part_bytes: int
    """How much to send in one part."""
    relative_path: str
    label: str | None
    labels: str
    """`auto`, `none` or a format's name."""
    job: str | None
    num_items: int
    num_duplicates: int
    num_labelled: int
    num_rejected: int
    num_noted: int
    """Files that were taken and of which there is something to tell; they stand among the rejects."""
    sha256: str | None
    """What the client said that the whole hashes to."""
    created_at: datetime
    created_by: ActorOut
    ended_at: datetime | None


class UploadFinishIn(Schema):
    """Where the labels of the upload come from."""

    labels: Annotated[str, AfterValidator(_label_source), Field(max_length=16)] = "none"
    """`auto` recognises the format; `none`; or the name of one of `/api/label-formats`, `folder` and `csv` for two of them."""


class RejectOut(Schema):
    """A file that did not become an item, or what there is to tell of one that did."""

    name: str
    code: str
    reason: Text
    is_note: bool
    """Whether the file was taken: something of what it says was not, or was changed."""


class BatchFileOut(Schema):
    """What became of one file of a batch."""

    path: str
    item: str | None
    state: Literal["new", "duplicate", "unreadable"]
    code: str | None
    reason: Text | None


class BatchOut(Schema):
    """What became of each file of a batch, in the order sent."""

    upload: str
    items: list[BatchFileOut]


class KnownFileIn(Schema):
    """A file that the client has."""

    path: Annotated[str, Field(max_length=4096)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class KnownIn(Schema):
    """Files to ask for, and where their labels would come from."""

    files: Annotated[list[KnownFileIn], Field(max_length=5000)]
    labels: Literal["folder", "none"] = "none"


class KnownOut(Schema):
    """Places of the files in the list asked for that need not be sent."""

    known: list[int]


class FilterQuery(Schema):
    """Which items of a dataset, as query fields; all conditions must be met."""

    where: Literal["present", "deleted", "quarantined"] = "present"
    state: Literal["unlabelled", "annotated", "all"] = "all"
    label: Annotated[list[str], Field(max_length=50, default_factory=list)]
    """Carries at least one of these."""
    without: Annotated[list[str], Field(max_length=50, default_factory=list)]
    """Carries none of these."""
    split: Split | None = None
    by: str | None = None
    """Who said what is said of it."""
    flag: str | None = None
    """Kind of a finding of the quality report."""
    meta: Annotated[list[str], Field(max_length=10, default_factory=list)]
    """Metadata as `name=value`."""
    comments: Literal["open"] | None = None
    """Those that have comments which nobody has resolved."""
    q: str = ""
    """Part of the name."""
    min_score: Annotated[float, Field(ge=0, le=1)] | None = None
    max_score: Annotated[float, Field(ge=0, le=1)] | None = None

    def wanted(self) -> ItemFilter:
        """The filter."""
        return ItemFilter(
            where=self.where,
            state=None if self.state == "all" else self.state,
            labels=tuple(self.label),
            without=tuple(self.without),
            split=self.split,
            by=self.by or None,
            flag=self.flag or None,
            facts=tuple((name, value) for name, _, value in (one.partition("=") for one in self.meta)),
            comments=self.comments,
            text=self.q.replace("\0", ""),
            min_score=self.min_score,
            max_score=self.max_score,
        )


class ItemsQuery(FilterQuery, PageQuery):
    """A page of items. `start` and `stop` are ids of positions: the first that may come, the first that may not."""

    start: str = ""
    stop: str = ""


class PositionsQuery(FilterQuery):
    """Positions among items."""

    cursor: str | None = None


class PositionsOut(Schema):
    """A part of the positions: the first id of each segment, and how many items they hold; all but the last are full."""

    starts: list[str]
    segment: int
    num_items: int
    ids: list[str] | None
    """All items of this part, where matches are far apart: ask for them by name."""
    next_cursor: str | None


class ChoiceOut(Schema):
    """A value to filter by and how many items have it."""

    value: str
    num_items: int


class PersonChoiceOut(ChoiceOut):
    """Who said what is said of items."""

    name: str
    """Empty for what is no person and no key."""


class FacetsOut(Schema):
    """What a dataset can be filtered by."""

    labels: list[ChoiceOut]
    splits: list[ChoiceOut]
    people: list[PersonChoiceOut]
    flags: list[ChoiceOut]
    metadata: list[str]
    """Names; their values are asked for by name."""
    deleted: int
    quarantined: int


class FactValueOut(Schema):
    """A value of metadata. The count stops at `COUNTED_TO`: `is_more` says that there are more."""

    value: str
    num_items: int
    is_more: bool


class ItemsIn(Schema):
    """Items to delete or restore."""

    items: Annotated[list[str], Field(min_length=1, max_length=1000)]


class ItemsChangedOut(Schema):
    """How many items changed."""

    num_items: int


class SummaryOut(Schema):
    """Counts of a dataset."""

    items: int
    annotated: int
    unlabelled: int
    by_label: dict[str, int]
    by_split: dict[Split, int]
    duplicates: int
    rejected: int
    size_bytes: int
    deleted: int
    quarantined: int


class SplitPreviewOut(Schema):
    """Items by split in a version that was cut now."""

    by_split: dict[Split, int]
    is_exact: bool
    """False of large data sets, where the numbers may be off by a few per cent."""
    rule: SplitRule
    """What decided."""
    num_without: int
    """Items without a value of the rule's field: by time they train, by value each is by itself, of names chance decides."""


class SplitFieldsOut(Schema):
    """Columns of a table, or names of metadata, by which the splits can be made."""

    moments: list[str]
    """Of dates and times: by time."""
    values: list[str]
    """By value, and to name splits."""


class VersionOut(Schema):
    """A version without its rows."""

    id: str
    project: str
    number: int
    branch: str
    parent: str | None
    created_at: datetime
    created_by: str
    note: str
    note_restored_number: int | None
    """Of a version that was kept before another was restored, the number of that one, which the note says in English."""
    task: str
    labels: list[str]
    num_items: int
    num_items_by_split: dict[Split, int]
    num_annotations_by_label: dict[str, int]
    columns: list[Column] | None
    """Of a table."""


class VersionItemOut(BaseModel):
    """One row of a version (``automl.contracts.dataset.ItemRecord``), with something to look at."""

    item: str
    name: str
    blob: str
    media: MediaFacts
    split: Split
    group: str
    annotations: list[Annotation]
    provenance: str
    thumbnail_url: str
    text: str | None
    """Of a text, its beginning; None of what is no text."""
    row: Row | None
    """Of a row of a table, its cells by column; None of what is no row."""

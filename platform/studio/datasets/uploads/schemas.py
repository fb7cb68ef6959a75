"""What the endpoints of uploads take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self

from ninja import Schema
from pydantic import AfterValidator, Field, model_validator

from automl.contracts.annotation import LabelName
from automl.contracts.base import Text
from automl.contracts.table import MAX_COLUMNS
from studio.accounts.schemas import ActorOut
from studio.datasets.files.formats import label_is_valid
from studio.datasets.files.limits import LIMITS
from studio.datasets.files.table_options import Encoding, Separator, TableColumns, TableOptions
from studio.datasets.models import UploadKind, UploadState
from studio.datasets.uploads.label_files import label_sources


def _printable(text: str) -> str:
    if not label_is_valid(text.strip()):
        raise ValueError("a label has 1 to 256 characters that can be shown")
    return text.strip()


def _label_source(text: str) -> str:
    if text not in label_sources():
        raise ValueError(f"there is no {text!r}; there are: {', '.join(label_sources())}")
    return text


class UploadIn(Schema):
    """A file that a client is about to send in parts."""

    name: Annotated[str, Field(min_length=1, max_length=LIMITS.max_name_chars)]
    size_bytes: Annotated[int, Field(ge=0, le=LIMITS.max_upload_bytes)]
    kind: Literal["file", "archive", "labels_csv", "batch", "predict"] = "file"
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
    table: TableOptions | None
    """What was said of how its tables are read."""
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
    table: TableOptions | None = None
    """How its tables are read, where what is guessed is wrong (`POST /datasets/{dataset}/uploads/table-preview` shows it)."""


class TablePreviewQuery(Schema):
    """A table that a client is about to send, and what is said of it; fields as of `TableOptions`."""

    name: Annotated[str, Field(min_length=1, max_length=LIMITS.max_name_chars)]
    is_whole: bool = True
    """Whether the body is the whole file; of CSV, TSV and JSON lines the beginning will do."""
    separator: Separator | None = None
    encoding: Encoding | None = None
    has_head: bool | None = None
    sheet: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    decimal: Literal[".", ","] | None = None
    text: Annotated[int, Field(ge=0, lt=MAX_COLUMNS)] | None = None
    """`columns.text`; without it the columns are guessed, and `label` says nothing."""
    label: Annotated[int, Field(ge=0, lt=MAX_COLUMNS)] | None = None

    @model_validator(mode="after")
    def _columns_differ(self) -> Self:
        if self.text is not None and self.text == self.label:
            raise ValueError("one column cannot hold both the texts and their labels")
        return self

    def options(self) -> TableOptions:
        """What is said."""
        return TableOptions(
            separator=self.separator,
            encoding=self.encoding,
            has_head=self.has_head,
            sheet=self.sheet,
            decimal=self.decimal,
            columns=None if self.text is None else TableColumns(text=self.text, label=self.label),
        )


class TablePreviewOut(Schema):
    """How a table would be read."""

    options: TableOptions
    """What was said of it, and what is guessed of the rest; what means nothing to the file is null."""
    offered: list[str]
    """Options that can be said of this file."""
    sheets: list[str]
    """Of an Excel file that has several; all with the columns of the first are read unless one is chosen."""
    columns: list[str]
    """Names, blank where the first row names none."""
    rows: list[list[str]]
    """The first rows behind the head; long cells are cut."""
    is_fit: bool
    """Whether it holds items as it is read."""
    metadata: list[str]
    """Names of columns that become metadata of the items."""


class RejectOut(Schema):
    """A file that did not become an item, with the reason, or a note on one that did."""

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
    """Files to look up, and where their labels would come from."""

    files: Annotated[list[KnownFileIn], Field(max_length=5000)]
    labels: Literal["folder", "none"] = "none"


class KnownOut(Schema):
    """Places in the list of the files that need not be sent."""

    known: list[int]

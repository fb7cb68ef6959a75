"""What an annotation format is, and how one is found.

The formats themselves live in the labelling app, one file each. This app sits below it and must not import it, so the folder to
list is named in settings (``LABEL_FORMATS``). A format says which primitives it can carry and which facts about them survive in
it; whatever else a version holds is named before it is written, so that nothing is lost without a word.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import NamedTuple, Protocol, cast

from django.conf import settings

from automl.contracts.annotation import IGNORED_LABEL, Annotation, AnnotationKind, Box
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, Label, LabelSet, Split
from automl.contracts.modality import Modality
from automl.contracts.table import TableSchema
from automl.contracts.words import Words
from studio.datasets.files.table_options import TableOptions

words = Words(__file__)

_IGNORED_COLOR = "#868e96"
MAX_LABEL_CHARS = 256
"""As ``automl.contracts.annotation.LabelName`` has it."""


def label_is_valid(label: str) -> bool:
    """Whether a text can be a label's name."""
    return 0 < len(label) <= MAX_LABEL_CHARS and label.isprintable()


class Facet(StrEnum):
    """A fact about annotations that not every format has a place for."""

    SPLITS = "splits"
    NEGATIVES = "negatives"
    SCORES = "scores"
    IDS = "ids"
    ATTRIBUTES = "attributes"
    PARTS = "parts"
    HOLES = "holes"
    OUTLINES = "outlines"
    OVERLAPS = "overlaps"
    TEXTS = "texts"
    COLORS = "colors"
    SKELETONS = "skeletons"


LOSSES: dict[Facet, Text] = {facet: words(f"loss.{facet.value}") for facet in Facet}
"""What a format without a place for the fact loses, in words."""
SHAPES: frozenset[AnnotationKind] = frozenset(
    {"box", "rotated_box", "polygon", "polyline", "mask", "keypoints", "span", "relation", "text"}
)
"""Primitives that are objects within an item."""
_CONCERNS: dict[Facet, frozenset[AnnotationKind]] = {
    Facet.IDS: SHAPES,
    Facet.ATTRIBUTES: SHAPES,
    Facet.PARTS: frozenset({"polygon"}),
    Facet.HOLES: frozenset({"polygon"}),
    Facet.OUTLINES: frozenset({"polygon"}),
    Facet.OVERLAPS: frozenset({"mask", "polygon", "span"}),
    Facet.TEXTS: frozenset({"text"}),
    Facet.SKELETONS: frozenset({"keypoints"}),
}


def loss_concerns(loss: Facet, kinds: frozenset[AnnotationKind]) -> bool:
    """Whether a loss can matter to annotations of these kinds."""
    return bool(_CONCERNS.get(loss, kinds) & kinds)


@dataclass(frozen=True)
class LabelFileProblem:
    """Something in the label files that could not be used; ``code`` is a key of ``REASONS``."""

    name: str
    """The place: a file's name, with a line, an index or a count where that helps to find it."""
    code: str
    item: str = ""
    """The data file of which something that is said of it could not be read: it must not count as labelled. Empty: none."""


class SheetRow(NamedTuple):
    """A row of a table as it came; ``line`` counts from 1 as a spreadsheet does, the head included."""

    line: int
    cells: Sequence[str]
    """In the order of the columns; fewer where the rest is empty."""
    split: Split | None = None
    """What the row itself says."""
    target: str = ""
    """What the row says of the target, in place of its cell."""


@dataclass(frozen=True)
class Sheet:
    """A table whose rows are items, read while it is walked: memory holds a few rows."""

    name: str
    """Its rows are called after it: ``sales.csv#12``."""
    columns: tuple[str, ...]
    """Names as the head has them; they may be blank or the same. Empty where there is no head."""
    rows: Iterator[SheetRow | LabelFileProblem] = field(repr=False)
    split: Split | None = None
    """What the name of the file says."""
    fraction: Callable[[], float] = field(default=lambda: 0.0, repr=False)
    """How much of its file has been read, 0..1."""


@dataclass(frozen=True)
class TablePreview:
    """How a table would be read, and its first rows."""

    options: TableOptions
    """What was said of it, and what is guessed of the rest."""
    sheets: tuple[str, ...]
    """Of an Excel file that has several."""
    columns: tuple[str, ...]
    """Names by the first row; blank where it is none."""
    rows: tuple[tuple[str, ...], ...]
    """The first ones behind it."""
    is_fit: bool
    """Whether it holds items as it is read."""
    metadata: tuple[str, ...] = ()
    """Names of columns that become metadata of the items."""

    @classmethod
    def of(
        cls,
        rows: Sequence[Sequence[str]],
        options: TableOptions,
        *,
        sheets: tuple[str, ...],
        most: int,
        is_fit: bool,
        metadata: Sequence[str] = (),
    ) -> TablePreview:
        """Of the first rows, none of them blank."""
        head = rows[0] if rows and options.has_head else ()
        body = [tuple(row) for row in (rows[1:] if options.has_head else rows)][:most]
        width = max(map(len, [head, *body]))
        columns = (*(cell.strip() for cell in head), *[""] * (width - len(head)))
        return cls(options, sheets, columns, tuple(body), is_fit, tuple(metadata))

    def with_options(self, **changes: object) -> TablePreview:
        """The same with other options."""
        return replace(self, options=self.options.model_copy(update=changes))


class TextWithFacts(NamedTuple):
    """A text from a table, with what else stands in its row."""

    name: str
    data: bytes
    facts: Mapping[str, str]


@dataclass
class ParsedLabels:
    """The content of label files. A file that is not in ``annotations`` stays unlabelled; an empty tuple: nothing there."""

    annotations: dict[str, tuple[Annotation, ...]] = field(default_factory=dict)
    predictions: dict[str, tuple[Annotation, ...]] = field(default_factory=dict)
    """A model's annotations of files: proposed where there are none, and never stored as a person's."""
    complaints: list[LabelFileProblem] = field(default_factory=list)
    splits: dict[str, Split] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)
    """Labels that the files describe, by name, in their order: with colours, attributes and skeletons where they tell them."""
    is_relative: bool = False
    """Whether coordinates are fractions of the picture's sides rather than pixels."""
    bounds: dict[Annotation, Box] = field(default_factory=dict)
    """Boxes that the files tell beside an object that is no box."""
    is_semantic: bool = False
    """Whether a mask is all pixels of a label rather than one object, so that no box can stand for it."""
    contents: Iterable[tuple[str, bytes] | TextWithFacts | LabelFileProblem] = ()
    """Name and bytes of data that lies inside the label files, read when asked for."""
    sheets: Iterable[Sheet | LabelFileProblem] = ()
    """Tables whose rows are items, read when asked for, one after the other."""


def reading_whole(reading: ParsedLabels) -> ParsedLabels:
    """What is read without the items of which something could not be read: those stay unlabelled.

    What could be read of them is proposed, so that a person completes it rather than begins anew.
    """
    broken = {one.item for one in reading.complaints if one.item}
    if not broken:
        return reading
    partial = {name: annotations for name, annotations in reading.annotations.items() if name in broken and annotations}
    whole = {name: annotations for name, annotations in reading.annotations.items() if name not in broken}
    return replace(reading, annotations=whole, predictions=partial | reading.predictions)


class ExportedFile(NamedTuple):
    """One file of a download: an item's blob, bytes, or pieces that are made while they are sent."""

    path: str
    data: bytes = b""
    blob: str | None = None
    size_bytes: int = 0
    """Of the blob."""
    chunks: Iterable[bytes] | None = None


ReadBlob = Callable[[str], bytes]
"""Gives a blob's bytes by its hash."""


class LabelFormat(Protocol):
    """One module of the formats folder. A format that is only read has no ``write``.

    One that a kind of items names as its ``table_form`` also has ``preview(name, files, *, most)``, which gives a
    ``TablePreview`` with so many rows, or the ``LabelFileProblem`` why there is none.
    """

    TITLE: Text
    KINDS: frozenset[AnnotationKind]
    """Primitives that it can carry."""
    KEEPS: frozenset[Facet]
    """Facts that survive writing and reading."""
    MEDIA: frozenset[Modality]
    """What the items may be."""

    def is_label_file(self, name: str) -> bool:
        """Whether a file of an upload may carry labels rather than data."""

    def detect(self, names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
        """How sure it is that an upload is of this format, 0..1; 0 means that it is not.

        Args:
            names: the names of all files.
            label_files: name and bytes of files that some format takes for label files; only a few should be looked into.
        """

    def read(self, names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
        """Reads labels. Whatever the files hold, it ends in annotations and complaints, never in an error.

        Args:
            names: the names of all data files.
            label_files: name and bytes of the files that carry labels; looking one up reads it.
        """

    def write(
        self, records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob, **more: TableSchema
    ) -> Iterator[ExportedFile]:
        """Yields the files of a download, data included, without holding the records.

        Args:
            records: the rows of a version; annotations of other kinds than ``KINDS`` are left out.
            labels: the version's label set.
            blob: reads data, for formats that put it into files of their own.
            more: ``columns``, of a version of rows alone.
        """


def format_names(modality: Modality | None = None, *, is_written: bool = False) -> tuple[str, ...]:
    """The formats that exist, in the order of their names.

    Args:
        modality: those that items of it may be in; None: all.
        is_written: those alone that downloads can be in.
    """
    names = _listed(tuple(importlib.import_module(settings.LABEL_FORMATS).__path__))
    fitting = (name for name in names if modality is None or modality in _loaded(name).MEDIA)
    return tuple(name for name in fitting if not is_written or format_is_written(_loaded(name)))


@cache
def _listed(path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules(path) if not module.name.startswith("_")))


def format_is_written(form: LabelFormat) -> bool:
    """Whether downloads can be in a format; the others are only read."""
    return hasattr(form, "write")


def format_load(name: str) -> LabelFormat:
    """Finds a format by its name.

    Raises:
        LookupError: there is no such format; the message lists those that exist.
    """
    known = format_names()
    if name not in known:
        raise LookupError(f"no label format {name!r}; there are: {', '.join(known)}")
    return _loaded(name)


def _loaded(name: str) -> LabelFormat:
    return cast(LabelFormat, importlib.import_module(f"{settings.LABEL_FORMATS}.{name}"))


def format_container(form: LabelFormat) -> str:
    """The archive that a format is packed in: ``zip`` unless it says ``tar``."""
    return str(getattr(form, "CONTAINER", "zip"))


def written_labels(form: LabelFormat, labels: LabelSet, *, has_ignored: bool) -> LabelSet:
    """The labels that a download lists.

    Args:
        form: it is written in.
        labels: of the project or version.
        has_ignored: whether areas are marked that do not count. They are a label to formats that have no value for them.
    """
    is_named = not has_ignored or getattr(form, "HAS_IGNORED_VALUE", False) or IGNORED_LABEL in labels.names
    return labels if is_named else LabelSet(labels=(*labels.labels, Label(name=IGNORED_LABEL, color=_IGNORED_COLOR)))


def format_losses(form: LabelFormat) -> list[Facet]:
    """The facts that a format has no place for."""
    return [facet for facet in Facet if facet not in form.KEEPS]


def format_detect(names: Sequence[str], label_files: Mapping[str, bytes], modality: Modality | None = None) -> str | None:
    """The format that an upload is most likely of; None when none knows it.

    Args:
        names: the names of all files.
        label_files: as ``LabelFormat.detect`` has them.
        modality: of the project: formats that cannot hold such items are not asked.
    """
    found = [(_loaded(name).detect(names, label_files), name) for name in format_names(modality)]
    sure, name = max(found, key=lambda one: (one[0], one[1]))
    return name if sure > 0 else None

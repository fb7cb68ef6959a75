"""What the job ``quality`` reads and writes: the items of a dataset as they stand, what it found on them, and the report.

In: ``data/items.parquet``, one row an item (``QualityItem``), ``data/labels.json``, ``data/blobs`` and, where the platform has
embeddings already, ``data/vectors.npy``. Out: ``artefact/findings.parquet``, one row a finding (``Finding``), and
``artefact/report.json`` (``QualityReport``). A dataset version was decided against as input: items that nobody has labelled
are not in a version, and they are what one wants to look at first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from pydantic import Field, JsonValue, TypeAdapter

from automl.contracts.base import Contract
from automl.contracts.dataset import Split

ITEMS_FILE = "items.parquet"
LABELS_FILE = "labels.json"
"""The project's label set, beside the items."""
COLUMNS_FILE = "columns.json"
"""How the cells of a table are read, beside the items; of others it is not there."""
VECTORS_FILE = "vectors.npy"
"""What the platform has of the items' embeddings: float16, a row an item in the order of the items, NaN where there is none."""
FINDINGS_FILE = "findings.parquet"
QUALITY_REPORT_FILE = "report.json"


class FindingKind(StrEnum):
    """What can be wrong with an item."""

    EXACT_DUPLICATE = "exact_duplicate"
    """The same pixels as another item, in other bytes; the same letters, whatever their case, spaces and punctuation."""
    NEAR_DUPLICATE = "near_duplicate"
    """The same picture as another item: turned, mirrored, resized, compressed anew, cropped or recoloured a little; nearly the
    same words."""
    LEAK = "leak"
    """The same picture or text stands in another split."""
    WRONG_LABEL = "wrong_label"
    """A model that has not seen the item disagrees with its label."""
    OUTLIER = "outlier"
    """Far from everything else."""
    BLURRED = "blurred"
    DARK = "dark"
    BRIGHT = "bright"
    LOW_INFORMATION = "low_information"
    """Next to nothing is to be seen, or to be read."""
    ODD_ASPECT = "odd_aspect"
    ODD_SIZE = "odd_size"
    """Far larger or smaller than the others, or longer or shorter."""
    ODD_COLOUR = "odd_colour"
    """Grey among coloured pictures, or coloured among grey ones."""
    UNREADABLE = "unreadable"
    GARBLED = "garbled"
    """Characters that stand for others, as when a text was read in the wrong encoding."""
    ODD_LANGUAGE = "odd_language"
    """In another script than nearly all others."""


PAIRED = (FindingKind.EXACT_DUPLICATE, FindingKind.NEAR_DUPLICATE, FindingKind.LEAK)
"""Findings whose detail names the ``other`` item and the ``cluster`` that both belong to."""


class QualityItem(Contract):
    """One item, as the job sees it."""

    item: str
    name: str
    blob: str = Field(pattern=r"^[0-9a-f]{64}$")
    width: int = Field(ge=0)
    """0 of what is no picture, as the height."""
    height: int = Field(ge=0)
    size_bytes: int = Field(ge=0)
    split: Split
    group: str
    is_annotated: bool
    labels: tuple[str, ...] = ()
    """That its annotations name."""
    is_whole: bool = True
    """Whether labels describe the item as a whole: others cannot be doubted by looking at all of it."""
    text: str | None = None
    """What a text says, or the canonical JSON of a row; None of a picture, which is read from its blob."""


class Finding(Contract):
    """One thing found on one item; at most one of a kind an item."""

    item: str
    kind: FindingKind
    severity: float = Field(ge=0, le=1)
    detail: Mapping[str, JsonValue]
    """The evidence: ``other``, ``similarity``, ``value`` and ``limit``, ``suggested`` and so on, by kind."""


class Histogram(Contract):
    """Counts between edges; one edge more than counts."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]


class LabelCount(Contract):
    """How many items carry a label, by split."""

    label: str
    num_items: int
    num_items_by_split: Mapping[Split, int]


class NoteCode(StrEnum):
    """Notes on the dataset as a whole."""

    FEW_ITEMS = "few_items"
    IMBALANCE = "imbalance"
    RARE_LABEL = "rare_label"
    UNUSED_LABEL = "unused_label"
    LABEL_NOT_IN_SPLIT = "label_not_in_split"
    NO_WEIGHTS = "no_weights"
    """The features were made by hand, since no pretrained weights were at hand: suspects and outliers are less sure."""
    WEAK_MODEL = "weak_model"
    """The model that judges labels is too often wrong itself to accuse them."""
    NO_SUSPECTS = "no_suspects"
    """Wrong labels were not looked for: too few labelled items, or several labels an item."""
    ROWS_REPEAT = "rows_repeat"
    """So many rows (``value``, a fraction) have the same cells as another that it is the table's nature, and not reported."""
    SAMPLED = "sampled"
    """Doubtful labels and odd items were sought among so many (``value``) drawn at random."""
    WRONG_LABELS_EXPECTED = "wrong_labels_expected"
    """So many labels (``value``) are expected to be wrong; the first ``limit`` suspects can be named with precision."""


class Note(Contract):
    """One remark on the dataset."""

    code: NoteCode
    label: str | None = None
    split: Split | None = None
    value: float | None = None
    """What was counted or measured."""
    limit: float | None = None


class QualityReport(Contract):
    """``report.json``."""

    schema_version: int = 1
    num_items: int
    num_annotated: int
    num_found: Mapping[FindingKind, int]
    """Items by kind of finding; a kind that was looked for and not found counts zero, others are left out."""
    features: str
    """Where feature vectors came from: the asset's name, or ``handmade``, as of rows always."""
    labels: tuple[LabelCount, ...]
    histograms: Mapping[str, Histogram]
    """Of pictures ``megapixels``, ``aspect``, ``brightness``, ``sharpness``, ``contrast``, ``file_kb``; of texts
    ``characters``, ``letters``."""
    notes: tuple[Note, ...]
    limits: Mapping[str, float]
    """The limits that were in force, by kind; some follow from the dataset itself. Of suspects (``wrong_label``) it is the
    belief down to which nine of ten are expected to be wrong."""
    label_error_fraction: float | None = None
    """Estimated share of wrong labels among those judged; None when not looked for."""
    label_error_interval: tuple[float, float] | None = None
    """95% interval of the share (Wilson); None when not looked for, and in older reports."""
    seconds: float
    last_item: str | None = None
    """Id of the newest item that was looked at."""


_Detail: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])
_Labels: TypeAdapter[tuple[str, ...]] = TypeAdapter(tuple[str, ...])


def items_to_columns(items: Iterable[QualityItem]) -> dict[str, list[Any]]:
    """Columns of ``items.parquet``: flat, with the labels as JSON text."""
    rows = [item.model_dump(mode="json") | {"labels": _Labels.dump_json(item.labels).decode()} for item in items]
    return {name: [row[name] for row in rows] for name in QualityItem.model_fields}


def item_from_row(row: Mapping[str, Any]) -> QualityItem:
    """The inverse, one row.

    Raises:
        pydantic.ValidationError: the row is no item.
    """
    return QualityItem.model_validate({**row, "labels": _Labels.validate_json(row["labels"])})


def findings_to_columns(findings: Iterable[Finding]) -> dict[str, list[Any]]:
    """Columns of ``findings.parquet``, with the detail as JSON text."""
    rows = [one.model_dump(mode="json") | {"detail": _Detail.dump_json(dict(one.detail)).decode()} for one in findings]
    return {name: [row[name] for row in rows] for name in Finding.model_fields}


def finding_from_row(row: Mapping[str, Any]) -> Finding:
    """The inverse, one row.

    Raises:
        pydantic.ValidationError: the row is no finding.
    """
    return Finding.model_validate({**row, "detail": _Detail.validate_json(row["detail"])})

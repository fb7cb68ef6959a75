"""An artefact: what training leaves. A directory, portable by construction, without pickles.

::

    artefact.json          ArtefactManifest
    model.onnx             pre- and post-processing inside the graph
    weights.safetensors    to continue training from; a model of rows has none
    tokenizer.json         of a model that reads texts
    pipeline.json          of a model of several graphs: what joins them, see runtime.pipelines; further graphs lie beside it
    samples/               golden inputs: <n>.<suffix> and expected.json (GoldenSample list)
    report.json            Report, see automl.contracts.report
    reference.json         what the items were like that it was judged on, see automl.contracts.reference
    certificate.json       of a model that was made smaller, see automl.contracts.compression
    answers.safetensors    scores of items that were held back (float32 ``_NL``), by split, in the version's order
    MODEL_CARD*.md         a model card a language; written for exports only, which take it along
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from automl.contracts.base import Contract, left_out
from automl.contracts.coverage import Coverage
from automl.contracts.dataset import LabelSet, Split
from automl.contracts.job import TrainConfig
from automl.contracts.table import ColumnKind
from automl.contracts.task import OutputKind

MODEL_FILE = "model.onnx"
WEIGHTS_FILE = "weights.safetensors"
MANIFEST_FILE = "artefact.json"
HASHES_FILE = "hashes.json"
"""SHA-256 of the other files by their paths; older artefacts have none."""
SAMPLES_DIR = "samples"
TOKENIZER_FILE = "tokenizer.json"
PIPELINE_FILE = "pipeline.json"
TEMPLATES_DIR = "templates"
"""Templates of forms in a product, a file each (``runtime.templates``)."""
ANSWERS_FILE = "answers.safetensors"
EXPECTED_FILE = "expected.json"
CARD_FILES = {"en": "MODEL_CARD.md", "zh": "MODEL_CARD.zh-CN.md"}
"""Names of model cards by language."""


class ImageDecode(Contract):
    """How a runtime turns a picture file into the graph's input.

    Decode to RGB uint8 after EXIF orientation, transparency composited over white. The graph itself resizes (antialiased
    bilinear, aspect not kept) and normalises. A runtime may shrink a large picture while decoding, by a whole factor, as long
    as both sides stay at least ``min_side_px``.
    """

    kind: Literal["image"] = "image"
    min_side_px: int = Field(gt=0)
    shrink: int | None = Field(default=None, gt=0, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """The whole factor by which every picture is shrunk, whatever its size, for a model that reads it in tiles."""


class TextDecode(Contract):
    """How a runtime turns a text into the graph's input.

    Decode the file as UTF-8 (a byte order mark is dropped), strip white space at both ends, and let the library ``tokenizers``
    (Rust, Python, C++, JavaScript) give the ids by the file named; it normalises, adds the special tokens and cuts off behind
    ``max_tokens``. Texts of one batch are padded at their end with ``pad_id``, which the graph leaves out; a text without any
    token is one ``pad_id``. JavaScript's library leaves cutting off to its caller: the ids before the last special one go.
    """

    kind: Literal["text"] = "text"
    tokenizer: str = TOKENIZER_FILE
    """In the artefact's folder."""
    max_tokens: int = Field(gt=0)
    pad_id: int = Field(ge=0)


class RowColumn(Contract):
    """A column that the model reads."""

    name: str
    kind: ColumnKind
    decimal: Literal[".", ","] = "."
    units: tuple[str, ...] = ()
    """Spellings of the unit of numbers, first the one to show. A cell may have one before its number or behind it, or none;
    those of three letters and more are the same in any case. Where there are none, signs of currencies and per cent count for
    nothing."""
    datetime_format: str = ""
    choices: tuple[str, ...] = ()
    """Of a category: values that the model has seen, commonest first, at most 100; others are allowed."""
    typical: str = ""
    """A cell to begin a form with: the median or the commonest."""
    known: tuple[str, ...] | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """Of a category: all values that the model has seen, commonest first. A cell that is none of them is read as the one that
    equals it but for case and spaces, and is unseen where there is none. Absent of older models and where there are more than
    2,000: cells are then read as they are, and unseen ones are not reported."""


class RowDecode(Contract):
    """How a runtime turns rows into the graph's inputs.

    Cells are found by the columns' names and read as ``runtime/cells.py`` says. There is an input for each kind of
    which there are columns, with one place a column in the order of ``columns``: ``numbers`` float32 (NaN is missing),
    ``datetimes`` int64 (seconds since 1970, the least int64 is missing), ``categories`` and ``texts`` string (empty: missing).
    A column that a row does not have is missing; one that the model does not know is left alone.
    """

    kind: Literal["row"] = "row"
    columns: tuple[RowColumn, ...] = Field(min_length=1)
    target: str
    """Name of what is predicted."""


class TensorSpec(Contract):
    """One input or output of the graph."""

    name: str
    dtype: Literal["uint8", "float32", "int64", "string"]
    axes: tuple[str | int, ...]
    """A name for an axis that may vary, a number for a fixed one."""
    unit: str
    """What a value means, e.g. ``sRGB 0..255`` or ``probability 0..1``."""


class Licence(Contract):
    """A part of the artefact that somebody else's licence covers."""

    part: str
    spdx: str
    source: str


class Lineage(Contract):
    """Where the artefact comes from."""

    project: str | None = None
    study: str | None = None
    trial: str | None = None
    teacher: str | None = Field(default=None, exclude_if=lambda value: value is None)
    """The model that taught this one (``distillation.json``)."""
    members: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Trials whose answers this model is the mean of, or the one that it learned anew from more items."""
    parent: str | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """The model that this one was made from, smaller."""
    method: str | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """By which it was made smaller: a package of ``engine/compress/methods/``."""
    job: str
    dataset_version: str
    code: str
    """Version of Modelyard."""
    seed: int


class GalleryState(Contract):
    """A gallery at a moment."""

    id: str
    revision: int = Field(ge=0)
    """Grows with every change of the gallery that changes answers."""


class ArtefactManifest(Contract):
    """``artefact.json``."""

    schema_version: int = 1
    task: str
    output: OutputKind
    decode: Annotated[ImageDecode | TextDecode | RowDecode, Field(discriminator="kind")]
    files: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Names of the files beside the graph that answering takes: ``pipeline.json`` and the graphs that it names."""
    pipeline: str | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """Kind of the pipeline; None where there is none, or where the kind of answers says which."""
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    label_set: LabelSet
    thresholds: Mapping[str, float]
    """Recommended score by label. For ``class_scores`` those of two labels add up to one, so that an item reaches one of them;
    empty there where the best label is predicted. For ``vector`` the least similarity of two items that are taken for the same,
    by the share of pairs of different things that reach it (``"0.01"``)."""
    coverage: Coverage | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """By which answers say whether to ask a person, or how far off a number may be; None where nobody chose any."""
    gallery: GalleryState | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """Of a product alone: with the names of which gallery, as it was then, the model answers; None with its own answers."""
    metrics: Mapping[Split, Mapping[str, float]]
    intervals: Mapping[Split, Mapping[str, tuple[float, float]]] = Field(
        default={}, exclude_if=lambda value: not value, json_schema_extra=left_out
    )
    """95% intervals of the metrics; none in artefacts from before they were kept here."""
    num_judged: Mapping[Split, int] = Field(default={}, exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Items of each split that the metrics are of."""
    tolerance: float = Field(gt=0)
    """Largest difference of a score, or of a number, from the golden sample that a runtime may show."""
    train: TrainConfig
    """Of a mean: that of its first member."""
    learned: tuple[Split, ...] = Field(
        default=(Split.TRAIN,), exclude_if=lambda value: value == (Split.TRAIN,), json_schema_extra=left_out
    )
    """What the weights come from; on none of it can the model be judged."""
    lineage: Lineage
    licences: tuple[Licence, ...] = ()
    created_at: datetime


Detection = tuple[float, float, float, float, float, int]
"""x, y, width, height as fractions of the picture, score, index of the label."""


class GoldenMask(Contract):
    """The planes of a graph that answers with a label a pixel."""

    height: int = Field(gt=0)
    width: int = Field(gt=0)
    segments: tuple[tuple[int, str, float], ...]
    """Index of the label, its pixels as COCO's compressed run lengths column by column, mean score of those pixels; by label,
    and only of labels that hold a pixel."""


class GoldenHeatMap(Contract):
    """The plane of a graph that says how unlike the normal pictures each place is."""

    height: int = Field(gt=0)
    width: int = Field(gt=0)
    values: tuple[float, ...]
    """Row by row, 0..1."""


class GoldenInstances(Contract):
    """The masks of a graph that answers with single objects."""

    side: int = Field(gt=0)
    """Cells of a mask's side."""
    masks: tuple[tuple[str, float], ...]
    """Of each row of ``detections``: the cells that are likely to show the object (at least one half) as COCO's compressed run
    lengths column by column, and the mean of all cells, 0..1."""


class GoldenLine(Contract):
    """A line of text."""

    corners: tuple[float, ...] = Field(min_length=8, max_length=8)
    """x and y of each as fractions of the picture, from where the text begins."""
    score: float
    text: str


class GoldenSample(Contract):
    """An input and what the torch model predicted for it."""

    file: str
    """Below ``samples/``."""
    scores: tuple[float, ...]
    """One a label, in the label set's order, or the one number that is predicted; empty where the model answers with boxes,
    a mask, a heat map or a vector."""
    detections: tuple[Detection, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """The rows of the graph's output that hold a box, best first."""
    mask: GoldenMask | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """Where the model answers with a label a pixel."""
    instances: GoldenInstances | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """Where the model answers with single objects: the masks of ``detections``."""
    heat_map: GoldenHeatMap | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """Where the model answers with a heat map."""
    quads: tuple[GoldenLine, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Where the model answers with lines of text."""
    vector: tuple[float, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Where the model answers with a vector: its numbers."""


class GoldenSamples(Contract):
    """``samples/expected.json``."""

    schema_version: int = 1
    labels: tuple[str, ...] = ()
    """Names in the order of the scores, so that a swapped label shows; empty means the manifest's own order."""
    samples: tuple[GoldenSample, ...] = Field(min_length=1)

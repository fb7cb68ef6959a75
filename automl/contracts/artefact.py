"""An artefact: what training leaves. A directory, portable by construction, without pickles.

::

    artefact.json          ArtefactManifest
    model.onnx             pre- and post-processing inside the graph
    weights.safetensors    to continue training from
    tokenizer.json         of a model that reads texts
    samples/               golden inputs: <n>.<suffix> and expected.json (GoldenSample list)
    report.json            Report
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from automl.contracts.annotation import Annotation
from automl.contracts.base import Contract, left_out
from automl.contracts.dataset import LabelSet, Split
from automl.contracts.job import TrainConfig
from automl.contracts.task import OutputKind

MODEL_FILE = "model.onnx"
WEIGHTS_FILE = "weights.safetensors"
MANIFEST_FILE = "artefact.json"
REPORT_FILE = "report.json"
SAMPLES_DIR = "samples"
TOKENIZER_FILE = "tokenizer.json"
EXPECTED_FILE = "expected.json"


class ImageDecode(Contract):
    """How a runtime turns a picture file into the graph's input.

    Decode to RGB uint8 after EXIF orientation, transparency laid over white. The graph itself resizes (antialiased bilinear,
    aspect not kept) and normalises. A runtime may shrink a large picture while decoding, by a whole factor, as long as both
    sides stay at least ``min_side_px``.
    """

    kind: Literal["image"] = "image"
    min_side_px: int = Field(gt=0)


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


class TensorSpec(Contract):
    """One input or output of the graph."""

    name: str
    dtype: Literal["uint8", "float32", "int64"]
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
    job: str
    dataset_version: str
    code: str
    """Version of Modelyard."""
    seed: int


class ArtefactManifest(Contract):
    """``artefact.json``."""

    schema_version: int = 1
    task: str
    output: OutputKind
    decode: Annotated[ImageDecode | TextDecode, Field(discriminator="kind")]
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    label_set: LabelSet
    thresholds: Mapping[str, float]
    """Recommended score by label for ``label_scores`` and ``boxes``; empty for ``class_scores``."""
    metrics: Mapping[Split, Mapping[str, float]]
    tolerance: float = Field(gt=0)
    """Largest difference of a score from the golden sample that a runtime may show."""
    train: TrainConfig
    lineage: Lineage
    licences: tuple[Licence, ...] = ()
    created_at: datetime


Detection = tuple[float, float, float, float, float, int]
"""x, y, width, height as fractions of the picture, score, index of the label."""


class GoldenSample(Contract):
    """An input and what the torch model said of it."""

    file: str
    """Below ``samples/``."""
    scores: tuple[float, ...]
    """One a label, in the label set's order; empty where the model answers with boxes."""
    detections: tuple[Detection, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """The rows of the graph's output that hold a box, best first."""


class GoldenSamples(Contract):
    """``samples/expected.json``."""

    schema_version: int = 1
    labels: tuple[str, ...] = ()
    """Names in the order of the scores, so that a swapped label shows; empty means the manifest's own order."""
    samples: tuple[GoldenSample, ...] = Field(min_length=1)


class ClassMetrics(Contract):
    """How one label fares."""

    label: str
    precision: float
    recall: float
    f1: float
    support: int
    """Items that carry the label; boxes of it where the task draws boxes."""
    average_precision: float | None = None
    """Mean precision over recall at an overlap of one half, 0..1, where the task ranks what it finds."""


class PrecisionRecall(Contract):
    """What one label's score threshold buys: points from the highest score to the lowest, all of one length."""

    label: str
    recall: tuple[float, ...]
    precision: tuple[float, ...]
    score: tuple[float, ...]


class SizeMetrics(Contract):
    """How objects of one size fare, whatever their label."""

    size: Literal["small", "medium", "large"]
    """By the area of the true box in pixels of its picture, as COCO has it: up to 32 x 32, up to 96 x 96, and above."""
    support: int
    """True boxes of that size."""
    average_precision: float
    """COCO's for the size, 0..1: averaged over overlaps from 0.50 to 0.95 and over the labels that occur."""


class CurvePoint(Contract):
    """One point of a learning curve."""

    step: int
    epoch: float
    split: Split
    values: Mapping[str, float]


class JudgedItem(Contract):
    """One item with truth and answer, so that every number of a report can be clicked through to pictures."""

    item: str
    truth: tuple[Annotation, ...]
    prediction: tuple[Annotation, ...]
    """What the model said with scores, best first: at most five labels, or all boxes that are kept."""
    loss: float
    matches: tuple[tuple[int, int], ...] = ()
    """Which truth (index) was found by which prediction (index) that passes its threshold; where objects are drawn."""


class SplitReport(Contract):
    """The evaluation of one split."""

    split: Split
    num_items: int
    metrics: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    """95% intervals; how each is found, the task's metrics say."""
    per_class: tuple[ClassMetrics, ...]
    per_size: tuple[SizeMetrics, ...] = ()
    """From small to large, sizes that occur; where objects are drawn."""
    confusion: tuple[tuple[int, ...], ...] = ()
    """Rows are truth, columns are answers, both in the label set's order; empty where an item may carry several labels."""
    precision_recall: tuple[PrecisionRecall, ...] = ()
    """A curve a label where the task ranks what it finds."""
    items: tuple[JudgedItem, ...]
    """All items of the split."""


class Report(Contract):
    """``report.json``."""

    schema_version: int = 1
    labels: tuple[str, ...]
    splits: tuple[SplitReport, ...]
    curves: tuple[CurvePoint, ...]
    train_seconds: float
    latency_ms: float
    """Median time of one answer of the ONNX model on the training host, one thread."""
    model_bytes: int

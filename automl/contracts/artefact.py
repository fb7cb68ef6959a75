"""An artefact: what training leaves. A directory, portable by construction, without pickles.

::

    artefact.json          ArtefactManifest
    model.onnx             pre- and post-processing inside the graph
    weights.safetensors    to continue training from
    samples/               golden inputs: <n>.<suffix> and expected.json (GoldenSample list)
    report.json            Report
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import Field

from automl.contracts.annotation import Annotation
from automl.contracts.base import Contract
from automl.contracts.dataset import LabelSet, Split
from automl.contracts.job import TrainConfig
from automl.contracts.task import OutputKind

MODEL_FILE = "model.onnx"
WEIGHTS_FILE = "weights.safetensors"
MANIFEST_FILE = "artefact.json"
REPORT_FILE = "report.json"
SAMPLES_DIR = "samples"
EXPECTED_FILE = "expected.json"


class ImageDecode(Contract):
    """How a runtime turns a picture file into the graph's input.

    Decode to RGB uint8 after EXIF orientation, transparency laid over white. The graph itself resizes (antialiased bilinear,
    aspect not kept) and normalises. A runtime may shrink a large picture while decoding, by a whole factor, as long as both
    sides stay at least ``min_side_px``.
    """

    kind: Literal["image"] = "image"
    min_side_px: int = Field(gt=0)


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
    decode: ImageDecode
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    label_set: LabelSet
    thresholds: Mapping[str, float]
    """Recommended score by label for ``label_scores``; empty for ``class_scores``."""
    metrics: Mapping[Split, Mapping[str, float]]
    tolerance: float = Field(gt=0)
    """Largest difference of a score from the golden sample that a runtime may show."""
    train: TrainConfig
    lineage: Lineage
    licences: tuple[Licence, ...] = ()
    created_at: datetime


class GoldenSample(Contract):
    """An input and what the torch model said of it."""

    file: str
    """Below ``samples/``."""
    scores: tuple[float, ...]
    """One a label, in the label set's order."""


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
    """Items that carry the label."""


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
    """Labels with scores, best first, at most five."""
    loss: float


class SplitReport(Contract):
    """The evaluation of one split."""

    split: Split
    num_items: int
    metrics: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    """95% intervals; how each is found, the task's metrics say."""
    per_class: tuple[ClassMetrics, ...]
    confusion: tuple[tuple[int, ...], ...] = ()
    """Rows are truth, columns are answers, both in the label set's order; empty where an item may carry several labels."""
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

"""The model as it is shipped: two graphs, one that finds lines and one that reads them; ``pipeline.json`` joins them."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.artefact import ImageDecode, TensorSpec
from automl.contracts.task import OutputKind
from runtime.answers.quads import MAX_LINES, ROW_LENGTH

MIN_SIDE_PX = 1536
"""A runtime shrinks only pictures that are at least twice as large while it decodes them: small print stays legible."""


def decode() -> ImageDecode:
    """How a runtime turns a file into the input."""
    return ImageDecode(min_side_px=MIN_SIDE_PX)


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What the numbers mean."""
    del options
    return OutputKind.QUADS


def inputs() -> tuple[TensorSpec, ...]:
    """What the pipeline takes."""
    return (TensorSpec(name="picture", dtype="uint8", axes=("batch", "height", "width", 3), unit="sRGB 0..255"),)


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """What the pipeline gives."""
    del num_labels
    unit = "x and y of four corners as fractions of the picture, score, characters as Unicode numbers"
    return (TensorSpec(name="lines", dtype="float32", axes=("batch", MAX_LINES, ROW_LENGTH), unit=unit),)

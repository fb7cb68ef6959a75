"""The model as it is shipped: cells in, scores or a number out. What stands in between is written by ``engine.table.graph``."""

from __future__ import annotations

from automl.contracts.artefact import RowColumn, RowDecode, TensorSpec
from automl.contracts.table import ColumnKind
from engine.tasks.tabular_prediction.options import output_kind

__all__ = ["INPUTS", "decode", "inputs", "output_kind", "outputs"]

INPUTS = {
    ColumnKind.NUMBER: ("numbers", "float32", "as in the table; NaN is missing"),
    ColumnKind.DATETIME: ("datetimes", "int64", "seconds since 1970; the least int64 is missing"),
    ColumnKind.CATEGORY: ("categories", "string", "values; empty is missing"),
    ColumnKind.TEXT: ("texts", "string", "texts; empty is missing"),
}
"""By kind of column: the graph's input, its dtype, and what a value means (``RowDecode``)."""


def decode(columns: tuple[RowColumn, ...], target: str) -> RowDecode:
    """How a runtime turns rows into the inputs."""
    return RowDecode(columns=columns, target=target)


def inputs(columns: tuple[RowColumn, ...]) -> tuple[TensorSpec, ...]:
    """The graph's inputs: one a kind of which there are columns."""
    found = []
    for kind, (name, dtype, unit) in INPUTS.items():
        width = sum(column.kind is kind for column in columns)
        if width:
            found.append(TensorSpec.model_validate({"name": name, "dtype": dtype, "axes": ("batch", width), "unit": unit}))
    return tuple(found)


def outputs(num_labels: int, *, target: str = "") -> tuple[TensorSpec, ...]:
    """The graph's outputs; without labels it is the one number."""
    if num_labels:
        return (TensorSpec(name="scores", dtype="float32", axes=("batch", num_labels), unit="probability 0..1"),)
    return (TensorSpec(name="value", dtype="float32", axes=("batch", 1), unit=f"as {target}" if target else "as the target"),)

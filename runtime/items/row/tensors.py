"""Rows as tensors of the Open Inference Protocol: a JSON object each in one tensor, or a tensor a column."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from typing import Any

from ...cells import Cell
from ...protocol_errors import InferenceInvalidError, TensorInvalidError
from ...tensors import BYTES, Tensor, TensorSpec, strings_of
from .rows import INPUTS, NUMBER, RowCells

WHOLE = "row"
"""The tensor of whole rows."""


def tensor_specs(decode: Mapping[str, Any]) -> list[TensorSpec]:
    """The tensor of whole rows, and one a column; columns that are called as one of the graph's inputs have none.

    Args:
        decode: what a manifest says of rows.
    """
    columns = [entry for entry in decode["columns"] if entry["name"] not in {WHOLE, *INPUTS.values()}]
    return [
        TensorSpec(WHOLE, BYTES, (-1,)),
        *(TensorSpec(each["name"], "FP32" if each["kind"] == NUMBER else BYTES, (-1, 1)) for each in columns),
    ]


def rows_of_tensors(tensors: Mapping[str, Tensor], columns: Collection[str]) -> list[RowCells] | None:
    """The rows of a request; None where no tensor is one of rows or of a column.

    A number that is none, a null or an empty string is a missing cell; a column that is left out is missing in every row.

    Raises:
        InferenceInvalidError: whole rows and other tensors stand side by side.
        TensorInvalidError: a row is no JSON object, or a tensor is no column, of another length, or no UTF-8.
    """
    if WHOLE in tensors and WHOLE not in columns:
        if len(tensors) > 1:
            raise InferenceInvalidError(f"{WHOLE} stands alone; the other inputs are columns, or the graph's own tensors")
        return [_row(value) for value in strings_of(WHOLE, tensors[WHOLE])]
    if not any(name in columns for name in tensors):
        return None
    cells = {name: _cells(name, tensor, columns) for name, tensor in tensors.items()}
    sizes = {len(values) for values in cells.values()}
    if len(sizes) > 1:
        raise TensorInvalidError("the columns have different numbers of rows")
    return [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]


def _cells(name: str, tensor: Tensor, columns: Collection[str]) -> list[Cell]:
    if name not in columns:
        raise TensorInvalidError(f"the model reads no column {name}"[:300])
    if tensor.size != len(tensor):
        raise TensorInvalidError(f"{name} is a column: its shape is [rows] or [rows, 1], not {list(tensor.shape)}"[:300])
    if tensor.dtype.kind == "f":
        # With as many digits as tell a number from its neighbours in float32.
        return [None if math.isnan(value) else float(str(value)) for value in tensor.ravel()]
    if tensor.dtype.kind in "iu":
        numbers: list[Cell] = tensor.ravel().tolist()
        return numbers
    try:
        return [value.decode() for value in strings_of(name, tensor)]
    except UnicodeDecodeError as error:
        raise TensorInvalidError(f"{name}: a string is not UTF-8: {error.reason}"[:300]) from error


def _row(data: bytes) -> dict[str, Any]:
    try:
        row = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise TensorInvalidError(f"a row is not JSON: {error}") from error
    if not isinstance(row, dict):
        raise TensorInvalidError("a row is JSON but no object")
    return row

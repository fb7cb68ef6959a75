"""Tensors of the Open Inference Protocol (KServe v2): as JSON, and as bytes behind the JSON (binary tensor data extension).

A string of a BYTES tensor stands behind four bytes with its length, the least significant first.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .protocol_errors import InferenceInvalidError, TensorInvalidError

BYTES = "BYTES"
DATATYPES: dict[str, Any] = {"BOOL": np.bool_, "UINT8": np.uint8, "INT64": np.int64, "FP32": np.float32, BYTES: np.object_}
OF_MANIFEST = {"uint8": "UINT8", "int64": "INT64", "float32": "FP32", "string": BYTES}
"""Datatypes by what a manifest calls them."""
MAX_AXES = 8
_LENGTH = struct.Struct("<I")

Tensor = NDArray[Any]


class TensorSpec(NamedTuple):
    """What the protocol says of a tensor."""

    name: str
    datatype: str
    shape: tuple[int, ...]
    """Sizes of its axes, items along the first; -1 where a size is not fixed."""

    def fields(self) -> dict[str, Any]:
        """As its JSON."""
        return {"name": self.name, "datatype": self.datatype, "shape": list(self.shape)}


def graph_specs(entries: Sequence[Mapping[str, Any]]) -> list[TensorSpec]:
    """Inputs or outputs of a graph, as the protocol says them.

    Args:
        entries: of a manifest: name, dtype and axes each.
    """
    return [
        TensorSpec(
            each["name"], OF_MANIFEST[each["dtype"]], tuple(axis if isinstance(axis, int) else -1 for axis in each["axes"])
        )
        for each in entries
    ]


def body_split(body: bytes, json_bytes: int | None) -> tuple[dict[str, Any], bytes]:
    """The JSON of a request and the bytes behind it.

    Args:
        body: of the request.
        json_bytes: how many of it are JSON, as ``Inference-Header-Content-Length`` says; None: all.

    Raises:
        InferenceInvalidError: it is no JSON object, or shorter than declared.
    """
    if json_bytes is not None and not 0 <= json_bytes <= len(body):
        raise InferenceInvalidError(f"Inference-Header-Content-Length is {json_bytes}, but the body has {len(body)} bytes")
    try:
        fields = json.loads(body[:json_bytes])
    except (ValueError, RecursionError) as error:
        raise InferenceInvalidError(f"the body is not JSON: {error}") from error
    if not isinstance(fields, dict) or not isinstance(fields.get("inputs"), list) or not fields["inputs"]:
        raise InferenceInvalidError("the body has no list inputs")
    return fields, b"" if json_bytes is None else body[json_bytes:]


def tensors_read(entries: Sequence[Any], behind: bytes) -> dict[str, Tensor]:
    """The tensors of a request by their names; strings are ``bytes`` objects.

    Raises:
        TensorInvalidError: one is not by the protocol.
    """
    found: dict[str, Tensor] = {}
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            raise TensorInvalidError("an input has no name")
        name, parameters = entry["name"], entry.get("parameters") or {}
        shape, datatype = _shape(entry), entry.get("datatype")
        if datatype not in DATATYPES:
            raise TensorInvalidError(f"{name}: datatype is one of {', '.join(DATATYPES)}, not {datatype!r}")
        size = parameters.get("binary_data_size") if isinstance(parameters, dict) else None
        if size is None:
            found[name] = _from_json(name, entry.get("data"), datatype, shape)
            continue
        if not isinstance(size, int) or not 0 <= size <= len(behind):
            raise TensorInvalidError(f"{name}: binary_data_size is {size!r}, but {len(behind)} bytes are left")
        found[name], behind = _from_bytes(name, behind[:size], datatype, shape), behind[size:]
    return found


def tensor_serialise(name: str, tensor: Tensor, *, is_binary: bool) -> tuple[dict[str, Any], bytes]:
    """An output's entry, and its bytes behind the JSON where it is asked for so; texts are ``str`` objects."""
    datatype = datatype_of(tensor)
    entry: dict[str, Any] = {"name": name, "shape": list(tensor.shape), "datatype": datatype}
    values = tensor.ravel()
    if not is_binary:
        numbers = values.tolist()
        return {**entry, "data": [_finite(value) for value in numbers] if datatype == "FP32" else numbers}, b""
    if datatype == BYTES:
        data = b"".join(_LENGTH.pack(len(text)) + text for text in (value.encode() for value in values))
    else:
        data = np.ascontiguousarray(values, dtype=np.dtype(DATATYPES[datatype]).newbyteorder("<")).tobytes()
    return {**entry, "parameters": {"binary_data_size": len(data)}}, data


def datatype_of(tensor: Tensor) -> str:
    """What the protocol calls a tensor's type."""
    return {"b": "BOOL", "u": "UINT8", "i": "INT64", "f": "FP32"}.get(tensor.dtype.kind, BYTES)


def strings_of(name: str, tensor: Tensor) -> list[bytes]:
    """The strings of a tensor, whatever its axes.

    Raises:
        TensorInvalidError: it is of another type.
    """
    if datatype_of(tensor) != BYTES:
        raise TensorInvalidError(f"{name} is {BYTES}, not {datatype_of(tensor)}")
    values: list[bytes] = tensor.ravel().tolist()
    return values


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _shape(entry: Mapping[str, Any]) -> tuple[int, ...]:
    shape = entry.get("shape")
    is_right = isinstance(shape, list) and 0 < len(shape) <= MAX_AXES
    if not is_right or not all(type(size) is int and 0 <= size < 2**31 for size in shape or ()):
        raise TensorInvalidError(f"{entry['name']}: shape is a list of 1 to {MAX_AXES} whole numbers, not {shape!r}"[:300])
    return tuple(shape or ())


def _from_json(name: str, data: object, datatype: str, shape: tuple[int, ...]) -> Tensor:
    if not isinstance(data, list):
        raise TensorInvalidError(f"{name}: there is no list data")
    try:
        if datatype == BYTES:
            tensor = np.array([_encoded(value) for value in _flat(data)], dtype=np.object_)
        else:
            tensor = np.array(_numbers(_flat(data), datatype), dtype=DATATYPES[datatype])
    except (ValueError, TypeError, OverflowError) as error:
        raise TensorInvalidError(f"{name}: data does not fit {datatype}: {error}"[:300]) from error
    return _shaped(name, tensor, shape)


def _numbers(values: Sequence[object], datatype: str) -> list[Any]:
    if datatype == "FP32":
        return [math.nan if value is None else value for value in values]
    if datatype == "BOOL":
        if not all(type(value) is bool for value in values):
            raise ValueError("a value is neither true nor false")
    elif not all(type(value) is int for value in values):
        raise ValueError("a value is no whole number")
    return list(values)


def _encoded(value: object) -> bytes:
    if not isinstance(value, str):
        raise TypeError("a value is no string")
    return value.encode()


def _flat(data: list[Any]) -> list[Any]:
    """Lists in lists are allowed where the tensor has several axes."""
    for _ in range(MAX_AXES):
        if not data or not isinstance(data[0], list):
            return data
        if not all(isinstance(each, list) for each in data):
            raise ValueError("lists and values stand side by side")
        data = [value for each in data for value in each]
    raise ValueError("the lists are too deep")


def _from_bytes(name: str, data: bytes, datatype: str, shape: tuple[int, ...]) -> Tensor:
    if datatype != BYTES:
        dtype = np.dtype(DATATYPES[datatype]).newbyteorder("<")
        if len(data) % dtype.itemsize:
            raise TensorInvalidError(f"{name}: {len(data)} bytes hold no whole number of values")
        return _shaped(name, np.frombuffer(data, dtype=dtype), shape)
    values, place = [], 0
    while place < len(data):
        (length,) = _LENGTH.unpack_from(data, place) if place + 4 <= len(data) else (len(data),)
        if place + 4 + length > len(data):
            raise TensorInvalidError(f"{name}: a string is longer than the bytes that are left")
        values.append(data[place + 4 : place + 4 + length])
        place += 4 + length
    tensor: Tensor = np.empty(len(values), dtype=np.object_)
    tensor[:] = values
    return _shaped(name, tensor, shape)


def _shaped(name: str, tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    if tensor.size != math.prod(shape) or tensor.size == 0:
        raise TensorInvalidError(f"{name}: {tensor.size:,} values do not fill the shape {list(shape)}")
    return tensor.reshape(shape)

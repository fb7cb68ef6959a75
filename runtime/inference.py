"""The Open Inference Protocol (KServe v2): what a model takes and gives, and one request answered.

A model takes the tensors of its graph, or one input of encoded items: ``image`` (files, in JSON as base64), ``text``, or
``row`` (a JSON object each). It gives the tensor of its graph, whatever thresholds the deployment has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .calls import Answered
from .predictor import Predictor
from .protocol_errors import InferenceInvalidError, ItemsTooManyError, TensorInvalidError
from .responses import JSON, Header, json_bytes
from .state import Deployment
from .tensors import BYTES, OF_GRAPH, Tensor, body_split, tensor_written, tensors_read

SERVER_PREFIX = "/v2"
MODELS_PREFIX = "/v2/models/"
EXTENSIONS = ("binary_tensor_data",)
VERSION = "2"
PLATFORM = "onnxruntime_onnx"


class Route(NamedTuple):
    """What an address of the protocol asks of a model."""

    name: str
    version: str | None
    action: Literal["infer", "ready", ""]


def inference_route(path: str) -> Route | None:
    """``/v2/models/<name>[/versions/<version>][/infer|/ready]``; None where it is another address."""
    name, *rest = path[len(MODELS_PREFIX) :].split("/")
    version = None
    if rest[:1] == ["versions"] and len(rest) > 1:
        version, rest = rest[1], rest[2:]
    if not name or len(rest) > 1:
        return None
    match rest:
        case []:
            return Route(name, version, "")
        case ["infer"]:
            return Route(name, version, "infer")
        case ["ready"]:
            return Route(name, version, "ready")
    return None


def server_answer(path: str, *, is_ready: bool) -> tuple[int, list[Header], bytes] | None:
    """What the server says of itself; None where it is another address."""
    if path == SERVER_PREFIX:
        return 200, [JSON], json_bytes({"name": "modelyard", "version": VERSION, "extensions": EXTENSIONS})
    if path == "/v2/health/live":
        return 200, [JSON], json_bytes({"live": True})
    if path == "/v2/health/ready":
        return 200 if is_ready else 503, [JSON], json_bytes({"ready": is_ready})
    return None


@dataclass(slots=True)
class InferRequest:
    """What the caller asks."""

    id: str | None
    tensors: Mapping[str, Tensor]
    is_binary: bool
    """Whether the answer's values stand as bytes behind its JSON."""
    is_encoded_binary: bool
    """Whether strings came as bytes: then pictures are files, not base64."""


def model_metadata(deployment: Deployment, predictor: Predictor) -> dict[str, Any]:
    """What the protocol says of a model; the labels stand in ``parameters``, in the order of the scores."""
    settings = deployment.settings
    inputs = [
        {"name": each.name, "datatype": OF_GRAPH[each.type], "shape": [_size(size) for size in each.shape]}
        for each in predictor.graph_inputs
    ]
    output = predictor.graph_output
    return {
        "name": settings.slug,
        "versions": [settings.artefact, *(variant.artefact for variant in settings.variants)],
        "platform": PLATFORM,
        "inputs": [{"name": predictor.items.name, "datatype": BYTES, "shape": [-1]}, *inputs],
        "outputs": [{"name": output.name, "datatype": "FP32", "shape": [_size(size) for size in output.shape]}],
        "parameters": {"labels": list(predictor.labels)},
    }


def infer_parse(body: bytes, json_bytes: int | None, predictor: Predictor) -> InferRequest:
    """Reads a request.

    Raises:
        InferenceInvalidError, TensorInvalidError: it is not by the protocol, or asks for an output that there is not.
    """
    fields, behind = body_split(body, json_bytes)
    parameters = fields.get("parameters")
    is_binary = isinstance(parameters, dict) and parameters.get("binary_data_output") is True
    known = predictor.graph_output.name
    outputs = fields.get("outputs") or []
    if not isinstance(outputs, list) or not all(isinstance(each, dict) for each in outputs):
        raise InferenceInvalidError("outputs is a list of objects")
    for output in outputs:
        if output.get("name") != known:
            raise InferenceInvalidError(f"there is no output {output.get('name')!r}; the model gives {known}")
        wanted = output.get("parameters")
        is_binary = wanted.get("binary_data", is_binary) is True if isinstance(wanted, dict) else is_binary
    identity = fields.get("id")
    if identity is not None and not isinstance(identity, str):
        raise InferenceInvalidError("id is a string")
    return InferRequest(identity, tensors_read(fields["inputs"], behind), is_binary, json_bytes is not None)


def infer_answer(predictor: Predictor, deployment: Deployment, request: InferRequest) -> tuple[Tensor, list[Answered]]:
    """Answers one request; runs in any thread.

    Returns:
        The graph's output, and what the log says of each item.

    Raises:
        RuntimeFault: the tensors do not fit the graph, or an item cannot be read.
    """
    name = predictor.items.name
    if name in request.tensors:
        if len(request.tensors) > 1:
            raise InferenceInvalidError(f"{name} stands alone; the other inputs are the graph's own tensors")
        output = _items_run(predictor, deployment, request)
    else:
        output = _graph_run(predictor, deployment, request.tensors)
    thresholds = deployment.settings.thresholds
    judged = [predictor.judge(answer, thresholds) for answer in output]
    return output, [Answered((), best, uncertainty, (), None) for best, uncertainty in judged]


def infer_written(deployment: Deployment, request: InferRequest, name: str, output: Tensor) -> tuple[bytes, int | None]:
    """The answer's body, and how many of its bytes are JSON where others follow."""
    entry, behind = tensor_written(name, output, is_binary=request.is_binary)
    fields: dict[str, Any] = {"model_name": deployment.settings.slug, "model_version": deployment.settings.artefact}
    if request.id is not None:
        fields["id"] = request.id
    head = json_bytes({**fields, "outputs": [entry]})
    return head + behind, len(head) if request.is_binary else None


def _items_run(predictor: Predictor, deployment: Deployment, request: InferRequest) -> NDArray[np.float32]:
    values = request.tensors[predictor.items.name].ravel()
    _count_check(len(values), deployment)
    pieces = deployment.calls.tensor_read(values.tolist(), is_binary=request.is_encoded_binary)
    return np.concatenate([predictor.predict_many(decoded) for decoded in pieces])


def _graph_run(predictor: Predictor, deployment: Deployment, tensors: Mapping[str, Tensor]) -> NDArray[np.float32]:
    wanted = {each.name: each for each in predictor.graph_inputs}
    if set(tensors) != set(wanted):
        other = predictor.items.name
        raise TensorInvalidError(f"the inputs are {', '.join(wanted)}, or {other} alone; not {', '.join(tensors)}"[:300])
    for name, tensor in tensors.items():
        shape = wanted[name].shape
        fits = tensor.ndim == len(shape) and all(
            not isinstance(size, int) or size == given for size, given in zip(shape, tensor.shape, strict=True)
        )
        if not fits or OF_GRAPH[wanted[name].type] != _datatype(tensor):
            said = f"{OF_GRAPH[wanted[name].type]} {[_size(size) for size in shape]}"
            raise TensorInvalidError(f"{name} is {said}, not {_datatype(tensor)} {list(tensor.shape)}")
    predictor.items.feeds_check(tensors)
    sizes = {len(tensor) for tensor in tensors.values()}
    if len(sizes) > 1:
        raise TensorInvalidError("the inputs speak of different numbers of items")
    _count_check(sizes.pop(), deployment)
    try:
        return predictor.run({name: _strings(tensor) for name, tensor in tensors.items()})
    except UnicodeDecodeError as error:
        raise TensorInvalidError(f"a string is not UTF-8: {error.reason}") from error
    except Exception as error:
        # onnxruntime's own errors share no base but Exception; what it refuses are values that the graph cannot look up.
        if type(error).__module__.startswith("onnxruntime"):
            raise TensorInvalidError("the graph cannot take these values") from error
        raise


def _strings(tensor: Tensor) -> Tensor:
    if tensor.dtype != np.object_:
        return tensor
    return np.array([value.decode() for value in tensor.ravel()], dtype=np.object_).reshape(tensor.shape)


def _datatype(tensor: Tensor) -> str:
    return {"u": "UINT8", "i": "INT64", "f": "FP32"}.get(tensor.dtype.kind, BYTES)


def _count_check(num_items: int, deployment: Deployment) -> None:
    most = deployment.calls.max_items
    if num_items > most:
        raise ItemsTooManyError(f"{num_items:,} items, at most {most:,} go into one request")


def _size(size: object) -> int:
    return size if isinstance(size, int) else -1

"""The Open Inference Protocol (KServe v2): what a model takes and gives, and one request answered.

A model takes the tensors of its graph, or what its kind of items takes in place of them: files, texts, rows, columns. It gives
the tensor of its graph, whatever thresholds the deployment has, and what its kind of answers makes of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .answers import Answers
from .backends import GraphError
from .calls import ItemAnswer, Part, part_answer, tensors_answer
from .coverage import coverage_specs
from .items import PredictRequest
from .items.kind import Feeds
from .predictor import Predictor
from .protocol_errors import InferenceInvalidError, ItemsTooManyError, TensorInvalidError
from .responses import JSON, Header, json_bytes
from .state import Deployment
from .tensors import BYTES, Tensor, TensorSpec, body_split, datatype_of, graph_specs, tensor_serialise, tensors_read

SERVER_PREFIX = "/v2"
MODELS_PREFIX = "/v2/models/"
EXTENSIONS = ("binary_tensor_data",)
VERSION = "2"


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
    """What the caller asks: items, or tensors of the graph."""

    id: str | None
    items: PredictRequest | None
    feeds: Feeds
    """The graph's own tensors; empty where there are items."""
    outputs: Mapping[str, bool]
    """Names of the requested outputs, and whether their values stand as bytes behind the answer's JSON."""


def model_metadata(deployment: Deployment, predictor: Predictor) -> dict[str, Any]:
    """What the protocol says of a model; the labels stand in ``parameters``, in the order of the scores."""
    settings = deployment.settings
    manifest = predictor.manifest
    inputs = [*deployment.calls.tensor_specs(manifest["decode"]), *graph_specs(manifest["inputs"])]
    parameters: dict[str, Any] = {"labels": list(predictor.labels), "backend": predictor.backend.name}
    if deployment.tried:
        parameters["backends_tried"] = {each.backend: each.why or f"{each.ms} ms" for each in deployment.tried}
    return {
        "name": settings.slug,
        "versions": [settings.artefact, *(variant.artefact for variant in settings.variants)],
        "platform": predictor.backend.platform,
        "inputs": [each.fields() for each in inputs],
        "outputs": [each.fields() for each in _output_specs(deployment, predictor)],
        "parameters": parameters,
    }


def output_specs(manifest: Mapping[str, Any], answers: Answers | type[Answers], *, is_covered: bool) -> list[TensorSpec]:
    """What a model gives: the graph's output as it is, then what its kind of answers makes of it.

    Args:
        manifest: of the model.
        answers: its kind of answers.
        is_covered: whether an error rate was chosen for it; what that gives stands last.
    """
    (output,) = graph_specs(manifest["outputs"][:1])
    beside = coverage_specs(manifest["output"], len(manifest["label_set"]["labels"])) if is_covered else ()
    return [output, *answers.tensor_specs(output.shape), *beside]


def _output_specs(deployment: Deployment, predictor: Predictor) -> list[TensorSpec]:
    return output_specs(predictor.manifest, predictor.answers, is_covered=deployment.coverage is not None)


def infer_parse(body: bytes, json_bytes: int | None, deployment: Deployment) -> InferRequest:
    """Reads a request.

    Args:
        body: of the request.
        json_bytes: how many of it are JSON; None: all.
        deployment: with the model that is asked.

    Raises:
        InferenceInvalidError, TensorInvalidError: it is not by the protocol, or asks for an output that there is not.
        RuntimeFault: an item cannot be read.
    """
    try:
        return _parsed(body, json_bytes, deployment)
    except InferenceInvalidError as error:
        error.hint = _hint(deployment)
        raise


def _hint(deployment: Deployment) -> str:
    """A request that the model understands: its kind of items names the tensor."""
    first = deployment.calls.tensor_specs(deployment.running().manifest["decode"])[0]
    shape = [max(1, size) for size in first.shape]
    tensor = {"name": first.name, "shape": shape, "datatype": first.datatype, "data": ["..." if first.datatype == BYTES else 0]}
    return f"Send JSON such as {json.dumps({'inputs': [tensor]})}."


def _parsed(body: bytes, json_bytes: int | None, deployment: Deployment) -> InferRequest:
    fields, behind = body_split(body, json_bytes)
    predictor, calls = deployment.running(), deployment.calls
    identity = fields.get("id")
    if identity is not None and not isinstance(identity, str):
        raise InferenceInvalidError("id is a string")
    outputs = _outputs(fields, [each.name for each in _output_specs(deployment, predictor)])
    tensors = tensors_read(fields["inputs"], behind)
    _count_check(max(len(tensor) for tensor in tensors.values()), deployment)
    if set(tensors) != {each["name"] for each in predictor.manifest["inputs"]}:
        items = calls.tensor_request(tensors, is_binary=json_bytes is not None)
        if items is not None:
            _count_check(len(items.items), deployment)
            return InferRequest(identity, items, {}, outputs)
    return InferRequest(identity, None, _feeds(predictor, deployment, tensors), outputs)


def graph_answer(predictor: Predictor, deployment: Deployment, feeds: Feeds) -> Part:
    """Answers tensors of the graph; runs in any thread.

    Raises:
        TensorInvalidError: it cannot take their values.
        RuntimeFault: an answer is none.
    """
    try:
        return tensors_answer(predictor, deployment, feeds)
    except GraphError as error:
        # What it refuses are values that the graph cannot look up.
        raise TensorInvalidError("the graph cannot take these values") from error


def infer_again(body: bytes, json_bytes: int | None, model: Deployment) -> list[ItemAnswer]:
    """Asks another model the same; runs in any thread.

    Raises:
        RuntimeFault: it cannot answer.
    """
    predictor, calls = model.running(), model.calls
    request = infer_parse(body, json_bytes, model)
    if request.items is None:
        return graph_answer(predictor, model, request.feeds).answered
    parts = (part_answer(predictor, calls, model, request.items, part, is_encoded=False) for part in calls.parts(request.items))
    return [one for part in parts for one in part.answered]


def infer_response(deployment: Deployment, request: InferRequest, answers: NDArray[np.float32]) -> tuple[bytes, int | None]:
    """The answer's body, and how many of its bytes are JSON where others follow.

    Args:
        deployment: with the model that answered.
        request: what was asked.
        answers: what the graph gave, an item along the first axis.
    """
    predictor, settings = deployment.running(), deployment.settings
    own = predictor.manifest["outputs"][0]["name"]
    found: Mapping[str, Tensor] = {own: answers}
    if request.outputs.keys() != {own}:
        lowest = predictor.thresholds if settings.thresholds is None else settings.thresholds
        beside: Mapping[str, Tensor] = {}
        if deployment.coverage is not None:
            of_items = [predictor.beside(answer, lowest, deployment.coverage) for answer in answers]
            beside = deployment.coverage.tensors(of_items, len(predictor.labels))
        found = {**predictor.answers.tensors(answers, lowest), **beside, **found}
    written = [tensor_serialise(name, found[name], is_binary=is_binary) for name, is_binary in request.outputs.items()]
    fields: dict[str, Any] = {"model_name": settings.slug, "model_version": settings.artefact}
    if request.id is not None:
        fields["id"] = request.id
    head = json_bytes({**fields, "outputs": [entry for entry, _ in written]})
    body = b"".join([head, *(behind for _, behind in written)])
    return body, len(head) if any(request.outputs.values()) else None


def _outputs(fields: Mapping[str, Any], known: Sequence[str]) -> dict[str, bool]:
    """The requested outputs, in the caller's order; all where he names none."""
    parameters = fields.get("parameters")
    is_binary = isinstance(parameters, dict) and parameters.get("binary_data_output") is True
    outputs = fields.get("outputs") or []
    if not isinstance(outputs, list) or not all(isinstance(each, dict) for each in outputs):
        raise InferenceInvalidError("outputs is a list of objects")
    requested = {}
    for output in outputs:
        name, own = output.get("name"), output.get("parameters")
        if name not in known:
            raise InferenceInvalidError(f"there is no output {name!r}; the model gives {', '.join(known)}"[:300])
        requested[name] = own.get("binary_data", is_binary) is True if isinstance(own, dict) else is_binary
    return requested or dict.fromkeys(known, is_binary)


def _feeds(predictor: Predictor, deployment: Deployment, tensors: Mapping[str, Tensor]) -> Feeds:
    """Tensors of the graph, looked at as far as that goes without running it."""
    specs = {each.name: each for each in graph_specs(predictor.manifest["inputs"])}
    if set(tensors) != set(specs):
        other = predictor.items.name
        raise TensorInvalidError(f"the inputs are {', '.join(specs)}, or {other} alone; not {', '.join(tensors)}"[:300])
    for name, tensor in tensors.items():
        _, datatype, shape = specs[name]
        fits = tensor.ndim == len(shape) and all(size in (-1, given) for size, given in zip(shape, tensor.shape, strict=True))
        if not fits or datatype != datatype_of(tensor):
            sent = f"{datatype} {list(shape)}"
            raise TensorInvalidError(f"{name} is {sent}, not {datatype_of(tensor)} {list(tensor.shape)}")
    predictor.items.feeds_check(tensors)
    sizes = {len(tensor) for tensor in tensors.values()}
    if len(sizes) > 1:
        raise TensorInvalidError("the inputs speak of different numbers of items")
    try:
        return {name: _strings(tensor) for name, tensor in tensors.items()}
    except UnicodeDecodeError as error:
        raise TensorInvalidError(f"a string is not UTF-8: {error.reason}") from error


def _strings(tensor: Tensor) -> Tensor:
    if tensor.dtype != np.object_:
        return tensor
    return np.array([value.decode() for value in tensor.ravel()], dtype=np.object_).reshape(tensor.shape)


def _count_check(num_items: int, deployment: Deployment) -> None:
    most = deployment.calls.max_items
    if num_items > most:
        raise ItemsTooManyError(f"{num_items:,} items, at most {most:,} go into one request")

"""The part of the API's description that speaks the Open Inference Protocol (KServe v2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import openapi_answers as answers
from .answers import answers_kind
from .errors import AnswerInvalidError
from .inference import output_specs
from .items import NAMES, items_kind
from .schemas import Schema
from .tensors import BYTES, DATATYPES, TensorSpec

_GIVES = "Gives the graph's output, whatever thresholds there are, and what the kind of answers makes of it"
_VALUES: Schema = {"type": "array", "description": "Row by row, flat or as lists in lists."}
_REFUSED: Schema = {
    "type": "object",
    "description": "A refusal in the protocol's form.",
    "required": ["error", "code"],
    "properties": {"error": {"type": "string"}, "code": {"type": "string"}, "hint": {"type": "string"}},
}
_SIZES: Schema = {"type": "array", "minItems": 1, "items": {"type": "integer"}}
_TENSOR_SPEC: Schema = {
    "type": "object",
    "required": ["name", "datatype", "shape"],
    "properties": {"name": {"type": "string"}, "datatype": {"enum": list(DATATYPES)}, "shape": _SIZES},
}
_SPECS: Schema = {"type": "array", "items": _TENSOR_SPEC}
_MODEL: Schema = {
    "type": "object",
    "required": ["name", "versions", "platform", "inputs", "outputs"],
    "properties": {
        "name": {"type": "string"},
        "versions": {"type": "array", "items": {"type": "string"}},
        "platform": {"type": "string"},
        "inputs": _SPECS,
        "outputs": _SPECS,
        "parameters": {"type": "object"},
    },
}
_OUTPUT: Schema = {
    "type": "object",
    "required": ["name", "datatype", "shape"],
    "properties": {**_TENSOR_SPEC["properties"], "data": _VALUES, "parameters": {"type": "object"}},
}
_ANSWER: Schema = {
    "type": "object",
    "required": ["model_name", "outputs"],
    "properties": {
        "model_name": {"type": "string"},
        "model_version": {"type": "string"},
        "id": {"type": "string"},
        "outputs": {"type": "array", "items": _OUTPUT},
    },
}
INFERENCE_SCHEMAS: Schema = {
    "InferenceRefusal": _REFUSED,
    "InferenceModel": _MODEL,
    "InferenceAnswer": _ANSWER,
}


def inference_paths(name: str, manifest: Mapping[str, Any], suffix: str, parameters: list[Any]) -> dict[str, Any]:
    """Addresses of the protocol for one model, and those of the server."""
    faults = [*answers.OF_MODELS, *answers.AT_THE_DOOR]
    refused = _refusals(faults)
    model = f"/v2/models/{name}"
    ready = {
        "type": "object",
        "required": ["name", "ready"],
        "properties": {"name": {"type": "string"}, "ready": {"type": "boolean"}},
    }
    return {
        **_server_paths(),
        model: {
            "get": _read(
                f"inference_model{suffix}", "What the model takes and gives", _reference("InferenceModel"), refused, parameters
            )
        },
        f"{model}/ready": {
            "get": _read(
                f"inference_ready{suffix}",
                "Whether the model is loaded",
                ready,
                {**refused, "503": _answer("Not loaded.", ready)},
                parameters,
            )
        },
        f"{model}/infer": {"post": _infer(manifest, suffix, parameters)},
    }


def _server_paths() -> dict[str, Any]:
    server = {"type": "object", "required": ["name", "version", "extensions"]}
    live = {"type": "object", "properties": {"live": {"type": "boolean"}}}
    ready = {"type": "object", "properties": {"ready": {"type": "boolean"}}}
    starting = {"503": _answer("Models are being loaded.", ready)}
    return {
        "/v2": {"get": {**_read("inference_server", "The server, by the Open Inference Protocol", server), "is_open": True}},
        "/v2/health/live": {"get": {**_read("inference_live", "Whether the server runs", live), "is_open": True}},
        "/v2/health/ready": {
            "get": {**_read("inference_server_ready", "Whether it is ready", ready, starting), "is_open": True}
        },
    }


def _infer(manifest: Mapping[str, Any], suffix: str, parameters: list[Any]) -> dict[str, Any]:
    kinds = [str(manifest["decode"]["kind"])] if manifest else list(NAMES)
    faults = [*answers.OF_CALLS, *answers.AT_THE_DOOR, *answers.OF_INFERENCE]
    faults += [fault for kind in kinds for fault in answers.described(kind).faults]
    items = " or ".join(f"`{kind}`" for kind in kinds)
    tensors = ", ".join(f"`{each['name']}` ({each['dtype']} {list(each['axes'])})" for each in manifest.get("inputs", ()))
    description = (
        f"Takes {items}, a {BYTES} tensor of encoded items (pictures in base64, rows as JSON), or the graph's own tensors"
    )
    given = _names(_outputs(manifest, is_covered=False))
    beside = _names(_outputs(manifest, is_covered=True)[len(_outputs(manifest, is_covered=False)) :])
    answer = _answer("OK", _reference("InferenceAnswer"))
    answer["content"]["application/octet-stream"] = {"schema": {"type": "string", "format": "binary"}}
    return {
        "summary": "Infer, by the Open Inference Protocol",
        "description": f"{description}{': ' + tensors if tensors else ''}. {_GIVES}{f': {given}' if given else ''}"
        f"{f'; where an error rate was chosen, also {beside}' if beside else ''}.",
        "operationId": f"infer{suffix}",
        "parameters": parameters,
        "requestBody": {"required": True, "content": {"application/json": {"schema": _request(kinds, manifest)}}},
        "responses": {"200": answer, **_refusals(faults)},
    }


def _names(specs: Sequence[TensorSpec]) -> str:
    return ", ".join(f"`{each.name}`" for each in specs)


def _outputs(manifest: Mapping[str, Any], *, is_covered: bool) -> list[TensorSpec]:
    """Without a manifest, none."""
    if not manifest:
        return []
    return output_specs(manifest, answers_kind(manifest["output"]), is_covered=is_covered)


def _request(kinds: list[str], manifest: Mapping[str, Any]) -> Schema:
    name: Schema = {"type": "string"}
    output_name: Schema = {"type": "string"}
    if manifest:
        decode = manifest["decode"]
        names = [each.name for each in items_kind(decode["kind"]).calls.tensor_specs(decode)]
        name = {"enum": [*names, *(str(each["name"]) for each in manifest["inputs"])]}
        output_name = {"enum": [each.name for each in _outputs(manifest, is_covered=True)]}
    tensor = {
        "type": "object",
        "required": ["name", "shape", "datatype", "data"],
        "properties": {"name": name, "shape": _SIZES, "datatype": {"enum": list(DATATYPES)}, "data": _VALUES},
    }
    outputs = {"type": "array", "items": {"type": "object", "required": ["name"], "properties": {"name": output_name}}}
    fields = {"id": {"type": "string"}, "inputs": {"type": "array", "minItems": 1, "items": tensor}, "outputs": outputs}
    return {"type": "object", "required": ["inputs"], "properties": fields}


def _read(
    operation: str, summary: str, schema: Schema, refused: Schema | None = None, parameters: list[Any] | None = None
) -> dict[str, Any]:
    responses = {"200": _answer("OK", schema), **(refused or {})}
    return {"summary": summary, "operationId": operation, "parameters": parameters or [], "responses": responses}


def _refusals(faults: answers.Faults) -> Schema:
    return answers.refusals([*faults, AnswerInvalidError], schema="InferenceRefusal", media_type="application/json")


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _answer(description: str, schema: Schema) -> Schema:
    return {"description": description, "content": {"application/json": {"schema": schema}}}

"""The prediction API's own description (OpenAPI 3.1), made from what the served models say of themselves.

A server says of each model that its caller may ask exactly what it reads and gives; to a caller without a key it says
what any model may read. A bundle also carries the description as a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import openapi_answers as answers
from .errors import MetricsTokenError, RouteNotFoundError
from .items import NAMES, Description
from .items.kind import Contents
from .openapi_v2 import INFERENCE_SCHEMAS, inference_paths
from .schemas import THRESHOLD, TOP, object_of
from .templates import ReferencesNotFoundError, TemplateUnknownError
from .templates.schema import FORM

API_VERSION = "1"
_KEYED: list[dict[str, list[str]]] = [{"key": []}, {"token": []}]
_OPEN: list[dict[str, list[str]]] = [{}, *_KEYED]
_BACKENDS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": {"type": "string"},
    "description": "What runs each model; only servers on premise say so.",
}


@dataclass(frozen=True, slots=True)
class DescribedModel:
    """A model that the description speaks of."""

    name: str
    """In its address."""
    model: str = ""
    """Its id."""
    manifest: Mapping[str, Any] = field(default_factory=dict)
    """Empty: any model."""
    templates: Sequence[str] = ()
    """Slugs of those by which it answers with fields."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """What it may read."""
        return (str(self.manifest["decode"]["kind"]),) if self.manifest else NAMES

    @property
    def items(self) -> list[Description]:
        """What each of these kinds says of itself."""
        decode = self.manifest["decode"] if self.manifest else None
        return [answers.described(kind, decode) for kind in self.kinds]

    @property
    def labels(self) -> list[str]:
        """In the order of its scores."""
        return [str(label["name"]) for label in self.manifest["label_set"]["labels"]] if self.manifest else []


def document(
    models: Sequence[DescribedModel], *, is_keyed: bool = True, easydl_paths: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The description as a value.

    Args:
        models: that the caller may ask; none describes any model.
        is_keyed: whether a key is always asked for; a bundle asks for one only when it was started so.
        easydl_paths: addresses besides, that take and give EasyDL's form, with the name of the model of each.
    """
    schemas: dict[str, Any] = {
        "Problem": answers.PROBLEM,
        "EasyDLAnswer": answers.EASYDL_ANSWER,
        "EasyDLRefusal": answers.easydl_refusal(),
        **INFERENCE_SCHEMAS,
    }
    paths: dict[str, Any] = _server_paths()
    for place, each in enumerate(models or [DescribedModel("{deployment}")]):
        suffix = f"_{place + 1}" if len(models) > 1 else ""
        paths |= _model_paths(each, schemas, suffix)
        paths |= inference_paths(each.name, each.manifest, suffix, _parameters(each))
        for address in (address for address, name in (easydl_paths or {}).items() if name == each.name):
            paths[address] = {"post": _easydl(each, suffix)}
    for operations in paths.values():
        for operation in operations.values():
            if operation.pop("is_open", False):
                operation["security"] = []
    return {
        "openapi": "3.1.0",
        "info": {"title": "Modelyard predictions", "version": API_VERSION, "description": _description(models)},
        "servers": [{"url": "/"}],
        "security": _KEYED if is_keyed else _OPEN,
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": _SCHEMES},
    }


_SCHEMES = {
    "key": {"type": "http", "scheme": "bearer", "description": "An API key that may predict."},
    "token": {
        "type": "apiKey",
        "in": "query",
        "name": "access_token",
        "description": "The same key, as EasyDL's clients send it.",
    },
}


def _description(models: Sequence[DescribedModel]) -> str:
    lines = [f"- `{each.name}`: reads {each.items[0].noun}, model `{each.model}`" for each in models]
    return (
        "\n".join(["Answers of trained models.", "", *lines])
        if lines
        else "Answers of trained models; ask with a key for yours."
    )


def _server_paths() -> dict[str, Any]:
    states = {"status": {"enum": ["ready", "starting"]}, "backends": _BACKENDS}
    state = {"type": "object", "required": ["status"], "properties": states}
    health = {
        "summary": "Whether the server is ready",
        "is_open": True,
        "responses": {
            status: {"description": description, "content": {"application/json": {"schema": state}}}
            for status, description in (("200", "All models are loaded."), ("503", "Models are being loaded."))
        },
    }
    text = {kind: {"schema": {"type": "string"}} for kind in ("text/plain", "application/openmetrics-text")}
    metrics = {
        "summary": "Counters for Prometheus",
        "description": "With the token that the server was started with (`Authorization: Bearer`); without one, for programs "
        "of the same machine, or for all when it was started with `--open-metrics`.",
        "operationId": "metrics",
        "is_open": True,
        "responses": {
            "200": {"description": "OK", "content": text},
            **answers.refusals([MetricsTokenError, RouteNotFoundError]),
        },
    }
    described = {
        "summary": "This description",
        "operationId": "openapi",
        "responses": {
            "200": {"description": "OK", "content": {"application/json": {"schema": {"type": "object"}}}},
            **answers.refusals(answers.AT_THE_DOOR),
        },
        "security": _OPEN,
    }
    return {
        "/health": {"get": {**health, "operationId": "health"}},
        "/healthz": {"get": {**health, "operationId": "healthz"}},
        "/metrics": {"get": metrics},
        "/openapi.json": {"get": described},
    }


def _parameters(model: DescribedModel) -> list[dict[str, Any]]:
    """What stands in the address of any model."""
    if model.manifest:
        return []
    return [{"name": "deployment", "in": "path", "required": True, "schema": {"type": "string"}, "description": "Id or slug."}]


def _call_parameters(model: DescribedModel) -> list[dict[str, Any]]:
    easydl = {"type": "string", "enum": ["easydl"], "description": "Asks for EasyDL's form of the answer."}
    sticky = {"type": "string", "description": "Of several models, the same one answers each time; as a header: Sticky-Id."}
    one = {"type": "string", "description": "Id of the model to ask, where a deployment has several."}
    query = {"top": TOP, "threshold": THRESHOLD, "format": easydl, "sticky_id": sticky, "model": one}
    for each in model.items:
        query |= each.query
    return _parameters(model) + _in_query(query)


def _in_query(schemas: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"name": name, "in": "query", "schema": schema} for name, schema in schemas.items()]


def _model_paths(model: DescribedModel, schemas: dict[str, Any], suffix: str) -> dict[str, Any]:
    prediction, annotation = f"Prediction{suffix}", f"Annotation{suffix}"
    schemas[annotation] = answers.annotation_schema(model.manifest.get("output"), model.labels)
    reference = {"$ref": f"#/components/schemas/{annotation}"}
    notes = {name: schema for each in model.items for name, schema in each.notes.items()}
    beside = answers.beside_schema(model.manifest.get("output"), model.labels)
    schemas[prediction] = answers.prediction_schema(reference, beside, notes)
    forms = [{"$ref": f"#/components/schemas/{name}"} for name in (prediction, "EasyDLAnswer", "EasyDLRefusal")]
    faults = [*answers.OF_CALLS, *answers.AT_THE_DOOR, *(fault for each in model.items for fault in each.faults)]
    predict = {
        "summary": f"Predict with {model.name}" if model.manifest else "Predict",
        "operationId": f"predict{suffix}",
        "parameters": _call_parameters(model),
        "requestBody": {"required": True, "content": _contents(each.contents for each in model.items)},
        "responses": {
            "200": {"description": "OK", "content": {"application/json": {"schema": {"anyOf": forms}}}},
            **answers.refusals(faults),
        },
    }
    address = f"/v1/deployments/{model.name}"
    found = {f"{address}/predict": {"post": predict}, f"{address}/explain": {"post": _explain(model, faults, suffix)}}
    if model.templates or not model.manifest:
        schemas["Form"] = FORM
        found[f"{address}/fields"] = {"post": _fields(model, faults, suffix)}
    return found


def _contents(contents: Iterable[Contents]) -> dict[str, Any]:
    found: dict[str, list[Any]] = {}
    for each in contents:
        for media_type, content in each.items():
            found.setdefault(media_type, []).append(content["schema"])
    return {name: {"schema": all_[0] if len(all_) == 1 else {"anyOf": all_}} for name, all_ in found.items()}


def _explain(model: DescribedModel, faults: answers.Faults, suffix: str) -> dict[str, Any]:
    forms = [*(each.explained for each in model.items), {"$ref": "#/components/schemas/EasyDLRefusal"}]
    query = {name: schema for each in model.items for name, schema in each.explaining_query.items()}
    faults = [*faults, *(fault for each in model.items for fault in each.explaining_faults)]
    return {
        "summary": "Say what each part of one item adds to its answer",
        "operationId": f"explain{suffix}",
        "parameters": _parameters(model) + _in_query(query),
        "requestBody": {"required": True, "content": _contents(each.explaining for each in model.items)},
        "responses": {
            "200": {"description": "OK", "content": {"application/json": {"schema": {"anyOf": forms}}}},
            **answers.refusals(faults),
        },
    }


def _fields(model: DescribedModel, faults: answers.Faults, suffix: str) -> dict[str, Any]:
    named: dict[str, Any] = {
        "type": "string",
        "description": "Slug of the template; without it the one is taken of which most reference texts are found.",
    }
    if model.templates:
        named["enum"] = list(model.templates)
    one = {"type": "string", "description": "Id of the model to ask, where a deployment has several."}
    forms = {"type": "array", "items": {"$ref": "#/components/schemas/Form"}, "description": "One for each item."}
    answer = object_of(
        {"id": {"type": "string"}, "model": {"type": "string"}, "forms": forms, "latency_ms": {"type": "number", "minimum": 0}}
    )
    return {
        "summary": "Read the fields of a form by a template",
        "operationId": f"fields{suffix}",
        "parameters": _parameters(model) + _in_query({"template": named, "model": one}),
        "requestBody": {"required": True, "content": _contents(each.contents for each in model.items)},
        "responses": {
            "200": {
                "description": "OK",
                "content": {
                    "application/json": {"schema": {"anyOf": [answer, {"$ref": "#/components/schemas/EasyDLRefusal"}]}}
                },
            },
            **answers.refusals([*faults, TemplateUnknownError, ReferencesNotFoundError]),
        },
    }


def _easydl(model: DescribedModel, suffix: str) -> dict[str, Any]:
    forms = [{"$ref": f"#/components/schemas/{name}"} for name in ("EasyDLAnswer", "EasyDLRefusal")]
    content = _contents(each.contents for each in model.items)
    if len(model.items) == 1:
        content |= model.items[0].easydl_contents
    return {
        "summary": "Predict in EasyDL's form",
        "operationId": f"predict_easydl{suffix}",
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "OK", "content": {"application/json": {"schema": {"anyOf": forms}}}}},
    }

"""The API's description, complete with refusals and downloads. What is served was written by ``manage.py export_openapi``."""

from __future__ import annotations

import hashlib
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from studio.accounts.errors import RateLimitedError
from studio.accounts.rates import Rate, rate_check
from studio.common.problem import problem_response
from studio.config.env import REPOSITORY

OPENAPI_FILE = "openapi.json"
REFUSAL = {
    "type": "object",
    "description": "Why a request is refused (RFC 9457).",
    "required": ["type", "title", "status", "code", "detail", "hint"],
    "properties": {
        "type": {"type": "string", "description": "`urn:modelyard:problem:` and the code."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "Stable; programs decide by it."},
        "detail": {"type": "string", "description": "What is wrong, for people."},
        "hint": {"type": "string", "description": "What to do."},
        "fields": {
            "type": "object",
            "description": "By the name of a field, what is wrong with it.",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
        "extra": {
            "type": "object",
            "description": "What programs may use, such as `retry_after_s`.",
            "additionalProperties": True,
        },
        "params": {
            "type": "object",
            "description": "Names and numbers of this refusal, for a sentence of one's own by the code, in any language.",
            "additionalProperties": {
                "anyOf": [
                    {"type": "string"},
                    {"type": "number"},
                    {"type": "array", "items": {"type": "string"}},
                    {"$ref": "#/components/schemas/Text"},
                ],
            },
        },
    },
}
PREDICTIONS = "Predictions are described by the prediction server's own document, `GET /openapi.json` on its port."
_ANY = (400, 404, 409, 422, 429, 500, 503)
_OF_THE_DOOR = (401, 403)
_OF_WRITES = (403, 408, 411, 413, 507)
_ALL = sorted({*_ANY, *_OF_THE_DOOR, *_OF_WRITES, 502, 504})

_IMAGES = ("image/jpeg", "image/png", "image/webp", "image/gif", "image/bmp")
_ITEM = (*_IMAGES, "text/plain", "application/json")
_DOWNLOADS: dict[str, tuple[str, ...]] = {
    "artefact_file": ("application/octet-stream", "application/json", "text/plain", "image/jpeg", "image/png", "image/webp"),
    "archive_download": ("application/zip",),
    "artefact_card_file": ("text/markdown",),
    "artefact_report_file": ("text/html",),
    "audit_export": ("text/csv", "application/x-ndjson"),
    "campaign_item_picture": _ITEM,
    "deployment_input": ("application/octet-stream", "text/plain", "application/json"),
    "device_update_download": ("application/octet-stream",),
    "export_download": ("application/gzip", "application/octet-stream"),
    "item_picture": _ITEM,
    "gallery_thumbnail": ("image/jpeg",),
    "item_thumbnail": ("image/jpeg",),
    "labels_download": ("application/zip", "application/x-tar"),
    "prediction_download": ("text/csv", "application/x-ndjson", "application/vnd.apache.parquet"),
    "prediction_fields": ("application/x-ndjson",),
    "prediction_thumbnail": ("image/jpeg",),
    "template_picture": ("image/jpeg",),
    "template_thumbnail": ("image/jpeg",),
    "study_history": ("text/csv", "application/octet-stream", "application/zip"),
    "version_download": ("application/zip", "application/x-tar"),
}
"""What the operations send that answer with a file, by their ids."""
_BYTES = {"type": "string", "format": "binary"}


@require_safe
def openapi_page(request: HttpRequest) -> HttpResponse:
    """``GET /api/openapi.json``: needs no session, since nothing in it is anybody's."""
    try:
        rate_check(request, Rate.DESCRIPTIONS)
    except RateLimitedError as error:
        return problem_response(error)
    body, tag = openapi_served()
    if request.headers.get("If-None-Match") == tag:
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(body, content_type="application/json")
    response["ETag"] = tag
    response["Cache-Control"] = "no-cache"
    return response


@cache
def openapi_served() -> tuple[bytes, str]:
    """The description as ``export_openapi`` wrote it, without spaces, and its tag: to make it here would take seconds."""
    body = orjson.dumps(orjson.loads((openapi_folder() / OPENAPI_FILE).read_bytes()))
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def openapi_folder() -> Path:
    """Where the descriptions are kept: the web app's client is made from them."""
    return REPOSITORY / "frontend"


def openapi_document() -> dict[str, Any]:
    """The description as a value; the same API gives the same one."""
    from studio.config.api import api  # noqa: PLC0415 - the addresses of the API are read when it is asked for

    document: dict[str, Any] = dict(api.get_openapi_schema(path_prefix="/api/"))
    document["servers"] = [{"url": "/"}]
    document["info"]["description"] = PREDICTIONS
    components = document["components"]
    for schema in components["schemas"].values():
        _plain_references(schema.get("properties", {}))
    components["schemas"]["Refusal"] = REFUSAL
    components["responses"] = {_name(status): _problem(status) for status in _ALL}
    for operations in document["paths"].values():
        for method, operation in operations.items():
            _complete(method, operation)
    return document


def _plain_references(properties: dict[str, Any]) -> None:
    """Leaves out default objects beside references, which generators of clients refuse: their properties have such values."""
    for name, schema in properties.items():
        if "allOf" in schema and isinstance(schema.get("default"), dict):
            (properties[name],) = schema["allOf"]


def _complete(method: str, operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    has_door = operation.get("security") or operation["operationId"] == "sign_in"
    statuses = {*_ANY, *(_OF_THE_DOOR if has_door else ()), *(() if method == "get" else _OF_WRITES)}
    for status in sorted(statuses):
        if str(status) not in responses and status not in responses:
            responses[str(status)] = {"$ref": f"#/components/responses/{_name(status)}"}
    if operation["operationId"] == "project_events":
        responses[200] = {"description": "OK", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
    for kind in _DOWNLOADS.get(operation["operationId"], ()):
        _complete_download(responses, kind)
    operation["responses"] = {str(status): response for status, response in responses.items()}


def _complete_download(responses: dict[Any, Any], kind: str) -> None:
    for status, response in responses.items():
        if str(status) not in {"200", "206"}:
            continue
        content = response["content"]
        if content.get("application/json", {}).get("schema", {}).get("format") == "binary" and "application/json" not in kind:
            del content["application/json"]
        content[kind] = {"schema": {} if kind == "application/json" else _BYTES}


def _name(status: int) -> str:
    return f"Refusal{status}"


def _problem(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Refusal"}
    made: dict[str, Any] = {
        "description": HTTPStatus(status).phrase,
        "content": {"application/problem+json": {"schema": schema}},
    }
    if status in {429, 503}:
        made["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    return made

"""What a prediction is answered with, for the API's description: annotations, refusals with their codes, EasyDL's form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import errors, protocol_errors
from .answers import NAMES as ANSWER_NAMES
from .answers import answers_kind
from .coverage import coverage_schema
from .errors import RuntimeFault
from .items import NAMES as ITEM_NAMES
from .items import Description, items_kind
from .schemas import Schema, object_of

Faults = Iterable[type[RuntimeFault]]
AT_THE_DOOR: tuple[type[RuntimeFault], ...] = (
    errors.ApiKeyMissingError,
    errors.ApiKeyUnknownError,
    errors.ApiKeyExpiredError,
    errors.PermissionDeniedError,
    errors.KeyOutOfScopeError,
)
OF_MODELS: tuple[type[RuntimeFault], ...] = (
    errors.DeploymentNotFoundError,
    errors.DeploymentStoppedError,
    errors.DeploymentStartingError,
    errors.DeploymentFailedError,
)
OF_CALLS: tuple[type[RuntimeFault], ...] = (
    *OF_MODELS,
    protocol_errors.VersionNotFoundError,
    errors.QuotaExceededError,
    errors.ServerBusyError,
    errors.BodyTooLargeError,
    protocol_errors.EncodingUnsupportedError,
    errors.RuntimeFault,
)
OF_INFERENCE = (
    protocol_errors.InferenceInvalidError,
    protocol_errors.TensorInvalidError,
    protocol_errors.ItemsTooManyError,
)

PROBLEM: Schema = {
    "type": "object",
    "description": "Why a request is refused (RFC 9457).",
    "required": ["type", "title", "status", "code", "detail", "hint"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "Stable; programs decide by it."},
        "detail": {"type": "string", "description": "What is wrong, for people."},
        "hint": {"type": "string", "description": "What to do."},
    },
}
EASYDL_ANSWER: Schema = {
    "type": "object",
    "description": "EasyDL's form, where `format=easydl` or `access_token` ask for it.",
    "required": ["log_id"],
    "properties": {
        "log_id": {"type": "integer"},
        "results": {"type": "array", "items": {"type": "object"}},
        "batch_result": {"type": "array", "items": {"type": "object"}},
    },
}


def described(name: str, decode: Mapping[str, Any] | None = None) -> Description:
    """What a kind of items says of itself."""
    return items_kind(name).calls.description(decode)


def easydl_refusal() -> Schema:
    """EasyDL's form of a refusal."""
    faults = [*OF_CALLS, *AT_THE_DOOR, *(fault for name in ITEM_NAMES for fault in described(name).faults)]
    numbers = sorted({fault.easydl_code for fault in faults})
    return {
        "type": "object",
        "description": "EasyDL's form of a refusal, which comes with the status 200.",
        "required": ["error_code", "error_msg"],
        "properties": {"error_code": {"type": "integer", "enum": numbers}, "error_msg": {"type": "string"}},
    }


def refusals(faults: Faults, *, schema: str = "Problem", media_type: str = "application/problem+json") -> dict[str, Any]:
    """The responses of these errors by their status, each with the codes that it can have."""
    by_status: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for fault in faults:
        by_status[fault.status].setdefault(fault.code, fault.title)
    return {str(status): _refusal(status, codes, schema, media_type) for status, codes in sorted(by_status.items())}


def _refusal(status: int, codes: dict[str, str], schema: str, media_type: str) -> Schema:
    listed = {"$ref": f"#/components/schemas/{schema}", "properties": {"code": {"enum": sorted(codes)}}}
    made: Schema = {
        "description": ". ".join(f"`{code}`: {title}" for code, title in codes.items()) + ".",
        "content": {media_type: {"schema": listed}},
    }
    if status in {429, 503}:
        made["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    if status == 401:
        made["headers"] = {"WWW-Authenticate": {"schema": {"type": "string"}}}
    return made


def beside_schema(output: str | None, labels: Sequence[str]) -> Schema:
    """What may stand beside the annotations of an item."""
    return coverage_schema(output, _label(labels))


def annotation_schema(output: str | None, labels: Sequence[str]) -> Schema:
    """One annotation of a model that answers so; any, where the kind is not given."""
    label = _label(labels)
    if output is not None:
        return answers_kind(output).schema(label)
    schemas: list[Schema] = []
    for name in ANSWER_NAMES:
        schema = answers_kind(name).schema(label)
        schemas += [schema] if schema not in schemas else []
    return {"oneOf": schemas}


def _label(labels: Sequence[str]) -> Schema:
    return {"type": "string", "enum": list(labels)} if labels else {"type": "string"}


def prediction_schema(annotation: Schema, beside: Schema, notes: Schema) -> Schema:
    """Our own answer; ``beside`` is what may stand beside an item's annotations, ``notes`` what is said of all items."""
    one = object_of({"annotations": {"type": "array", "items": annotation}})
    one["properties"] |= beside
    made = object_of(
        {
            "id": {"type": "string", "pattern": "^prd_[0-9a-z]{26}$"},
            "model": {"type": "string", "description": "Which model answered."},
            "predictions": {"type": "array", "items": one, "description": "One an item, in the order asked."},
            "latency_ms": {"type": "number", "minimum": 0},
        }
    )
    made["properties"] |= notes
    return made

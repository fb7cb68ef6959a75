"""Shapes of what goes back: our own, problem+json, and EasyDL's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .encode import Annotation
from .errors import RuntimeFault
from .ids import log_id

JSON = (b"content-type", b"application/json")
PROBLEM_JSON = (b"content-type", b"application/problem+json")
EASYDL_DEFAULT_TOP = 6
ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
"""Made once: with separators of its own, ``json.dumps`` makes an encoder at each call."""

Header = tuple[bytes, bytes]


def json_bytes(value: Mapping[str, Any]) -> bytes:
    """Renders JSON without blanks, in UTF-8."""
    return ENCODER.encode(value).encode()


def prediction_answer(
    identity: str,
    model: str,
    found: Sequence[Sequence[Annotation]],
    latency_ms: float,
    *,
    columns: Mapping[str, Sequence[object] | Mapping[str, object]] | None = None,
) -> bytes:
    """Our own answer.

    Args:
        identity: of the call.
        model: which one answered.
        found: annotations of each item, in the order asked.
        latency_ms: since the call began.
        columns: what a caller should know of the rows' columns and cells; what is empty is left out.
    """
    return json_bytes(
        {
            "id": identity,
            "model": model,
            "predictions": [{"annotations": annotations} for annotations in found],
            "latency_ms": latency_ms,
            **{name: names for name, names in (columns or {}).items() if names},
        }
    )


def easydl_answer(number: int, annotations: Sequence[Annotation]) -> bytes:
    """EasyDL's answer to one item; boxes carry a location in whole pixels, a number stands alone."""
    return json_bytes({"log_id": log_id(number), "results": [_easydl_result(annotation) for annotation in annotations]})


def _easydl_result(annotation: Annotation) -> dict[str, object]:
    if annotation["kind"] == "value":
        return {"value": annotation["value"]}
    result: dict[str, object] = {"name": annotation["label"], "score": annotation["score"]}
    if annotation["kind"] == "box":
        left, upper = round(annotation["x"]), round(annotation["y"])
        right, lower = round(annotation["x"] + annotation["width"]), round(annotation["y"] + annotation["height"])
        result["location"] = {"left": left, "top": upper, "width": right - left, "height": lower - upper}
    return result


def problem(fault: RuntimeFault) -> tuple[int, list[Header], bytes]:
    """Status, headers and body of an error."""
    body = {
        "type": f"urn:modelyard:problem:{fault.code}",
        "title": fault.title,
        "status": fault.status,
        "code": fault.code,
        "detail": fault.detail,
        "hint": fault.hint,
        **fault.facts,
    }
    headers = [PROBLEM_JSON]
    if fault.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    return fault.status, _with_retry(headers, fault), json_bytes(body)


def easydl_problem(fault: RuntimeFault) -> tuple[int, list[Header], bytes]:
    """The same error for a client of EasyDL, which finds it in the body of a 200."""
    body = {"error_code": fault.easydl_code, "error_msg": fault.detail}
    return 200, _with_retry([JSON], fault), json_bytes(body)


def _with_retry(headers: list[Header], fault: RuntimeFault) -> list[Header]:
    if fault.retry_after_s is not None:
        headers.append((b"retry-after", str(fault.retry_after_s).encode()))
    return headers

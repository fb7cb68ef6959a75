"""Shapes of what goes back: our own, problem+json, and EasyDL's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .annotations import Annotation
from .answers import Answers
from .errors import RuntimeFault
from .ids import log_id

JSON = (b"content-type", b"application/json")
BINARY = (b"content-type", b"application/octet-stream")
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
    predictions: Sequence[Mapping[str, Any]],
    latency_ms: float,
    *,
    notes: Mapping[str, Any],
) -> bytes:
    """Our own answer.

    Args:
        identity: of the call.
        model: which one answered.
        predictions: annotations of each item and what stands beside them, in the order asked.
        latency_ms: since the call began.
        notes: what a caller should know of how the items were read; what is empty is left out.
    """
    return json_bytes(
        {
            "id": identity,
            "model": model,
            "predictions": predictions,
            "latency_ms": latency_ms,
            **{name: note for name, note in notes.items() if note},
        }
    )


def easydl_answer(
    number: int, predictions: Sequence[Annotation], answers: Answers, beside: Mapping[str, object] | None = None
) -> bytes:
    """EasyDL's answer to one item, with what stands beside the annotations (``Predictor.beside``)."""
    results = [answers.easydl(annotation) for annotation in predictions]
    return json_bytes({"log_id": log_id(number), "results": results, **(beside or {})})


def inference_problem(fault: RuntimeFault) -> tuple[int, list[Header], bytes]:
    """The same error for a client of the Open Inference Protocol."""
    status, headers, _ = problem(fault)
    return status, [JSON, *headers[1:]], json_bytes({"error": fault.detail, "code": fault.code, "hint": fault.hint})


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

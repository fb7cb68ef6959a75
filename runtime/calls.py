"""One call: who asks for what, what was answered, and its entry in the log."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import numpy as np
from numpy.typing import NDArray

from .annotations import Annotation
from .errors import RuntimeFault
from .ids import prediction_id, prediction_number
from .items import Calls, PredictRequest
from .items.kind import Decoded, Feeds
from .journal import Entry
from .predictor import Predictor
from .responses import JSON, Header
from .state import Deployment, Key, Snapshot

Scope = dict[str, Any]
MAX_KEPT = 64
"""Inputs of one call that the log keeps: of more rows the least sure, or some from all over the request."""


class Form(Enum):
    """Whose answers and refusals a caller reads."""

    OWN = "own"
    EASYDL = "easydl"
    INFERENCE = "inference"


@dataclass(slots=True)
class ItemAnswer:
    """One item."""

    annotations: Sequence[Annotation]
    best: dict[str, object] | None
    uncertainty: float | None
    """None where nothing says so."""
    predicted: Sequence[Annotation]
    """Predictions that pass the thresholds; empty where the deployment keeps no inputs."""
    item: Any
    """As it came; None where the caller sent tensors of the graph."""
    beside: Mapping[str, object] = field(default_factory=dict)
    """What stands beside the annotations."""


class Part(NamedTuple):
    """What was answered at once."""

    decoded: Decoded
    tensor: NDArray[np.float32]
    """What the graph gave, an item along the first axis."""
    answered: list[ItemAnswer]


@dataclass(frozen=True, slots=True)
class ShadowedCall:
    """An answered call as its shadow is asked about it."""

    shadow: Deployment
    ask: Callable[[Deployment], list[ItemAnswer]]
    """Asks a model the whole of the call."""
    num_bytes: int
    """Of the call's body, which waits in memory."""
    answered: Sequence[ItemAnswer]


@dataclass(slots=True)
class Call:
    """One call."""

    form: Form
    secret: str | None
    content_type: str
    declared_bytes: int | None
    query: Mapping[str, str]
    number: int
    id: str
    started_at: float = field(default_factory=time.perf_counter)
    key: Key | None = None
    deployment: Deployment | None = None
    encoding: str = ""
    """In which the body is packed; empty: in none."""
    json_bytes: int | None = None
    """Of the body, so many are JSON; others stand behind them."""
    status: int = 200
    """Of the answer where nothing went wrong."""
    headers: list[Header] = field(default_factory=lambda: [JSON])
    """Of the same."""
    is_logged: bool = True
    """Whether it belongs into the prediction log, as far as its key does."""
    sticky_id: str | None = None
    """Calls with the same one are answered by the same model; None: the call's own id chooses."""
    is_pinned: bool = False
    """Whether the caller named the model: then nothing chose it."""
    fallback: tuple[str, str] | None = None
    """The model that was chosen and failed, and with which code; another one answered."""
    shadowed: ShadowedCall | None = None
    """What a shadow is asked once the answer is sent."""
    code: str | None = None
    """Of the error, when there was one."""
    top: list[dict[str, object] | None] = field(default_factory=list)
    uncertainty: list[float | None] = field(default_factory=list)
    kept_inputs: list[bytes | None] = field(default_factory=list)
    predicted: list[Sequence[Annotation]] = field(default_factory=list)
    first_item: Any = None
    """As it came; None where nothing was answered, or the caller sent tensors of the graph."""

    @property
    def is_easydl(self) -> bool:
        """Whether the answer has EasyDL's form."""
        return self.form is Form.EASYDL

    @property
    def latency_ms(self) -> float:
        """Since the call began."""
        return round((time.perf_counter() - self.started_at) * 1000, 3)

    def admit(self, snapshot: Snapshot, name: str) -> Deployment:
        """Finds out who calls, and the deployment of that name.

        Raises:
            RuntimeFault: the caller may not, or there is none.
        """
        self.key = snapshot.key_find(self.secret)
        self.deployment = snapshot.deployment_find(self.key, name)
        return self.deployment

    def remember(self, deployment: Deployment, answered: list[ItemAnswer]) -> None:
        """Notes what was answered and which inputs the deployment's policy keeps; tensors of the graph no log takes."""
        self.top = [one.best for one in answered]
        self.uncertainty = [one.uncertainty for one in answered]
        self.first_item = answered[0].item if answered else None
        settings = deployment.settings
        if settings.keep_inputs == "none" or not any(one.item is not None for one in answered):
            return
        limit = None if settings.keep_inputs == "all" else settings.min_uncertainty
        places = [n for n, one in enumerate(answered) if limit is None or (one.uncertainty or 0.0) >= limit]
        inputs: list[bytes | None] = [None] * len(answered)
        for place in _some(places, answered):
            inputs[place] = deployment.calls.log_bytes(answered[place].item)
        self.kept_inputs = inputs if any(inputs) else []
        self.predicted = [one.predicted for one in answered]

    def entry(self, deployment: Deployment, *, status: int, latency_ms: float) -> Entry:
        """What the log says of the call."""
        return Entry(
            deployment=deployment.settings.id,
            artefact=deployment.settings.artefact,
            id=self.id,
            at=time.time(),
            key=self.key.id if self.key else None,
            status=status,
            code=self.code,
            latency_ms=latency_ms,
            top=self.top,
            uncertainty=self.uncertainty,
            kept_inputs=self.kept_inputs,
            predicted=self.predicted,
            is_pinned=self.is_pinned,
            fallback=self.fallback,
        )


def call_open(scope: Scope, form: Form) -> Call:
    """Reads a request's head. A token in the address is how EasyDL's clients show theirs."""
    secret, content_type, declared_bytes, json_bytes, encoding, sticky_id = None, "", None, None, "", None
    for name, value in scope["headers"]:
        if name == b"authorization" and value[:7].lower() == b"bearer ":
            secret = value[7:].strip().decode("latin-1") or None
        elif name == b"content-type":
            content_type = value.decode("latin-1")
        elif name == b"content-length":
            declared_bytes = int(value)
        elif name == b"inference-header-content-length" and value.isdigit():
            json_bytes = int(value)
        elif name == b"content-encoding" and value != b"identity":
            encoding = value.decode("latin-1")
        elif name == b"sticky-id":
            sticky_id = value.decode("latin-1") or None
    query_text = scope["query_string"].decode("latin-1")
    query: dict[str, str] = dict(parse_qsl(query_text)) if query_text else {}
    if "access_token=" in query_text:
        secret = secret or query.get("access_token", "")  # an empty token is an unknown one
        form = Form.EASYDL if form is Form.OWN else form
    if query.get("format") == "easydl" and form is Form.OWN:
        form = Form.EASYDL
    number = prediction_number()
    return Call(
        form,
        secret,
        content_type,
        declared_bytes,
        query,
        number,
        prediction_id(number),
        encoding=encoding,
        json_bytes=json_bytes,
        sticky_id=sticky_id or query.get("sticky_id"),
    )


def part_answer(
    predictor: Predictor,
    calls: Calls,
    deployment: Deployment,
    request: PredictRequest,
    part: Sequence[Any],
    *,
    number: int | None = None,
    is_encoded: bool = True,
) -> Part:
    """Answers one part of a request, all its items at once; runs in any thread.

    Args:
        predictor: the deployment's.
        calls: the deployment's.
        deployment: with the model that answers.
        request: what the caller asks.
        part: some of its items.
        number: of the item in the request, from 1; None: there is but one, or the kind of items numbers them.
        is_encoded: whether the caller reads annotations.

    Raises:
        RuntimeFault: an item cannot be read.
    """
    started_at = deployment.timer.start() if len(part) == 1 else None
    try:
        decoded = calls.read(part, request)
        tensor = predictor.predict_many(decoded)
        answered = [
            _answered(deployment, answer, decoded, item, request if is_encoded else None)
            for item, answer in zip(part, tensor, strict=True)
        ]
    except RuntimeFault as fault:
        if number is not None:
            fault.detail = f"item {number}: {fault.detail}"
        raise
    deployment.timer.end(started_at)
    return Part(decoded, tensor, answered)


def tensors_answer(predictor: Predictor, deployment: Deployment, feeds: Feeds) -> Part:
    """Answers tensors of the graph; runs in any thread.

    Raises:
        RuntimeFault: an answer is none.
    """
    tensor, items = predictor.run(feeds), predictor.items.fed(feeds)
    answered = [_answered(deployment, answer, item, None, None) for item, answer in zip(items, tensor, strict=True)]
    return Part(None, tensor, answered)


def _answered(
    deployment: Deployment,
    answer: NDArray[np.float32],
    decoded: Decoded,
    item: Any,  # noqa: ANN401 - of ``PredictRequest.items``
    request: PredictRequest | None,
) -> ItemAnswer:
    """What a call notes of an item; annotations only where there is a request for them."""
    predictor, thresholds = deployment.running(), deployment.settings.thresholds
    needs_prediction = deployment.is_compared or deployment.settings.keep_inputs != "none"
    annotations: Sequence[Annotation] = ()
    beside: Mapping[str, object] = {}
    if request is not None:
        beside = predictor.beside(answer, thresholds, deployment.coverage)
        annotations = predictor.encode(answer, decoded, top=request.top, threshold=request.threshold, thresholds=thresholds)
    best, uncertainty = predictor.judge(answer, thresholds)
    return ItemAnswer(
        annotations, best, uncertainty, predictor.passing(answer, decoded, thresholds) if needs_prediction else (), item, beside
    )


def _some(places: list[int], answered: Sequence[ItemAnswer]) -> list[int]:
    if len(places) <= MAX_KEPT:
        return places
    if any(answered[place].uncertainty is not None for place in places):
        return sorted(places, key=lambda place: -(answered[place].uncertainty or 0.0))[:MAX_KEPT]
    return [places[step * len(places) // MAX_KEPT] for step in range(MAX_KEPT)]

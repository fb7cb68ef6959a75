"""One call while it lives: who asks for what, what was answered, and what the log will say of it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from .bodies import PredictRequest
from .encode import Annotation
from .ids import prediction_id, prediction_number
from .journal import Entry
from .predictor import Predictor
from .row_bodies import RowsRequest
from .rows import RowCells, Rows, row_data
from .state import Deployment, Key, Snapshot
from .text import TextTokens, text_data

Scope = dict[str, Any]
MAX_KEPT = 64
"""Inputs of one call that the log keeps: of more rows the least sure, or some from all over the request."""


@dataclass(slots=True)
class Answered:
    """One picture, text or row."""

    annotations: Sequence[Annotation]
    best: dict[str, object] | None
    uncertainty: float | None
    """None where a number is predicted."""
    held: Sequence[Annotation]
    """What the model holds to be there; empty where the deployment keeps no inputs."""
    data: bytes | RowCells
    """What the log may keep: a picture's file, a text as a dataset would have it, or the cells of a row."""


@dataclass(slots=True)
class Call:
    """One call."""

    is_easydl: bool
    secret: str | None
    content_type: str
    declared_bytes: int | None
    query: Mapping[str, str]
    number: int
    id: str
    started_at: float = field(default_factory=time.perf_counter)
    key: Key | None = None
    deployment: Deployment | None = None
    is_logged: bool = True
    """Whether it belongs into the prediction log, as far as its key does."""
    code: str | None = None
    """Of the error, when there was one."""
    top: list[dict[str, object] | None] = field(default_factory=list)
    uncertainty: list[float | None] = field(default_factory=list)
    kept: list[bytes | None] = field(default_factory=list)
    held: list[Sequence[Annotation]] = field(default_factory=list)

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

    def remember(self, deployment: Deployment, answered: list[Answered]) -> None:
        """Notes what was answered and which inputs the deployment's policy keeps."""
        self.top = [one.best for one in answered]
        self.uncertainty = [one.uncertainty for one in answered]
        settings = deployment.settings
        if settings.keep_inputs == "none":
            return
        limit = None if settings.keep_inputs == "all" else settings.min_uncertainty
        wanted = [n for n, one in enumerate(answered) if limit is None or (one.uncertainty or 0.0) >= limit]
        kept: list[bytes | None] = [None] * len(answered)
        for place in _some(wanted, answered):
            data = answered[place].data
            kept[place] = data if isinstance(data, bytes) else row_data(data)
        self.kept = kept if any(kept) else []
        self.held = [one.held for one in answered]

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
            kept=self.kept,
            held=self.held,
        )


def call_open(scope: Scope, *, is_easydl: bool) -> Call:
    """Reads a request's head. A token in the address is how EasyDL's clients show theirs."""
    secret, content_type, declared_bytes = None, "", None
    for name, value in scope["headers"]:
        if name == b"authorization" and value[:7].lower() == b"bearer ":
            secret = value[7:].strip().decode("latin-1")
        elif name == b"content-type":
            content_type = value.decode("latin-1")
        elif name == b"content-length":
            declared_bytes = int(value)
    query: dict[str, str] = dict(parse_qsl(scope["query_string"].decode("latin-1"))) if scope["query_string"] else {}
    if "access_token" in query:
        secret = secret or query["access_token"]
        is_easydl = True
    is_easydl = is_easydl or query.get("format") == "easydl"
    number = prediction_number()
    return Call(is_easydl, secret, content_type, declared_bytes, query, number, prediction_id(number))


def picture_answer(predictor: Predictor, deployment: Deployment, request: PredictRequest, picture: bytes) -> Answered:
    """Answers one picture or text; runs in any thread.

    Raises:
        RuntimeFault: it cannot be decoded.
    """
    started_at = deployment.pace.start()
    thresholds = deployment.settings.thresholds
    decoded = predictor.decode(picture)
    answer = predictor.predict(decoded)
    annotations = predictor.encode(answer, decoded, top=request.top, threshold=request.threshold, thresholds=thresholds)
    best, uncertainty = predictor.judge(answer, thresholds)
    held = () if deployment.settings.keep_inputs == "none" else predictor.hold(answer, decoded, thresholds)
    deployment.pace.end(started_at)
    data = text_data(decoded.text) if isinstance(decoded, TextTokens) else picture
    return Answered(annotations, best, uncertainty, held, data)


def rows_answer(predictor: Predictor, deployment: Deployment, request: RowsRequest) -> tuple[Rows, list[Answered]]:
    """Answers the rows of one request, all at once; runs in any thread.

    Raises:
        RuntimeFault: a row cannot be read.
    """
    assert predictor.reader is not None  # whoever asks about rows has looked
    started_at = deployment.pace.start() if len(request.rows) == 1 else None
    thresholds = deployment.settings.thresholds
    is_kept = deployment.settings.keep_inputs != "none"
    rows = predictor.reader.read(request.rows, is_lenient=request.is_lenient)
    answered = []
    for cells, answer in zip(request.rows, predictor.predict_rows(rows), strict=True):
        annotations = predictor.encode(answer, rows, top=request.top, threshold=request.threshold, thresholds=thresholds)
        best, uncertainty = predictor.judge(answer, thresholds)
        held = predictor.hold(answer, rows, thresholds) if is_kept else ()
        answered.append(Answered(annotations, best, uncertainty, held, cells))
    deployment.pace.end(started_at)
    return rows, answered


def _some(places: list[int], answered: Sequence[Answered]) -> list[int]:
    if len(places) <= MAX_KEPT:
        return places
    if any(answered[place].uncertainty is not None for place in places):
        return sorted(places, key=lambda place: -(answered[place].uncertainty or 0.0))[:MAX_KEPT]
    return [places[step * len(places) // MAX_KEPT] for step in range(MAX_KEPT)]

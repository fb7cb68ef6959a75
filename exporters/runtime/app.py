"""The prediction server as a plain ASGI application.

No framework: routing is one comparison, validation is ``bodies``, and what a call costs beyond the model is measured by
``benchmarks/serve_overhead.py``. A call reads the key, the body, runs its pictures in the pool, answers, and leaves an entry in
metrics and journal.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from .answers import EASYDL_DEFAULT_TOP, JSON, Header, easydl_answer, easydl_problem, json_bytes, prediction_answer, problem
from .bodies import ClientGoneError, PredictRequest, Receive, body_read, request_parse
from .encode import DEFAULT_TOP, ClassAnnotation
from .errors import (
    ApiKeyUnknownError,
    DeploymentNotFoundError,
    MethodNotAllowedError,
    PicturesTooManyError,
    RouteNotFoundError,
    RuntimeFault,
)
from .ids import prediction_number
from .journal import Entry, Journal
from .metrics import NO_DEPLOYMENT, Metrics
from .pool import Pool
from .predictor import Predictor
from .state import Deployment, Key, Snapshot, Source

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]

PREDICT_PREFIX = "/v1/deployments/"
PREDICT_SUFFIX = "/predict"
CLIENT_GONE_STATUS = 499
SETTLING_S = 0.35
"""Longer than the serving folder goes unread (``serving.POLL_EVERY_S``)."""
TEXT = (b"content-type", b"text/plain; version=0.0.4; charset=utf-8")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Page:
    """A fixed answer to GET."""

    content_type: str
    body: bytes


@dataclass(slots=True)
class Call:
    """One call while it lives."""

    snapshot: Snapshot
    is_easydl: bool
    secret: str | None
    content_type: str
    declared_bytes: int | None
    query: Mapping[str, str]
    number: int = field(default_factory=prediction_number)
    started_at: float = field(default_factory=time.perf_counter)
    key: Key | None = None
    deployment: Deployment | None = None
    code: str | None = None
    top: list[dict[str, object]] = field(default_factory=list)
    uncertainty: list[float] = field(default_factory=list)
    kept: list[bytes | None] = field(default_factory=list)

    @property
    def latency_ms(self) -> float:
        """Since the call began."""
        return round((time.perf_counter() - self.started_at) * 1000, 3)


@dataclass(slots=True)
class Answered:
    """One picture."""

    annotations: list[ClassAnnotation]
    best: dict[str, object]
    uncertainty: float


class Application:
    """Answers HTTP for the deployments of a source."""

    def __init__(
        self,
        source: Source,
        *,
        pool: Pool,
        journal: Journal | None = None,
        cors_origins: tuple[str, ...] = (),
        pages: Mapping[str, Page] | None = None,
        easydl_paths: Mapping[str, str] | None = None,
    ) -> None:
        """Puts the server together.

        Args:
            source: gives deployments and keys.
            pool: runs the models.
            journal: keeps the prediction log; None keeps none.
            cors_origins: origins whose pages may call; ``*`` allows all, none is the default.
            pages: fixed answers to GET, by path.
            easydl_paths: addresses that take EasyDL's request and give its answer, with the deployment each stands for.
        """
        self._source = source
        self._pool = pool
        self._journal = journal
        self._metrics = Metrics()
        self._cors_origins = frozenset(origin.encode() for origin in cors_origins)
        self._pages = pages or {}
        self._easydl_paths = easydl_paths or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI entry."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._source.start()
                if self._journal is not None:
                    self._journal.start()
                await send({"type": "lifespan.startup.complete"})
                continue
            self._source.stop()
            await asyncio.to_thread(self._pool.close)
            if self._journal is not None:
                await asyncio.to_thread(self._journal.stop)
            await send({"type": "lifespan.shutdown.complete"})
            return

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        method: str = scope["method"]
        if method == "OPTIONS" and self._cors_origins:
            await self._answer(scope, send, 204, [], b"")
        elif path in self._easydl_paths:
            await self._predict(scope, receive, send, self._easydl_paths[path], is_easydl=True)
        elif path.startswith(PREDICT_PREFIX) and path.endswith(PREDICT_SUFFIX):
            await self._predict(scope, receive, send, path[len(PREDICT_PREFIX) : -len(PREDICT_SUFFIX)], is_easydl=False)
        else:
            await self._answer(scope, send, *self._read(method, path))

    def _read(self, method: str, path: str) -> tuple[int, list[Header], bytes]:
        if path == "/health":
            status, word = (200, "ready") if self._source.is_ready else (503, "starting")
            answer = status, [JSON], json_bytes({"status": word})
        elif path == "/metrics":
            dropped = self._journal.num_inputs_dropped if self._journal else 0
            answer = 200, [TEXT], self._metrics.text(num_inputs_dropped=dropped).encode()
        elif path in self._pages:
            page = self._pages[path]
            answer = 200, [(b"content-type", page.content_type.encode())], page.body
        else:
            return problem(RouteNotFoundError())
        return answer if method in ("GET", "HEAD") else problem(MethodNotAllowedError("this address is read with GET"))

    async def _predict(self, scope: Scope, receive: Receive, send: Send, name: str, *, is_easydl: bool) -> None:
        call = _call(scope, self._source.snapshot, is_easydl=is_easydl)
        try:
            if scope["method"] != "POST":
                raise MethodNotAllowedError
            status, headers, body = 200, [JSON], await self._run(call, receive, name)
        except ClientGoneError:
            self._record(call, CLIENT_GONE_STATUS)
            return
        except RuntimeFault as fault:
            status, headers, body = self._refusal(call, fault)
        except Exception:
            # The edge of the process: the caller gets a plain answer, the reason goes to the server's output.
            logger.exception("a call failed")
            status, headers, body = self._refusal(call, RuntimeFault())
        else:
            self._record(call, status)
        await self._answer(scope, send, status, headers, body)

    def _refusal(self, call: Call, fault: RuntimeFault) -> tuple[int, list[Header], bytes]:
        call.code = fault.code
        self._record(call, fault.status)
        return easydl_problem(fault) if call.is_easydl else problem(fault)

    async def _run(self, call: Call, receive: Receive, name: str) -> bytes:
        try:
            self._admit(call, name)
        except (ApiKeyUnknownError, DeploymentNotFoundError):
            # A key or deployment made a moment ago: whoever was told of it must not be refused before the next look.
            await asyncio.sleep(SETTLING_S)
            call.snapshot = self._source.snapshot
            self._admit(call, name)
        assert call.deployment is not None
        settings = call.deployment.settings
        predictor = call.deployment.admit()
        body = await body_read(receive, declared_bytes=call.declared_bytes, max_bytes=settings.max_body_bytes)
        request = request_parse(body, call.content_type, call.query)
        if call.is_easydl and len(request.pictures) > 1:
            raise PicturesTooManyError("EasyDL's answer has room for one picture")
        if request.top is None:
            request.top = EASYDL_DEFAULT_TOP if call.is_easydl else DEFAULT_TOP
        answered = await self._run_pictures(predictor, call.deployment, request)
        _remember(call, request, answered)
        if call.is_easydl:
            return easydl_answer(call.number, answered[0].annotations)
        return prediction_answer(call.number, settings.artefact, [one.annotations for one in answered], call.latency_ms)

    @staticmethod
    def _admit(call: Call, name: str) -> None:
        call.key = call.snapshot.key_find(call.secret)
        call.deployment = call.snapshot.deployment_find(call.key, name)

    async def _run_pictures(self, predictor: Predictor, deployment: Deployment, request: PredictRequest) -> list[Answered]:
        first = request.pictures[0]
        if len(request.pictures) > 1:
            jobs = [self._pool.submit(_answer_picture, predictor, deployment, request, picture) for picture in request.pictures]
            return await asyncio.gather(*jobs)
        if deployment.pace.is_quick(len(first)):
            return [_answer_picture(predictor, deployment, request, first)]
        return [await self._pool.submit(_answer_picture, predictor, deployment, request, first)]

    def _record(self, call: Call, status: int) -> None:
        latency_ms = call.latency_ms
        deployment = call.deployment
        self._metrics.count(deployment.settings.id if deployment else NO_DEPLOYMENT, status, latency_ms / 1000, len(call.top))
        if deployment is None or self._journal is None:
            return
        self._journal.add(
            Entry(
                deployment=deployment.settings.id,
                artefact=deployment.settings.artefact,
                number=call.number,
                at=time.time(),
                key=call.key.id if call.key else None,
                status=status,
                code=call.code,
                latency_ms=latency_ms,
                top=call.top,
                uncertainty=call.uncertainty,
                kept=call.kept,
            )
        )

    async def _answer(self, scope: Scope, send: Send, status: int, headers: list[Header], body: bytes) -> None:
        headers = [*headers, (b"content-length", str(len(body)).encode())]
        if self._cors_origins:
            headers += _cors_headers(scope, self._cors_origins)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _call(scope: Scope, snapshot: Snapshot, *, is_easydl: bool) -> Call:
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
    return Call(snapshot, is_easydl, secret, content_type, declared_bytes, query)


def _answer_picture(predictor: Predictor, deployment: Deployment, request: PredictRequest, picture: bytes) -> Answered:
    # CPU time: on a busy machine the wall's would call a quick model slow.
    started_at = time.thread_time()
    thresholds = deployment.settings.thresholds
    scores = predictor.predict(predictor.decode(picture))
    top = DEFAULT_TOP if request.top is None else request.top
    annotations = predictor.encode(scores, top=top, threshold=request.threshold, thresholds=thresholds)
    best, uncertainty = predictor.judge(scores, thresholds)
    deployment.pace.note((time.thread_time() - started_at) * 1000)
    return Answered(annotations, best, uncertainty)


def _remember(call: Call, request: PredictRequest, answered: list[Answered]) -> None:
    """Notes for the journal what was answered and which pictures the deployment's policy keeps."""
    assert call.deployment is not None
    settings = call.deployment.settings
    call.top = [one.best for one in answered]
    call.uncertainty = [one.uncertainty for one in answered]
    if settings.keep_inputs == "none":
        return
    limit = 0.0 if settings.keep_inputs == "all" else settings.min_uncertainty
    kept = [p if unsure >= limit else None for p, unsure in zip(request.pictures, call.uncertainty, strict=True)]
    call.kept = kept if any(kept) else []


def _cors_headers(scope: Scope, origins: frozenset[bytes]) -> list[Header]:
    origin = next((value for name, value in scope["headers"] if name == b"origin"), None)
    if origin is None or not (b"*" in origins or origin in origins):
        return []
    headers = [(b"access-control-allow-origin", origin), (b"vary", b"origin")]
    if scope["method"] == "OPTIONS":
        headers.append((b"access-control-allow-methods", b"POST"))
        headers.append((b"access-control-allow-headers", b"authorization, content-type"))
        headers.append((b"access-control-max-age", b"600"))
    return headers

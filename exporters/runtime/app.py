"""The prediction server as a plain ASGI application.

No framework: routing is one comparison, validation is ``bodies``, and what a call costs beyond the model is measured by
``benchmarks/serve_overhead.py``. A call reads the key, the body, runs its pictures in the pool, answers, and leaves an entry in
metrics and journal.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .answers import EASYDL_DEFAULT_TOP, JSON, Header, easydl_answer, easydl_problem, json_bytes, prediction_answer, problem
from .bodies import ClientGoneError, PredictRequest, Receive, body_read, request_parse
from .calls import Answered, Call, Scope, call_open, picture_answer, rows_answer
from .errors import (
    ApiKeyUnknownError,
    DeploymentNotFoundError,
    MethodNotAllowedError,
    PicturesTooManyError,
    RouteNotFoundError,
    RuntimeFault,
    TextsTooManyError,
)
from .journal import Journal
from .metrics import NO_DEPLOYMENT, Metrics
from .pool import Pool
from .predictor import Predictor
from .row_bodies import RowsRequest, rows_request
from .row_errors import RowsTooManyError
from .row_explain import explain_parse, reader_of, row_explain
from .state import Deployment, Source

Send = Callable[[dict[str, Any]], Awaitable[None]]
Run = Callable[[Call, Receive, str], Awaitable[bytes]]
"""Answers a call to the deployment of that name with JSON."""

PREDICT_PREFIX = "/v1/deployments/"
PREDICT_SUFFIX = "/predict"
EXPLAIN_SUFFIX = "/explain"
CLIENT_GONE_STATUS = 499
TEXT = (b"content-type", b"text/plain; version=0.0.4; charset=utf-8")

NOSNIFF = (b"x-content-type-options", b"nosniff")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Page:
    """A fixed answer to GET."""

    content_type: str
    body: bytes


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
        are_metrics_open: bool = False,
    ) -> None:
        """Puts the server together.

        Args:
            source: gives deployments and keys.
            pool: runs the models.
            journal: keeps the prediction log; None keeps none.
            cors_origins: origins whose pages may call; ``*`` allows all, none is the default.
            pages: fixed answers to GET, by path.
            are_metrics_open: whether other machines may read ``/metrics``.
            easydl_paths: addresses that take EasyDL's request and give its answer, with the deployment each stands for.
        """
        self._source = source
        self._pool = pool
        self._journal = journal
        self._metrics = Metrics()
        self._cors_origins = frozenset(origin.encode() for origin in cors_origins)
        self._pages = pages or {}
        self._easydl_paths = easydl_paths or {}
        self._are_metrics_open = are_metrics_open

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
            await self._answer_call(scope, receive, send, self._run, self._easydl_paths[path], is_easydl=True)
        elif path.startswith(PREDICT_PREFIX) and path.endswith(PREDICT_SUFFIX):
            await self._answer_call(scope, receive, send, self._run, path[len(PREDICT_PREFIX) : -len(PREDICT_SUFFIX)])
        elif path.startswith(PREDICT_PREFIX) and path.endswith(EXPLAIN_SUFFIX):
            await self._answer_call(scope, receive, send, self._explain, path[len(PREDICT_PREFIX) : -len(EXPLAIN_SUFFIX)])
        else:
            await self._answer(scope, send, *self._read(scope, method, path))

    def _read(self, scope: Scope, method: str, path: str) -> tuple[int, list[Header], bytes]:
        if path == "/health":
            status, word = (200, "ready") if self._source.is_ready else (503, "starting")
            answer = status, [JSON], json_bytes({"status": word})
        elif path == "/metrics" and (self._are_metrics_open or _is_near(scope)):
            dropped = self._journal.num_inputs_dropped if self._journal else 0
            answer = 200, [TEXT], self._metrics.text(num_inputs_dropped=dropped).encode()
        elif path in self._pages:
            page = self._pages[path]
            answer = 200, [(b"content-type", page.content_type.encode())], page.body
        else:
            return problem(RouteNotFoundError())
        return answer if method in ("GET", "HEAD") else problem(MethodNotAllowedError("this address is read with GET"))

    async def _answer_call(
        self, scope: Scope, receive: Receive, send: Send, run: Run, name: str, *, is_easydl: bool = False
    ) -> None:
        call = call_open(scope, is_easydl=is_easydl)
        try:
            if scope["method"] != "POST":
                raise MethodNotAllowedError
            status, headers, body = 200, [JSON], await run(call, receive, name)
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
        deployment = await self._admit(call, name)
        settings = deployment.settings
        predictor = deployment.admit()
        body = await body_read(receive, declared_bytes=call.declared_bytes, max_bytes=settings.max_body_bytes)
        if predictor.reader is not None:
            asked = rows_request(body, call.content_type, call.query, predictor.reader.names)
            is_quick = len(asked.rows) == 1 and deployment.pace.is_quick(len(body))
            return await self._run_rows(call, deployment, predictor, asked, is_quick=is_quick)
        request = request_parse(body, call.content_type, call.query, is_text=predictor.is_text)
        if call.is_easydl and len(request.pictures) > 1:
            too_many = TextsTooManyError if predictor.is_text else PicturesTooManyError
            raise too_many("EasyDL's answer has room for one item")
        if request.top is None:
            request.top = max(EASYDL_DEFAULT_TOP, predictor.default_top) if call.is_easydl else predictor.default_top
        answered = await self._run_pictures(predictor, deployment, request)
        call.remember(deployment, answered)
        if call.is_easydl:
            return easydl_answer(call.number, answered[0].annotations)
        return prediction_answer(call.id, settings.artefact, [one.annotations for one in answered], call.latency_ms)

    async def _run_rows(
        self, call: Call, deployment: Deployment, predictor: Predictor, request: RowsRequest, *, is_quick: bool
    ) -> bytes:
        if call.is_easydl and len(request.rows) > 1:
            raise RowsTooManyError("EasyDL's answer has room for one item")
        if request.top is None:
            request.top = EASYDL_DEFAULT_TOP if call.is_easydl else predictor.default_top
        work = predictor, deployment, request
        rows, answered = rows_answer(*work) if is_quick else await self._pool.submit(rows_answer, *work)
        call.remember(deployment, answered)
        if call.is_easydl:
            return easydl_answer(call.number, answered[0].annotations)
        columns: dict[str, Sequence[object] | Mapping[str, object]] = {
            "unknown_columns": rows.unknown,
            "missing_columns": rows.missing,
            "unseen_categories": dict(rows.unseen),
            "mostly_missing_rows": list(rows.mostly_missing),
        }
        found = [one.annotations for one in answered]
        return prediction_answer(call.id, deployment.settings.artefact, found, call.latency_ms, columns=columns)

    async def _explain(self, call: Call, receive: Receive, name: str) -> bytes:
        call.is_logged = False  # such a call is nobody's traffic
        deployment = await self._admit(call, name)
        predictor = deployment.admit()
        reader_of(predictor)
        max_bytes = deployment.settings.max_body_bytes
        body = await body_read(receive, declared_bytes=call.declared_bytes, max_bytes=max_bytes)
        explanation = await self._pool.submit(row_explain, predictor, explain_parse(body, call.query))
        model = deployment.settings.artefact
        return json_bytes({"id": call.id, "model": model, **explanation.fields(), "latency_ms": call.latency_ms})

    async def _admit(self, call: Call, name: str) -> Deployment:
        self._source.keys_refresh()
        try:
            return call.admit(self._source.snapshot, name)
        except (ApiKeyUnknownError, DeploymentNotFoundError):
            if not self._source.settling_s:
                raise
            # A key or deployment made a moment ago: whoever was told of it must not be refused before the next look.
            await asyncio.sleep(self._source.settling_s)
            return call.admit(self._source.snapshot, name)

    async def _run_pictures(self, predictor: Predictor, deployment: Deployment, request: PredictRequest) -> list[Answered]:
        first = request.pictures[0]
        if len(request.pictures) > 1:
            jobs = [self._pool.submit(picture_answer, predictor, deployment, request, picture) for picture in request.pictures]
            return await asyncio.gather(*jobs)
        if deployment.pace.is_quick(len(first)):
            return [picture_answer(predictor, deployment, request, first)]
        return [await self._pool.submit(picture_answer, predictor, deployment, request, first)]

    def _record(self, call: Call, status: int) -> None:
        latency_ms = call.latency_ms
        deployment = call.deployment
        self._metrics.count(deployment.settings.id if deployment else NO_DEPLOYMENT, status, latency_ms / 1000, len(call.top))
        if (
            deployment is None
            or self._journal is None
            or not call.is_logged
            or (call.key is not None and not call.key.is_logged)
        ):
            return
        self._journal.add(call.entry(deployment, status=status, latency_ms=latency_ms))

    async def _answer(self, scope: Scope, send: Send, status: int, headers: list[Header], body: bytes) -> None:
        headers = [*headers, NOSNIFF, (b"content-length", str(len(body)).encode())]
        if self._cors_origins:
            headers += _cors_headers(scope, self._cors_origins)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _is_near(scope: Scope) -> bool:
    """Whether a program of this machine asks, and no proxy for somebody else."""
    client = scope.get("client")
    is_local = client is not None and (client[0] == "::1" or client[0].startswith("127."))
    return is_local and not any(name in _OF_PROXIES for name, _ in scope["headers"])


_OF_PROXIES = frozenset((b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip", b"via"))


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

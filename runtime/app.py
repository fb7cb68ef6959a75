"""The prediction server as a plain ASGI application.

No framework: routing is one comparison, validation is ``bodies``, and what a call costs beyond the model is measured by
``benchmarks/serve_overhead.py``. A call reads the key, the body, runs its pictures in the pool, answers, and leaves an entry in
metrics and journal.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from .attachments import States, attached_states
from .bodies import ClientGoneError, Receive
from .calls import Call, Form, Scope, call_open
from .endpoints import Endpoints
from .errors import MethodNotAllowedError, RouteNotFoundError, RuntimeFault
from .headers import MetricsAccess, cors_headers
from .inference import MODELS_PREFIX, SERVER_PREFIX, Route, inference_route, server_answer
from .journal import Journal
from .metrics import NO_DEPLOYMENT, OPEN_TYPE, PLAIN_TYPE, Metrics, SharedCounts
from .pool import Pool
from .responses import JSON, Header, easydl_problem, inference_problem, json_bytes, problem
from .sampling import FactSampler
from .shadow import Shadows
from .state import Source

Send = Callable[[dict[str, Any]], Awaitable[None]]
Run = Callable[[Call, Receive, str], Awaitable[bytes]]
"""Answers a call to the deployment of that name with JSON."""

PREDICT_PREFIX = "/v1/deployments/"
PREDICT_SUFFIX = "/predict"
EXPLAIN_SUFFIX = "/explain"
FIELDS_SUFFIX = "/fields"
EASYDL_PREFIX = "/rpc/2.0/ai_custom/v1/"
DESCRIPTION_PATH = "/openapi.json"
CLIENT_GONE_STATUS = 499
HEALTH_PATHS = ("/health", "/healthz")

Answer = tuple[int, list[Header], bytes]
"""Status, headers and body."""
_PROBLEMS: dict[Form, Callable[[RuntimeFault], Answer]] = {
    Form.OWN: problem,
    Form.EASYDL: easydl_problem,
    Form.INFERENCE: inference_problem,
}
NOSNIFF = (b"x-content-type-options", b"nosniff")

logger = logging.getLogger(__name__)


def easydl_name(path: str) -> str | None:
    """The deployment that an address of EasyDL's cloud speaks of: ``/rpc/2.0/ai_custom/v1/<kind>/<name>``."""
    if not path.startswith(EASYDL_PREFIX):
        return None
    kind, _, name = path[len(EASYDL_PREFIX) :].partition("/")
    return name if kind and name and "/" not in name else None


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
        metrics_access: MetricsAccess | None = None,
        shared_counts: SharedCounts | None = None,
    ) -> None:
        """Puts the server together.

        Args:
            source: gives deployments and keys.
            pool: runs the models.
            journal: keeps the prediction log; None keeps none.
            cors_origins: origins whose pages may call; ``*`` allows all, none is the default.
            pages: fixed answers to GET, by path.
            metrics_access: who may read ``/metrics``; None: programs of this machine.
            shared_counts: where other processes behind the same port leave what they counted; None: there are none.
            easydl_paths: addresses that take EasyDL's request and give its answer, with the deployment each stands for.
        """
        self._source = source
        self._pool = pool
        self._journal = journal
        self._shadows = Shadows(journal) if journal is not None else None
        self._sampler = FactSampler(journal) if journal is not None else None
        self._endpoints = Endpoints(source, pool)
        self._metrics = Metrics()
        self._cors_origins = frozenset(origin.encode() for origin in cors_origins)
        self._pages = pages or {}
        self._easydl_paths = easydl_paths or {}
        self._metrics_access = metrics_access or MetricsAccess()
        self._shared_counts = shared_counts
        self._sharing: asyncio.Task[None] | None = None

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
                if self._shared_counts is not None:
                    self._sharing = asyncio.create_task(self._share(self._shared_counts))
                if self._journal is not None:
                    self._journal.start()
                if self._shadows is not None:
                    self._shadows.start()
                if self._sampler is not None:
                    self._sampler.start()
                await send({"type": "lifespan.startup.complete"})
                continue
            self._source.stop()
            await asyncio.to_thread(self._pool.close)
            if self._sharing is not None and self._shared_counts is not None:
                self._sharing.cancel()
                self._shared_counts.write(self._metrics)
            if self._shadows is not None:
                await asyncio.to_thread(self._shadows.stop)
            if self._sampler is not None:
                await asyncio.to_thread(self._sampler.stop)
            if self._journal is not None:
                await asyncio.to_thread(self._journal.stop)
            await send({"type": "lifespan.shutdown.complete"})
            return

    async def _share(self, counts: SharedCounts) -> None:
        while True:
            await asyncio.sleep(counts.WRITE_EVERY_S)
            counts.write(self._metrics)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        method: str = scope["method"]
        if method == "OPTIONS" and self._cors_origins:
            await self._answer(scope, send, 204, [], b"")
        elif path.startswith(PREDICT_PREFIX) and path.endswith(PREDICT_SUFFIX):
            await self._answer_call(scope, receive, send, self._endpoints.run, path[len(PREDICT_PREFIX) : -len(PREDICT_SUFFIX)])
        elif path.startswith(PREDICT_PREFIX) and path.endswith(EXPLAIN_SUFFIX):
            await self._answer_call(
                scope, receive, send, self._endpoints.explain, path[len(PREDICT_PREFIX) : -len(EXPLAIN_SUFFIX)]
            )
        elif path.startswith(PREDICT_PREFIX) and path.endswith(FIELDS_SUFFIX):
            await self._answer_call(
                scope, receive, send, self._endpoints.fields, path[len(PREDICT_PREFIX) : -len(FIELDS_SUFFIX)]
            )
        elif (name := self._easydl_paths.get(path) or easydl_name(path)) is not None:
            await self._answer_call(scope, receive, send, self._endpoints.run, name, form=Form.EASYDL)
        elif path.startswith(MODELS_PREFIX) and (route := inference_route(path)) is not None:
            await self._infer(scope, receive, send, route)
        elif path == DESCRIPTION_PATH and path not in self._pages:
            await self._answer_call(scope, receive, send, self._endpoints.describe, "", method="GET")
        else:
            await self._answer(scope, send, *self._read(scope, method, path))

    async def _infer(self, scope: Scope, receive: Receive, send: Send, route: Route) -> None:
        endpoint, method = {
            "infer": (self._endpoints.infer, "POST"),
            "ready": (self._endpoints.model_ready, "GET"),
            "": (self._endpoints.model, "GET"),
        }[route.action]
        run = partial(endpoint, route.version)
        await self._answer_call(scope, receive, send, run, route.name, form=Form.INFERENCE, method=method)

    def _read(self, scope: Scope, method: str, path: str) -> Answer:
        is_ready = self._source.is_ready
        if path in HEALTH_PATHS:
            state: dict[str, Any] = {"status": "ready" if is_ready else "starting"}
            if self._source.is_open:
                state["backends"] = {name: backend for name, _, backend in self._backends()}
                state["models"] = {name: model for name, model, _ in self._backends()}
                state["attached"] = self._attached()
            answer: Answer = 200 if is_ready else 503, [JSON], json_bytes(state)
        elif path.startswith(SERVER_PREFIX) and (reply := server_answer(path, is_ready=is_ready)) is not None:
            answer = reply
        elif path == "/metrics":
            try:
                self._metrics_access.check(scope)
            except RuntimeFault as fault:
                return problem(fault)
            answer = self._counted(scope)
        elif path in self._pages:
            page = self._pages[path]
            answer = 200, [(b"content-type", page.content_type.encode())], page.body
        else:
            return problem(RouteNotFoundError())
        return answer if method in ("GET", "HEAD") else problem(MethodNotAllowedError("this address is read with GET"))

    def _counted(self, scope: Scope) -> Answer:
        dropped = self._journal.num_inputs_dropped if self._journal else 0
        shadows = self._shadows.num_dropped if self._shadows else {}
        is_open = any(name == b"accept" and b"application/openmetrics-text" in value for name, value in scope["headers"])
        kind = (b"content-type", (OPEN_TYPE if is_open else PLAIN_TYPE).encode())
        metrics = self._metrics if self._shared_counts is None else self._shared_counts.all(self._metrics)
        text = metrics.text(num_inputs_dropped=dropped, shadows_dropped=shadows, backends=self._backends(), is_open=is_open)
        return 200, [kind], text.encode()

    def _backends(self) -> set[tuple[str, str, str]]:
        """Deployment, model, and what runs it, of all that are loaded."""
        return {
            (each.settings.id, each.settings.artefact, each.predictor.backend.name)
            for deployment in self._source.snapshot.deployments.values()
            for each in deployment.models
            if each.predictor is not None
        }

    def _attached(self) -> dict[str, States]:
        """The states of what goes with the model, of each deployment that has one."""
        return {
            each.settings.id: attached_states(
                each.predictor.manifest, {slug: template.version for slug, template in each.predictor.templates.items()}
            )
            for each in self._source.snapshot.deployments.values()
            if each.predictor is not None
        }

    async def _answer_call(
        self, scope: Scope, receive: Receive, send: Send, run: Run, name: str, *, form: Form = Form.OWN, method: str = "POST"
    ) -> None:
        call = call_open(scope, form)
        try:
            if scope["method"] != method:
                raise MethodNotAllowedError(f"this address is asked with {method}")
            body = await run(call, receive, name)
            status, headers = call.status, call.headers
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
        if self._journal is not None and _is_logged(call):
            self._after(call)

    def _after(self, call: Call) -> None:
        """What is done about a call once its answer is sent."""
        if call.shadowed is not None and self._shadows is not None:
            self._shadows.offer(call)
        if call.first_item is not None and self._sampler is not None:
            self._sampler.offer(call)

    def _refusal(self, call: Call, fault: RuntimeFault) -> Answer:
        call.code = fault.code
        self._record(call, fault.status)
        return _PROBLEMS[call.form](fault)

    def _record(self, call: Call, status: int) -> None:
        latency_ms = call.latency_ms
        deployment = call.deployment
        self._metrics.count(deployment.settings.id if deployment else NO_DEPLOYMENT, status, latency_ms / 1000, len(call.top))
        if deployment is None or self._journal is None or not _is_logged(call):
            return
        self._journal.add(call.entry(deployment, status=status, latency_ms=latency_ms))

    async def _answer(self, scope: Scope, send: Send, status: int, headers: list[Header], body: bytes) -> None:
        headers = [*headers, NOSNIFF, (b"content-length", str(len(body)).encode())]
        if self._cors_origins:
            headers += cors_headers(scope, self._cors_origins)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _is_logged(call: Call) -> bool:
    return call.is_logged and (call.key is None or call.key.is_logged)

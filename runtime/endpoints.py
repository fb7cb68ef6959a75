"""What a server is asked about its models: one coroutine each, from the body to the answer's JSON.

A call reads the key, the body, runs its items in the pool, and answers; ``app`` gives it an edge.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from .bodies import ClientGoneError, Receive, body_read
from .calls import Call, ItemAnswer, Part, ShadowedCall, part_answer
from .errors import ApiKeyUnknownError, DeploymentNotFoundError, RuntimeFault, ServerBusyError
from .explaining import ExplainCall
from .ids import log_id
from .inference import graph_answer, infer_again, infer_parse, infer_response, model_metadata
from .items import PredictRequest
from .pool import Pool
from .predictor import Predictor
from .protocol_errors import EncodingUnsupportedError, VersionNotFoundError
from .responses import BINARY, EASYDL_DEFAULT_TOP, easydl_answer, json_bytes, prediction_answer
from .state import Deployment, Source
from .templates import Template, templates_named
from .traffic import model_for, stand_in

if TYPE_CHECKING:
    from .templates.fields import FieldsAnswer

logger = logging.getLogger(__name__)


class Endpoints:
    """Answers calls for the deployments of a source."""

    def __init__(self, source: Source, pool: Pool) -> None:
        self._source = source
        self._pool = pool

    async def run(self, call: Call, receive: Receive, name: str) -> bytes:
        """Predicts."""
        deployment = await self._admitted(call, name)
        model = _model(call, deployment, call.query.get("model"))
        body = await _body(call, receive, deployment.settings.max_body_bytes)
        if not deployment.variants:
            return await self._predict(call, deployment, model, body)
        return await _answer(call, deployment, model, lambda each: self._predict(call, deployment, each, body))

    async def _predict(self, call: Call, deployment: Deployment, model: Deployment, body: bytes) -> bytes:
        predictor, calls = model.running(), model.calls
        request = calls.request(body, call.content_type, call.query)
        if request.top is None:
            request.top = predictor.answers.default_top
            if call.is_easydl:
                request.top = max(EASYDL_DEFAULT_TOP, request.top)
        if call.is_easydl and len(request.items) > 1 and not request.is_batch:
            raise calls.too_many("EasyDL's answer holds one item")
        parts = await self._answer_parts(predictor, model, request, len(body))
        answered = [one for part in parts for one in part.answered]
        call.remember(model, answered)
        if (shadow := deployment.shadow) is not None and shadow.predictor is not None:
            ask = partial(_predict_again, body, call.content_type, call.query)
            call.shadowed = ShadowedCall(shadow, ask, len(body), answered)
        found = [one.annotations for one in answered]
        if call.is_easydl and request.is_batch:
            return json_bytes({"log_id": log_id(call.number), **calls.easydl_batch(request, found, predictor.answers)})
        if call.is_easydl:
            return easydl_answer(call.number, found[0], predictor.answers, answered[0].beside)
        notes = calls.notes([part.decoded for part in parts])
        predictions = [{"annotations": one.annotations, **one.beside} for one in answered]
        return prediction_answer(call.id, model.settings.artefact, predictions, call.latency_ms, notes=notes)

    async def explain(self, call: Call, receive: Receive, name: str) -> bytes:
        """Says what each part of an item adds to its answer; asks the first model, where the caller names none."""
        call.is_logged = False  # such a call is nobody's traffic
        deployment = await self._admitted(call, name)
        model = _model(call, deployment, call.query.get("model") or deployment.settings.artefact)
        body = await _body(call, receive, deployment.settings.max_body_bytes)
        explain_call = ExplainCall(body, call.content_type, call.query, model.settings.thresholds)
        explanation = await self._pool.submit(model.calls.explain, model.running(), explain_call)
        return json_bytes({"id": call.id, "model": model.settings.artefact, **explanation, "latency_ms": call.latency_ms})

    async def fields(self, call: Call, receive: Receive, name: str) -> bytes:
        """Reads forms: the fields of a template, one answer an item."""
        deployment = await self._admitted(call, name)
        model = _model(call, deployment, call.query.get("model"))
        body = await _body(call, receive, deployment.settings.max_body_bytes)
        return await _answer(call, deployment, model, lambda each: self._fields(call, each, body))

    async def _fields(self, call: Call, model: Deployment, body: bytes) -> bytes:
        templates = templates_named(model.templates(), call.query.get("template"))
        predictor = model.running()
        request = model.calls.request(body, call.content_type, call.query)
        request.top = predictor.answers.default_top
        parts = await self._answer_parts(predictor, model, request, len(body))
        call.remember(model, [one for part in parts for one in part.answered])
        found = await self._pool.submit(_forms_read, templates, parts)
        return json_bytes({"id": call.id, "model": model.settings.artefact, "forms": found, "latency_ms": call.latency_ms})

    async def infer(self, version: str | None, call: Call, receive: Receive, name: str) -> bytes:
        """Answers tensors, by the Open Inference Protocol."""
        deployment = await self._admitted(call, name)
        model = _model(call, deployment, version)
        body = await _body(call, receive, deployment.settings.max_body_bytes)
        return await _answer(call, deployment, model, lambda each: self._infer(call, deployment, each, body))

    async def _infer(self, call: Call, deployment: Deployment, model: Deployment, body: bytes) -> bytes:
        predictor = model.running()
        request = infer_parse(body, call.json_bytes, model)
        if request.items is None:
            parts = [await self._pool.submit(graph_answer, predictor, model, request.feeds)]
        else:
            parts = await self._answer_parts(predictor, model, request.items, len(body), is_encoded=False)
        answered = [one for part in parts for one in part.answered]
        call.remember(model, answered)
        if (shadow := deployment.shadow) is not None and shadow.predictor is not None:
            call.shadowed = ShadowedCall(shadow, partial(infer_again, body, call.json_bytes), len(body), answered)
        written, json_bytes_ = infer_response(model, request, np.concatenate([part.tensor for part in parts]))
        if json_bytes_ is not None:
            call.headers = [BINARY, (b"inference-header-content-length", str(json_bytes_).encode())]
        return written

    async def model(self, version: str | None, call: Call, receive: Receive, name: str) -> bytes:
        """What a model takes and gives, by the same protocol."""
        del receive
        call.is_logged = False
        deployment = await self._admitted(call, name)
        model = deployment if version is None else _named(deployment, version)
        return json_bytes(model_metadata(model, model.running()))

    async def model_ready(self, version: str | None, call: Call, receive: Receive, name: str) -> bytes:
        """Whether a model answers; without a version, whether any does."""
        del receive
        call.is_logged = False
        deployment = await self._admitted(call, name)
        models = deployment.models if version is None else (_named(deployment, version),)
        is_ready = deployment.settings.is_running and any(each.predictor is not None for each in models)
        call.status = 200 if is_ready else 503
        return json_bytes({"name": deployment.settings.slug, "ready": is_ready})

    async def describe(self, call: Call, receive: Receive, name: str) -> bytes:
        """The API's description, with the models that the caller may ask."""
        from .openapi import DescribedModel, document  # noqa: PLC0415 - asked for now and then, and servers start without it

        del receive, name
        call.is_logged = False
        self._source.keys_refresh()
        snapshot = self._source.snapshot
        if call.secret is None and not self._source.is_open:
            return json_bytes(document([]))
        key = snapshot.key_find(call.secret)
        models = [
            DescribedModel(each.settings.slug, each.settings.artefact, each.predictor.manifest, tuple(each.templates()))
            for each in snapshot.deployments_of(key)
            if each.predictor is not None
        ]
        return json_bytes(document(models))

    async def _admitted(self, call: Call, name: str) -> Deployment:
        self._source.keys_refresh()
        try:
            return call.admit(self._source.snapshot, name)
        except (ApiKeyUnknownError, DeploymentNotFoundError):
            if not self._source.settling_s:
                raise
            # A key or deployment made a moment ago: whoever knows of it must not be refused before the next look.
            await asyncio.sleep(self._source.settling_s)
            return call.admit(self._source.snapshot, name)

    async def _answer_parts(
        self,
        predictor: Predictor,
        deployment: Deployment,
        request: PredictRequest,
        num_bytes: int,
        *,
        is_encoded: bool = True,
    ) -> list[Part]:
        """Answers the parts of a request in the pool; a single item that is quick to answer on the spot."""
        calls = deployment.calls
        parts = calls.parts(request)
        answer = partial(part_answer, predictor, calls, deployment, request, is_encoded=is_encoded)
        if len(parts) > 1:
            jobs = [self._pool.submit(partial(answer, number=number), part) for number, part in enumerate(parts, 1)]
            return await asyncio.gather(*jobs)
        if len(request.items) == 1 and deployment.timer.is_quick(num_bytes):
            return [answer(parts[0])]
        return [await self._pool.submit(answer, parts[0])]


def _forms_read(templates: Mapping[str, Template], parts: list[Part]) -> list[FieldsAnswer]:
    """The fields of each item, by the template that fits it; runs in any thread."""
    from .templates.fields import fields_of_best  # noqa: PLC0415 - most servers read no forms, and start without it
    from .templates.lines import lines_of  # noqa: PLC0415

    items = [(part.decoded, one.annotations) for part in parts for one in part.answered]
    found = []
    for number, (picture, read) in enumerate(items, 1):
        try:
            found.append(fields_of_best(templates, lines_of(read), picture))
        except RuntimeFault as fault:
            if len(items) > 1:
                fault.detail = f"item {number}: {fault.detail}"
            raise
    return found


def _predict_again(body: bytes, content_type: str, query: Mapping[str, str], model: Deployment) -> list[ItemAnswer]:
    """Asks another model the same; runs in any thread."""
    predictor, calls = model.running(), model.calls
    request = calls.request(body, content_type, query)
    if request.top is None:
        request.top = predictor.answers.default_top
    return [one for part in calls.parts(request) for one in part_answer(predictor, calls, model, request, part).answered]


async def _body(call: Call, receive: Receive, max_bytes: int) -> bytes:
    body = await body_read(receive, declared_bytes=call.declared_bytes, max_bytes=max_bytes)
    if call.encoding:
        raise EncodingUnsupportedError(f"the body is packed as {call.encoding}"[:100])
    return body


def _model(call: Call, deployment: Deployment, version: str | None) -> Deployment:
    """Lets the call in, and says which model to ask: the one that the caller names, or the chosen one."""
    if version is None:
        model = model_for(deployment, call.sticky_id, call.number)
    else:
        model = _named(deployment, version)
        call.is_pinned = bool(deployment.variants)
    call.deployment = model
    model.running()
    deployment.admit()
    return model


def _named(deployment: Deployment, version: str) -> Deployment:
    for model in deployment.models:
        if model.settings.artefact == version:
            return model
    served = ", ".join(model.settings.artefact for model in deployment.models)
    raise VersionNotFoundError(f"{deployment.settings.slug} serves {served}, not {version[:64]}")


async def _answer(
    call: Call, deployment: Deployment, model: Deployment, ask: Callable[[Deployment], Awaitable[bytes]]
) -> bytes:
    """A model's answer, or another one's where it has none: what neither can answer is the call's own fault."""
    try:
        return await ask(model)
    except (ClientGoneError, ServerBusyError):
        raise
    except Exception as fault:
        other = None if call.is_pinned else stand_in(deployment, model)
        if other is None:
            raise
        try:
            answer = await ask(other)
        except Exception:  # noqa: BLE001 - the first model's word stands
            raise fault from None
        if not isinstance(fault, RuntimeFault):
            logger.exception("%s failed, %s answered", model.settings.artefact, other.settings.artefact)
        code = fault.code if isinstance(fault, RuntimeFault) else RuntimeFault.code
        call.deployment, call.fallback = other, (model.settings.artefact, code)
        return answer

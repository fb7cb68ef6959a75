"""The try-out page's call: it goes through the prediction server, so it shows what a customer will see."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Literal

import httpx
import numpy as np

from automl.contracts.task import Modality
from runtime.answers import answers_kind
from studio.common.erasure import Explained, erasures, parts_weigh, text_parts
from studio.deployments.errors import ExplainedLabelError, ExplainedModelError, PredictionServerError
from studio.deployments.gateway import internal_secret, thresholds_of
from studio.deployments.models import Deployment
from studio.deployments.selectors import deployment_url, modality_of

TIMEOUT_S = 30.0
EXPLAIN_TIMEOUT_S = 120.0
"""Some fifty texts are asked about at once."""


@dataclass(frozen=True)
class Answer:
    """What the prediction server said, as it said it."""

    status: int
    content_type: str
    body: bytes


def deployment_try(*, deployment: Deployment, files: Sequence[tuple[str, bytes]], top: int | None) -> Answer:
    """Asks a deployment about files: pictures, or texts in UTF-8 where the model reads texts.

    Args:
        deployment: whom to ask.
        files: names and contents.
        top: how many labels at most; None takes the server's default.

    Raises:
        PredictionServerError: it does not answer.
    """
    return server_ask(deployment, top, files=[("file", (name, data)) for name, data in files])


def deployment_try_texts(*, deployment: Deployment, texts: Sequence[str], top: int | None) -> Answer:
    """Asks a deployment about texts.

    Args:
        deployment: whom to ask.
        texts: as they were typed.
        top: how many labels at most; None takes the server's default.

    Raises:
        PredictionServerError: it does not answer.
    """
    return server_ask(deployment, top, json={"texts": list(texts)})


def deployment_explain_text(*, deployment: Deployment, text: str, label: str | None) -> Explained | Answer:
    """Finds what the model looked at in a text, from its scores for the text without each part, in one request.

    These calls are in no log, count as nobody's traffic there, and none of their texts is kept.

    Args:
        deployment: whom to ask.
        text: as it was typed.
        label: what to explain; None takes the one that the deployment says.

    Returns:
        What counted, or what the prediction server said when it refused.

    Raises:
        ExplainedModelError: the model reads no texts.
        ExplainedLabelError: it does not know the label.
        PredictionServerError: it does not answer.
    """
    if modality_of(deployment) is not Modality.TEXT:
        raise ExplainedModelError(reads="texts")
    parts = text_parts(text)
    texts = erasures(text, parts)
    answer = server_ask(
        deployment,
        len(deployment.artefact.facts.label_set.labels),
        threshold=0.0,
        is_logged=False,
        timeout_s=EXPLAIN_TIMEOUT_S,
        json={"texts": texts},
    )
    if answer.status != HTTPStatus.OK:
        return answer
    scores = [
        {one["label"]: float(one["score"]) for one in prediction["annotations"]}
        for prediction in json.loads(answer.body)["predictions"]
    ]
    whole = scores[0]
    label = label_said(deployment, whole) if label is None else label
    if label not in whole:
        raise ExplainedLabelError(label=label)
    return Explained(label, whole[label], parts_weigh(text, parts, [each[label] for each in scores]))


def label_said(deployment: Deployment, scores: Mapping[str, float]) -> str:
    """The one of the labels that the deployment says by these scores: with thresholds it need not be the highest."""
    answers = answers_kind(deployment.artefact.facts.output.value)(tuple(scores))
    best = answers.best(np.array(list(scores.values()), dtype=np.float32), thresholds_of(deployment))
    assert best is not None  # scores have a best one
    return str(best["label"])


def server_ask(
    deployment: Deployment,
    top: int | None,
    *,
    action: Literal["predict", "explain"] = "predict",
    threshold: float | None = None,
    is_logged: bool = True,
    timeout_s: float = TIMEOUT_S,
    **body: Any,
) -> Answer:
    """Sends one request to the prediction server with the platform's own key.

    Args:
        deployment: whom to ask.
        top: how many labels at most; None takes the server's default.
        action: what is asked for.
        threshold: lowest score; None takes the deployment's own.
        is_logged: whether the call is in the log.
        timeout_s: how long to wait.
        body: as ``httpx.post`` takes it.

    Raises:
        PredictionServerError: it does not answer.
    """
    secret = internal_secret(deployment.workspace_id, is_logged=is_logged)
    asked = {"top": top, "threshold": threshold}
    try:
        reply = httpx.post(
            deployment_url(deployment, action),
            params={name: value for name, value in asked.items() if value is not None},
            headers={"Authorization": f"Bearer {secret}"},
            timeout=timeout_s,
            trust_env=False,  # a proxy is for the world outside
            **body,
        )
    except httpx.HTTPError as error:
        hint = "See whether the prediction server runs; `manage.py doctor` names what is missing."
        raise PredictionServerError(f"{type(error).__name__}: {error}"[:300], hint=hint) from error
    return Answer(reply.status_code, reply.headers.get("content-type", "application/json"), reply.content)

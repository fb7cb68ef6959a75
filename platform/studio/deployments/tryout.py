"""The try-out page's calls: they go through the prediction server, so they show what a customer will see.

What only one kind of items has, such as a form for rows, is in ``items/<kind>/``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import httpx
import numpy as np

from runtime.answers import answers_kind
from studio.deployments.errors import PredictionServerError
from studio.deployments.gateway import internal_secret, thresholds_of
from studio.deployments.models import Deployment
from studio.deployments.prediction_server import prediction_client
from studio.deployments.selectors import deployment_url
from studio.registry.errors import ExplainedLabelError

TIMEOUT_S = 30.0
EXPLAIN_TIMEOUT_S = 120.0
"""The model answers some sixty times."""
_NO_ANSWER = "See whether the prediction server runs; `manage.py doctor` names what is missing."


@dataclass(frozen=True)
class Answer:
    """The prediction server's response, unchanged."""

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


def predicted_label(deployment: Deployment, scores: Mapping[str, float]) -> str:
    """The label that the deployment predicts by these scores: with thresholds it need not be the highest."""
    answers = answers_kind(deployment.artefact.facts.output.value)(tuple(scores))
    best = answers.best(np.array(list(scores.values()), dtype=np.float32), thresholds_of(deployment))
    assert best is not None  # scores have a best one
    return str(best["label"])


def server_ask(
    deployment: Deployment,
    top: int | None,
    *,
    action: Literal["predict", "explain", "fields"] = "predict",
    threshold: float | None = None,
    label: str | None = None,
    template: str | None = None,
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
        label: what is explained; None takes the one that the deployment says.
        template: by which fields are read; None takes the one that fits.
        is_logged: whether the call is in the log.
        timeout_s: how long to wait.
        body: as ``httpx.post`` takes it.

    Raises:
        PredictionServerError: it does not answer.
    """
    asked = {"top": top, "threshold": threshold, "label": label, "template": template, "model": _model_named(deployment)}
    try:
        reply = prediction_client().post(
            deployment_url(deployment, action),
            params={name: value for name, value in asked.items() if value is not None},
            headers={"Authorization": f"Bearer {internal_secret(deployment.workspace_id, is_logged=is_logged)}"},
            timeout=timeout_s,
            **body,
        )
    except httpx.HTTPError as error:
        raise PredictionServerError(f"{type(error).__name__}: {error}"[:300], hint=_NO_ANSWER) from error
    return Answer(reply.status_code, reply.headers.get("content-type", "application/json"), reply.content)


def server_explain(deployment: Deployment, label: str | None, **body: Any) -> Answer:
    """Asks the prediction server what its answer to one item hangs on; the call is in no log.

    Args:
        deployment: whom to ask.
        label: whose score is explained; None takes the one that the deployment says.
        body: as ``httpx.post`` takes it.

    Raises:
        ExplainedLabelError: the model does not know the label.
        PredictionServerError: it does not answer.
    """
    if label is not None and label not in deployment.artefact.facts.label_set.names:
        raise ExplainedLabelError(label=label)
    return server_ask(deployment, None, action="explain", label=label, is_logged=False, timeout_s=EXPLAIN_TIMEOUT_S, **body)


def _model_named(deployment: Deployment) -> str | None:
    """Of several models the first one each time: an answer and what explains it are the same model's."""
    return deployment.artefact_id if deployment.variants.all() else None

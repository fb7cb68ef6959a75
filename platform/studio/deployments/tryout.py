"""The try-out page's call: it goes through the prediction server, so it shows what a customer will see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from studio.deployments.errors import PredictionServerError
from studio.deployments.gateway import internal_secret
from studio.deployments.models import Deployment
from studio.deployments.selectors import deployment_url

TIMEOUT_S = 30.0


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
    return _ask(deployment, top, files=[("file", (name, data)) for name, data in files])


def deployment_try_texts(*, deployment: Deployment, texts: Sequence[str], top: int | None) -> Answer:
    """Asks a deployment about texts.

    Args:
        deployment: whom to ask.
        texts: as they were typed.
        top: how many labels at most; None takes the server's default.

    Raises:
        PredictionServerError: it does not answer.
    """
    return _ask(deployment, top, json={"texts": list(texts)})


def _ask(deployment: Deployment, top: int | None, **body: Any) -> Answer:
    try:
        reply = httpx.post(
            deployment_url(deployment),
            params={} if top is None else {"top": top},
            headers={"Authorization": f"Bearer {internal_secret(deployment.workspace_id)}"},
            timeout=TIMEOUT_S,
            trust_env=False,  # a proxy is for the world outside
            **body,
        )
    except httpx.HTTPError as error:
        hint = "See whether the prediction server runs; `manage.py doctor` names what is missing."
        raise PredictionServerError(f"{type(error).__name__}: {error}"[:300], hint=hint) from error
    return Answer(reply.status_code, reply.headers.get("content-type", "application/json"), reply.content)

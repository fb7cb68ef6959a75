"""Texts on the try-out page.

Answers come through the prediction server, so they are what a customer will see.
"""

from __future__ import annotations

from collections.abc import Sequence

from automl.contracts.artefact import TextDecode
from studio.deployments.errors import ExplainedModelError
from studio.deployments.models import Deployment
from studio.deployments.tryout import Answer, server_ask, server_explain


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


def deployment_explain_text(*, deployment: Deployment, text: str, label: str | None) -> Answer:
    """Finds what the model looked at in a text, from its scores for the text without each part.

    Such a call is in no log, and its text is not kept.

    Args:
        deployment: whom to ask.
        text: as it was typed.
        label: what to explain; None takes the one that the deployment says.

    Raises:
        ExplainedModelError: the model reads no texts.
        ExplainedLabelError: it does not know the label.
        PredictionServerError: it does not answer.
    """
    if not isinstance(deployment.artefact.facts.decode, TextDecode):
        raise ExplainedModelError(reads="texts")
    return server_explain(deployment, label, json={"text": text})

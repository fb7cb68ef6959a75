"""Texts on the try-out page: the answer, and what the model looked at in a text.

Answers come through the prediction server, so they are what a customer will see.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from http import HTTPStatus

from automl.contracts.artefact import TextDecode
from studio.deployments.errors import ExplainedLabelError, ExplainedModelError
from studio.deployments.items.text.erasure import Explained, erasures, parts_weigh, text_parts
from studio.deployments.models import Deployment
from studio.deployments.tryout import EXPLAIN_TIMEOUT_S, Answer, label_said, server_ask


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
    if not isinstance(deployment.artefact.facts.decode, TextDecode):
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

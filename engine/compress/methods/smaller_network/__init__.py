"""A smaller network that learns from the model's answers."""

from __future__ import annotations

from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.compress.method import CLASSIFIERS, Method

words = Words(__file__)

KIND = Method(
    name="smaller_network",
    title=words("title"),
    summary=words("summary"),
    consumes=CLASSIFIERS,
    reads=frozenset({Modality.IMAGE}),
    is_trained=True,
)

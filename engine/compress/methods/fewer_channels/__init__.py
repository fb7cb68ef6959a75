"""Channels that matter least are removed, and what is left learns again from the items of training."""

from __future__ import annotations

from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.compress.method import CLASSIFIERS, Method

words = Words(__file__)

KIND = Method(
    name="fewer_channels",
    title=words("title"),
    summary=words("summary"),
    consumes=CLASSIFIERS,
    reads=frozenset({Modality.IMAGE}),
    is_trained=True,
)

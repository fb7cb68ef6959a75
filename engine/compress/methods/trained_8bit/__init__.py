"""The network in 8 bits, trained with the rounding, where rounding alone loses too much."""

from __future__ import annotations

from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.compress.method import CLASSIFIERS, Method

words = Words(__file__)

KIND = Method(
    name="trained_8bit",
    title=words("title"),
    summary=words("summary"),
    consumes=CLASSIFIERS,
    reads=frozenset({Modality.IMAGE}),
    is_trained=True,
)

"""Weights are kept as float16 and computed with in float32: half the file, the same time."""

from __future__ import annotations

from automl.contracts.words import Words
from engine.compress.method import Method

words = Words(__file__)

KIND = Method(name="weights_16bit", title=words("title"), summary=words("summary"))

"""Weights as 8-bit whole numbers, and inputs turned into such as they come, with their own range each time."""

from __future__ import annotations

from automl.contracts.words import Words
from engine.compress.method import SINGLE_NETWORKS, Method

words = Words(__file__)

KIND = Method(name="dynamic_8bit", title=words("title"), summary=words("summary"), consumes=SINGLE_NETWORKS)

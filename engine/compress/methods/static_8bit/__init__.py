"""Weights and what flows between layers as 8-bit whole numbers, with ranges that items of training showed."""

from __future__ import annotations

from automl.contracts.words import Words
from engine.compress.method import Method

words = Words(__file__)

KIND = Method(name="static_8bit", title=words("title"), summary=words("summary"))

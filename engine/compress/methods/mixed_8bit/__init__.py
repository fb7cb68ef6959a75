"""As ``static_8bit``, but the few layers that change the answers most stay as they are."""

from __future__ import annotations

from automl.contracts.words import Words
from engine.compress.method import SINGLE_NETWORKS, Method

words = Words(__file__)

KIND = Method(name="mixed_8bit", title=words("title"), summary=words("summary"), consumes=SINGLE_NETWORKS)

"""Texts as one model reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...annotations import Bounds
from ...facts import Fact
from ...protocol_errors import TensorInvalidError
from .._single import SingleItems
from ..kind import Feeds
from .calls import TextCalls
from .erasure import erasures, text_parts, weighted_parts
from .facts import text_facts
from .tokens import TextTokens, text_decode, tokenizer_open

WARM_UP = b"?"
MAX_EXPLAINED = 20_000
"""Characters of a text that the model is asked about some fifty times."""


class Texts(SingleItems):
    """See ``Items``."""

    name: ClassVar[str] = "text"
    calls: ClassVar[type[TextCalls]] = TextCalls

    def __init__(self, decode: Mapping[str, Any], inputs: Sequence[str], artefact_dir: Path) -> None:
        self.max_tokens = int(decode["max_tokens"])
        """Of a text, at most so many are answered."""
        self._pad_id = int(decode["pad_id"])
        self._input = inputs[0]
        self._encode = tokenizer_open(artefact_dir / decode["tokenizer"])

    @staticmethod
    def files(decode: Mapping[str, Any]) -> Sequence[str]:
        """See ``Items``."""
        return (decode["tokenizer"],)

    def typical(self) -> TextTokens:
        """See ``Items``."""
        return self.decode(WARM_UP)

    def decode(self, data: bytes) -> TextTokens:
        """Reads a text in UTF-8.

        Raises:
            TextUnreadableError, TextMissingError: it is not UTF-8, or empty.
        """
        return text_decode(data, self._encode, pad_id=self._pad_id)

    def explain(self, data: bytes, score: Callable[[TextTokens], float], box: Bounds | None = None) -> dict[str, Any]:
        """What counts in a text: its parts, which join back to it, or to its first ``MAX_EXPLAINED`` characters."""
        text = data.decode("utf-8-sig")[:MAX_EXPLAINED]
        parts = text_parts(text)
        scores = [score(self.decode(each.encode())) for each in erasures(text, parts)]
        return {"segments": [asdict(part) for part in weighted_parts(text, parts, scores)]}

    def feeds(self, decoded: TextTokens) -> dict[str, NDArray[np.int64]]:
        """See ``Items``."""
        return {self._input: decoded.tokens_T[None]}

    def facts(self, decoded: TextTokens) -> list[Fact]:
        """See ``Items``."""
        return text_facts(decoded, self._encode, max_tokens=self.max_tokens)

    def feeds_check(self, feeds: Feeds) -> None:
        """See ``Items``."""
        for name, tensor in feeds.items():
            if tensor.shape[-1] > self.max_tokens:
                raise TensorInvalidError(f"{name}: at most {self.max_tokens} tokens of a text are read")

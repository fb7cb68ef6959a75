"""Texts: a product carries the tokenizer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from automl.contracts.artefact import TextDecode


class Texts:
    """See ``ItemKind``."""

    packages: ClassVar[Mapping[str, str]] = {"tokenizers": "tokenizers"}
    easydl_word: ClassVar[str] = "TextClassification"

    def files(self, decode: TextDecode) -> tuple[str, ...]:
        """The tokenizer's."""
        return (decode.tokenizer,)

    def request(self, sample: bytes, decode: TextDecode) -> tuple[bytes, str]:
        """The text."""
        del decode
        return sample, "text/plain"

    def values(self, decode: TextDecode) -> Mapping[str, str]:
        """None."""
        del decode
        return {}


KIND = Texts()

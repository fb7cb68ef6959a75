"""Pictures: what reads them is part of every product."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from automl.contracts.artefact import ImageDecode


class Images:
    """See ``ItemKind``."""

    packages: ClassVar[Mapping[str, str]] = {}
    easydl_word: ClassVar[str] = "ImageClassification"

    def files(self, decode: ImageDecode) -> tuple[str, ...]:
        """None."""
        del decode
        return ()

    def request(self, sample: bytes, decode: ImageDecode) -> tuple[bytes, str]:
        """The file."""
        del decode
        return sample, "application/octet-stream"

    def values(self, decode: ImageDecode) -> Mapping[str, str]:
        """None."""
        del decode
        return {}


KIND = Images()

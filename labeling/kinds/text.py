"""Texts."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from automl.contracts.base import Text
from automl.contracts.quality import FindingKind
from automl.contracts.words import Words
from labeling.assist.errors import SearchBy
from labeling.transfer.errors import ArchiveInvalidError
from studio.common.blobs import blobs
from studio.datasets.files.text import TextRefusedError, text_read

words = Words(__file__)


class Texts:
    """See ``LabellingKind``."""

    search_by: ClassVar[SearchBy | None] = "text"
    shown_findings: ClassVar[Sequence[FindingKind]] = (
        FindingKind.EXACT_DUPLICATE,
        FindingKind.NEAR_DUPLICATE,
        FindingKind.LEAK,
        FindingKind.WRONG_LABEL,
        FindingKind.GARBLED,
    )

    def finding_sentence(self, kind: FindingKind, count: int) -> Text:
        """Of so many texts, or their labels."""
        return words(f"text.{kind.value}", count=count)

    def archive_file(self, data: bytes, *, blob: str, place: str) -> None:
        """A text that is written as texts are kept."""
        del blob
        try:
            is_as_stored = text_read(data).data == data
        except TextRefusedError as error:
            raise ArchiveInvalidError(place, error.code) from error
        if not is_as_stored:
            raise ArchiveInvalidError(place, "text_form")
        blobs().put_bytes(data)

    def archive_item(self, values: Mapping[str, Any], *, files: Collection[str], place: str) -> None:
        """The fields of a text: its file, and the text of that file."""
        if values["blob"] not in files:
            raise ArchiveInvalidError(place, "file_missing")
        text = values["text"]
        if text is None:
            raise ArchiveInvalidError(place, "item_kind")
        if hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() != values["blob"]:
            raise ArchiveInvalidError(place, "text_other")


KIND = Texts()

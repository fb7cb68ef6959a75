"""Texts."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from automl.contracts.base import Text
from automl.contracts.quality import FindingKind
from labeling.assist.errors import SearchBy
from labeling.transfer.errors import ArchiveInvalidError
from studio.common.blobs import blobs
from studio.datasets.files.text import TextRefusedError, text_read


class Texts:
    """See ``LabellingKind``."""

    search_by: ClassVar[SearchBy | None] = "text"
    quality_words: ClassVar[Mapping[FindingKind, Text]] = {
        FindingKind.EXACT_DUPLICATE: Text(en="texts say the same letter by letter", zh="条文本内容完全相同"),
        FindingKind.NEAR_DUPLICATE: Text(en="texts are nearly the same as another", zh="条文本与其他文本近似重复"),
        FindingKind.LEAK: Text(en="texts stand in two splits at once", zh="条文本同时出现在两个数据划分中"),
        FindingKind.WRONG_LABEL: Text(en="labels may be wrong", zh="个标签可能有误"),
        FindingKind.GARBLED: Text(en="texts are garbled, as by the wrong encoding", zh="条文本出现乱码，可能编码有误"),
    }

    def archive_file(self, data: bytes, *, blob: str, place: str) -> None:
        """A text that is written as texts are kept."""
        del blob
        try:
            is_as_kept = text_read(data).data == data
        except TextRefusedError as error:
            raise ArchiveInvalidError(place, error.code) from error
        if not is_as_kept:
            raise ArchiveInvalidError(place, "the text is not written as texts are kept")
        blobs().put_bytes(data)

    def archive_item(self, values: Mapping[str, Any], *, files: Collection[str], place: str) -> None:
        """A text has its file, and says what the file says and nothing else."""
        if values["blob"] not in files:
            raise ArchiveInvalidError(place, "a picture or text is missing")
        text = values["text"]
        if text is None:
            raise ArchiveInvalidError(place, "an item is not of the project's kind")
        if hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() != values["blob"]:
            raise ArchiveInvalidError(place, "an item says another text than its file")


KIND = Texts()

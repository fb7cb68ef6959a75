"""Rows of tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from automl.contracts.base import Text
from automl.contracts.quality import FindingKind
from labeling.assist.errors import SearchBy
from labeling.transfer.errors import ArchiveInvalidError
from labeling.transfer.row_check import row_check


class Rows:
    """See ``LabellingKind``."""

    search_by: ClassVar[SearchBy | None] = None
    quality_words: ClassVar[Mapping[FindingKind, Text]] = {
        FindingKind.EXACT_DUPLICATE: Text(en="rows have the same cells as another", zh="行与其他行内容完全相同"),
        FindingKind.LEAK: Text(en="rows stand in two splits at once", zh="行同时出现在两个数据划分中"),
        FindingKind.WRONG_LABEL: Text(en="targets may be wrong", zh="个目标值可能有误"),
    }

    def archive_file(self, data: bytes, *, blob: str, place: str) -> None:
        """There is none."""
        del data, blob
        raise ArchiveInvalidError(place, "rows of tables have no files")

    def archive_item(self, values: Mapping[str, Any], *, files: Collection[str], place: str) -> None:
        """A row is its own file."""
        del files
        row_check(values["text"], values["blob"], place)


KIND = Rows()

"""Rows of tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from automl.contracts.base import Text
from automl.contracts.quality import FindingKind
from automl.contracts.words import Words
from labeling.assist.errors import SearchBy
from labeling.transfer.errors import ArchiveInvalidError
from labeling.transfer.row_check import row_check

words = Words(__file__)


class Rows:
    """See ``LabellingKind``."""

    search_by: ClassVar[SearchBy | None] = None
    shown_findings: ClassVar[Sequence[FindingKind]] = (FindingKind.EXACT_DUPLICATE, FindingKind.LEAK, FindingKind.WRONG_LABEL)

    def finding_sentence(self, kind: FindingKind, count: int) -> Text:
        """Of so many rows, or their labels."""
        return words(f"tabular.{kind.value}", count=count)

    def archive_file(self, data: bytes, *, blob: str, place: str) -> None:
        """There is none."""
        del data, blob
        raise ArchiveInvalidError(place, "row_file")

    def archive_item(self, values: Mapping[str, Any], *, files: Collection[str], place: str) -> None:
        """A row is its own file."""
        del files
        row_check(values["text"], values["blob"], place)


KIND = Rows()

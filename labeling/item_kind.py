"""What labelling must know of a kind of items. ``kinds`` holds a module for each, found by listing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from automl.contracts.base import Text
from automl.contracts.quality import FindingKind
from labeling.assist.errors import SearchBy


class LabellingKind(Protocol):
    """What each module calls ``KIND``."""

    search_by: ClassVar[SearchBy | None]
    """What is given to find items like it that is no item itself; None where items cannot be compared."""
    shown_findings: ClassVar[Sequence[FindingKind]]
    """What the overview shows of a quality report, in this order."""

    def finding_sentence(self, kind: FindingKind, count: int) -> Text:
        """The sentence of the overview for a number of findings."""

    def archive_file(self, data: bytes, *, blob: str, place: str) -> None:
        """Takes a file of a project's archive into the store; its hash has been proved.

        Raises:
            ArchiveInvalidError: it is not as such files are kept.
        """

    def archive_item(self, values: Mapping[str, Any], *, files: Collection[str], place: str) -> None:
        """Sees whether an item of an archive is of this kind and has its file; its format has been looked at.

        Args:
            values: its columns.
            files: hashes of the files that the archive brought.
            place: in the archive.

        Raises:
            ArchiveInvalidError: it is not, or has not.
        """

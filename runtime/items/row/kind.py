"""Rows of a table as one model reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from ...annotations import Bounds
from ...errors import NotExplainedError
from ...facts import Fact
from ..kind import Feeds
from .calls import RowCalls
from .facts import row_facts
from .rows import BATCH_CELLS, RowReader, Rows, row_parse


class RowItems:
    """See ``Items``."""

    name: ClassVar[str] = "row"
    calls: ClassVar[type[RowCalls]] = RowCalls

    def __init__(self, decode: Mapping[str, Any], inputs: Sequence[str], artefact_dir: Path) -> None:
        del inputs, artefact_dir
        self.reader = RowReader(decode)

    @staticmethod
    def files(decode: Mapping[str, Any]) -> Sequence[str]:
        """See ``Items``."""
        del decode
        return ()

    def typical(self) -> Rows:
        """See ``Items``."""
        return self.reader.read([self.reader.typical], is_lenient=True)

    def decode(self, data: bytes) -> Rows:
        """Reads a row as a dataset keeps it; what is no number counts as missing, as in training.

        Raises:
            RowInvalidError: it is none.
        """
        return self.reader.read([dict.fromkeys(self.reader.names) | row_parse(data)], is_lenient=True)

    def feeds(self, decoded: Rows) -> Feeds:
        """See ``Items``."""
        return decoded.feeds

    def facts(self, decoded: Rows) -> list[Fact]:
        """See ``Items``."""
        return row_facts(decoded, self.reader.columns)

    def num_at_once(self, feeds: Feeds) -> int:
        """See ``Items``."""
        num_columns: int = sum(feed.shape[1] for feed in feeds.values())
        return max(1, BATCH_CELLS // num_columns)

    def explain(self, data: bytes, score: Callable[[Rows], float], box: Bounds | None = None) -> Mapping[str, Any]:
        """Rows are explained against others: see ``RowCalls.explain``."""
        raise NotExplainedError("a row is explained against other rows")

    def fed(self, feeds: Feeds) -> list[None]:
        """See ``Items``: no kind of answers needs something of a row."""
        return [None] * len(next(iter(feeds.values())))

    def feeds_check(self, feeds: Feeds) -> None:
        """See ``Items``: the graph takes whatever there is."""

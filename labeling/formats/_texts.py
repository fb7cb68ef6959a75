"""What formats share whose label files hold the texts themselves."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

from automl.contracts.dataset import ItemRecord, Split
from labeling.formats._files import text_of
from labeling.formats._writing import Spool
from studio.datasets.formats import Complaint, ExportedFile, ReadBlob

_NAME = re.compile(r"[^\x00-\x1f\x7f:\"<>|?*\\]{1,200}")


def record_text(record: ItemRecord, blob: ReadBlob) -> str:
    """The text of an item."""
    return text_of(blob(record.blob))


def item_name(given: object, place: str, index: int) -> str:
    """The name of a text that lies in a label file: the one it gives, else one of the file and its number."""
    if isinstance(given, str) and _NAME.fullmatch(given) and ".." not in given.split("/") and not given.startswith("/"):
        return given
    return f"{posixpath.splitext(place)[0]}/{index + 1:06d}.txt"


def split_spools() -> dict[Split, Spool]:
    """One file a split."""
    return {split: Spool() for split in Split}


def spooled(spools: Mapping[Split, Spool], suffix: str) -> Iterator[ExportedFile]:
    """The files of the splits; an empty one is not written."""
    for split, spool in spools.items():
        if spool.num_pieces:
            yield ExportedFile(path=f"{split.value}{suffix}", chunks=spool.chunks())


Content = tuple[str, bytes] | Complaint

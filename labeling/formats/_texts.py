"""What formats share whose label files hold the texts themselves."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

from automl.contracts.dataset import ItemRecord, Split
from labeling.formats._files import split_named, text_of
from labeling.formats._writing import Spool
from studio.datasets.files.formats import ExportedFile, LabelFileProblem, ReadBlob, TextWithFacts

_NAME = re.compile(r"[^\x00-\x1f\x7f:\"<>|?*\\]{1,200}")
_PLACE_CHARS = 480


def record_text(record: ItemRecord, blob: ReadBlob) -> str:
    """The text of an item."""
    return text_of(blob(record.blob))


def item_name(given: object, place: str, index: int) -> str:
    """The name of a text that lies in a label file: the one it gives, else one of the file and its number."""
    return given if isinstance(given, str) and is_name(given) else f"{posixpath.splitext(place)[0]}/{index + 1:06d}.txt"


def is_name(given: str) -> bool:
    """Whether a text may be called so."""
    return bool(_NAME.fullmatch(given)) and ".." not in given.split("/") and not given.startswith("/")


class Names:
    """Gives each text of an upload a name of its own: two that are called the same must not share their annotations.

    Whoever walks the same texts in the same order once more, with another of these, gets the same names.
    """

    def __init__(self) -> None:
        self._used: set[str] = set()

    def name(self, given: object, place: str, index: int) -> str:
        """As ``item_name``, for a text in the file ``place`` with so many before it."""
        name = item_name(given, place, index)
        return self._free(name if name not in self._used else item_name(None, place, index))

    def picture_name(self, given: str, place: str, index: int, suffix: str) -> str:
        """The name that a picture has in a file, below its split's folder where it is taken, else the file and its number."""
        numbered = f"{posixpath.splitext(place)[0]}/{index + 1:06d}{suffix}"
        split = split_named(place)
        names = (given, f"{split.value}/{given}" if split and given else "")
        return self._free(next((name for name in names if is_name(name) and name not in self._used), numbered))

    def row_name(self, given: str, place: str, number: int) -> str:
        """The name that a row gives, else the file's with the row's number as a spreadsheet counts: ``reviews.csv#12``."""
        numbered = f"{place[-_PLACE_CHARS:]}#{number}"
        return self._free(given if is_name(given) and given not in self._used else numbered)

    def _free(self, name: str) -> str:
        while name in self._used:
            name += "+"
        self._used.add(name)
        return name


def split_spools() -> dict[Split, Spool]:
    """One file a split."""
    return {split: Spool() for split in Split}


def spooled(spools: Mapping[Split, Spool], suffix: str) -> Iterator[ExportedFile]:
    """The files of the splits; an empty one is not written."""
    for split, spool in spools.items():
        if spool.num_pieces:
            yield ExportedFile(path=f"{split.value}{suffix}", chunks=spool.chunks())


Content = tuple[str, bytes] | TextWithFacts | LabelFileProblem
